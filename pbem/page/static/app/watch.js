// "Since you last looked": the film of what came meanwhile, and the trails that stay until the first order.
/* global Film: film.js, shared with the replay */
import { paint, refresh } from "./board.js";
import { group, groups, recent } from "./log.js";
import { $, careful } from "./page.js";
import { tab } from "./panels.js";
import { ask } from "./server.js";
import { stage, state } from "./state.js";
import { stripWidth } from "./strip.js";
import { filmWanted } from "./tell.js";

let film = null, last = null;

export const watching = () => film !== null;
export const filmKey = (key) => (key === "Escape" ? (stop(), true) : film.key(key));

// Show the entries after one; the board that is true comes back at the end.
export async function watch(since) {
  stop(false);
  const told = await ask("film", { game: state.game, since, names: state.names, base: state.base, wide: stripWidth() });
  if (told.frames.length < 2) return false;
  last = told;
  play();
  return true;
}

function play() {
  const game = state.game;
  stage.under.replaceChildren();
  document.body.dataset.film = "on";
  tab("film");
  $("told").replaceChildren();
  $("film-head").textContent = `entries ${last.first + 1} to ${last.last}; Esc skips, space pauses, arrows step, B goes to the next battle`;
  film = new Film(stage, last, $("film"), { end: () => over(game), beat: tell });
  if (last.same) film.base = 0;
  film.lay(0);
  film.play();
}

function tell(beat, at) {
  const frame = last.frames[beat.frame];
  if (!beat.events.length || (at && $("told").querySelector(`[data-beat="${at}"]`))) return;
  const rows = groups([{ n: frame.entry, kind: frame.kind, seat: frame.seat, sent: frame.sent, events: beat.events }]).map((one) => group(one));
  for (const row of rows) row.dataset.beat = at;
  $("told").append(...rows);
  rows[0].scrollIntoView({ block: "nearest" });
}

function over(game) {
  if (state.game === game) stop();
}

// The film ends, or is skipped: what is true now, with the last ways still drawn.
export function stop(redraw = true) {
  if (!film) return;
  film.end();
  film = null;
  delete document.body.dataset.film;
  if (!redraw) return;
  tab("orders");
  seen();
  state.trails = trails();
  careful(() => refresh())();
}

function trails() {
  return last.frames.flatMap((frame) => frame.events).filter((event) => event.path).slice(-40)
    .map((event) => [event.path.map((place) => last.places[place]).filter(Boolean), event.slot]);
}

const seen = () => ask("seen", { game: state.game, entry: state.entries }).catch(() => {});

// After opening a game, or after something was taken in or signed: the film if there is anything new.
export async function news(from) {
  $("see-film").hidden = false;
  recent().catch(() => {});
  if (from >= state.entries) { await seen(); return; }
  if (filmWanted() && (await watch(from))) return;
  await seen();
}

export const again = careful(async () => {
  if (film) { stop(); return; }
  if (!(await watch(last ? last.first : Math.max(0, state.entries - 12)))) paint();
});
