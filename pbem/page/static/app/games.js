// One game: opening it, how it stands, and what arrives while the page is open.
import { refresh } from "./board.js";
import { $, element, show } from "./page.js";
import { ask } from "./server.js";
import { stage, state } from "./state.js";
import { turnNow } from "./tell.js";
import { until, when } from "./time.js";
import { news, watching } from "./watch.js";

export async function open(name, entry = null) {
  Object.assign(state, { game: name, picks: [], verb: "", base: "", entry, fingerprint: "", whole: false });
  show("table");
  stage.clear();
  $("handed").replaceChildren();
  const told = await ask("status", { game: name });
  state.lines = lines(told.draft);
  standing(told);
  state.trails = [];
  await refresh(true);
  if (entry === null) await news(told.seen);
}

const lines = (draft) => draft.split("\n").filter((line) => line.trim());

function whose(game) {
  if (game.outcome) return `Over: ${game.outcome}`;
  const others = game.asked.filter((one) => one.seat !== game.seat);
  return others.map((one) => `${player(game, one.seat)}: ${one.what}`).join(" · ");
}

const player = (game, seat) => (game.seats.find((one) => one[0] === seat) || [seat, seat])[1] || seat;

// Offers and words of the others that no entry has taken in yet.
function tell(told) {
  $("notices").replaceChildren(...told.notices.map((line) => element("li", line)));
}

export function standing(told) {
  state.fingerprint = told.fingerprint;
  state.seat = told.seat;
  state.entries = told.entries;
  state.told = told;
  const mine = told.asked.find((one) => one.seat === told.seat);
  $("title").textContent = told.title;
  const against = told.seats.filter(([seat]) => seat !== told.seat).map(([, name]) => name).join(", ");
  $("headline").textContent = told.seat ? `you are ${told.seat} against ${against}` : "you watch";
  $("where").textContent = told.headline;
  const pill = $("turn"), clock = (mine || told.asked[0] || {}).deadline;
  pill.hidden = false;
  pill.classList.toggle("now", Boolean(mine));
  pill.textContent = [told.outcome ? "over" : mine ? "Your turn" : "waiting", clock ? until(clock) : ""].filter(Boolean).join(" · ");
  pill.title = [whose(told), clock ? `until ${when(clock)}` : ""].filter(Boolean).join(" · ");
  $("fingerprint").textContent = `fingerprint after entry ${told.entries}: ${told.fingerprint}`;
  state.asked = Boolean(mine);
  turnNow(told.name || state.game, state.asked, told.outcome, told.headline);
  tell(told);
}

export async function poll(force = false) {
  if (!state.game) return;
  const told = await ask("status", { game: state.game, fingerprint: state.fingerprint });
  const drafted = lines(told.draft);
  const own = signable();
  const other = drafted.join("\n") !== own.join("\n");
  if (told.changed || other || force) {
    standing(told);
    if (other) { state.lines = drafted; state.picks = []; }
    if (state.entry !== null || watching()) return;
    await refresh();
    await news(told.seen);
  } else tell(told);
}

// What of the list may be signed: everything before the first supposition.
function signable() {
  const first = state.lines.findIndex((line) => line.startsWith("~"));
  return first < 0 ? state.lines : state.lines.slice(0, first);
}

export async function drafted() {
  const told = await ask("status", { game: state.game });
  state.lines = lines(told.draft);
  standing(told);
}
