// The list of games, practice, and opening one; what arrives while the page is open.
import { refresh } from "./board.js";
import { $, button, careful, element } from "./page.js";
import { ask } from "./server.js";
import { stage, state } from "./state.js";

export async function games() {
  const told = await ask("games");
  state.game = "";
  $("table").hidden = true;
  $("list").hidden = false;
  $("title").textContent = "pbem";
  $("headline").textContent = "";
  document.title = "pbem";
  $("games").replaceChildren(...told.games.map((game) => {
    const row = element("li");
    if (game.problem) { row.textContent = `${game.name}: ${game.problem}`; return row; }
    const mine = game.asked.some((one) => one.seat === game.seat);
    const text = `${game.name} — ${game.title}, ${game.headline}. ${whose(game)}`;
    row.append(button(text, careful(() => open(game.name)), mine ? "yours" : ""));
    return row;
  }));
  await practice();
  if (!told.games.length) $("games").append(element("li", "You have no games yet: `pbem new GAME` invites someone, `pbem practice GAME` plays against the bot."));
}

const options = (id, rows) => $(id).replaceChildren(...rows.map(([value, text]) => element("option", text, { value })));
const chosen = () => state.available.find((game) => game.name === $("which").value);
export const chairs = () => options("as", chosen().scenarios.find((one) => one.id === $("scenario").value).seats.map((seat) => [seat, `as ${seat}`]));
export const scenarios = () => { options("scenario", chosen().scenarios.map((one) => [one.id, one.title])); chairs(); };

async function practice() {
  if (state.available) return;
  state.available = (await ask("available")).games;
  if (!state.available.length) return;
  options("which", state.available.map((game) => [game.name, game.title]));
  scenarios();
}

function whose(game) {
  if (game.outcome) return `Over: ${game.outcome}`;
  if (!game.asked.length) return "Nobody is asked here: the others' entries are awaited.";
  return game.asked.map((one) => `${one.seat === game.seat ? "YOU" : one.seat}: ${one.what}${one.deadline ? `, until ${one.deadline.replace("T", " ").replace(/(:00)?Z$/, " UTC")}` : ""}`).join(" · ");
}

export async function open(name) {
  Object.assign(state, { game: name, picks: [], verb: "", base: "", entry: null, fingerprint: "", whole: false });
  $("list").hidden = true;
  $("table").hidden = false;
  stage.clear();
  const told = await ask("status", { game: name });
  state.lines = told.draft.split("\n").filter((line) => line.trim());
  standing(told);
  await refresh(true);
}

// Offers and words of the others that no entry has taken in yet.
function tell(told) {
  $("notices").replaceChildren(...told.notices.map((line) => element("li", line)));
}

export function standing(told) {
  state.fingerprint = told.fingerprint;
  state.seat = told.seat;
  const mine = told.asked.some((one) => one.seat === told.seat);
  $("title").textContent = told.title;
  $("headline").textContent = `${told.headline} · ${told.seat ? `you are ${told.seat}` : "you watch"} · ${whose(told)}`;
  document.title = `${mine ? "● your turn" : told.outcome ? "over" : "waiting"} · ${told.rules}`;
  $("fingerprint").textContent = `fingerprint after entry ${told.entries}: ${told.fingerprint}`;
  state.asked = mine;
  tell(told);
}

export async function poll(force = false) {
  if (!state.game) return;
  const told = await ask("status", { game: state.game, fingerprint: state.fingerprint });
  const lines = told.draft.split("\n").filter((line) => line.trim());
  const own = state.lines.filter((line) => !line.startsWith("~"));
  const other = lines.join("\n") !== own.join("\n");
  if (told.changed || other || force) {
    standing(told);
    if (other) { state.lines = lines; state.picks = []; }
    if (state.entry === null) await refresh();
  } else tell(told);
}
