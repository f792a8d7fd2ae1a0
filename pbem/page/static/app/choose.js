// Choosing: words by clicks, tiles and buttons, until they are an order.
import { paint } from "./board.js";
import { add } from "./draft.js";
import { beside, closeFan } from "./fan.js";
import { $, button, careful, element } from "./page.js";
import { ask } from "./server.js";
import { state } from "./state.js";
import { told } from "./words.js";

export async function offer() {
  state.next = null;
  const live = state.entry === null && !state.whole;
  if (live && state.plan && state.plan.ask) {
    state.next = await ask("next", { game: state.game, lines: state.lines, picks: state.picks, verb: state.verb }).catch((error) => {
      if (error.status === 409) return null;
      throw error;
    });
    if (!state.picks.length) state.fields = {};
    for (const [word, , fields] of state.next ? state.next.offered : []) state.fields[word] ||= fields[0];
  }
  paint();
}

const isPlace = (word) => word in state.at || word in state.boxes;
export const offeredWords = () => new Set(state.next ? [...state.next.offered.map((one) => one[0]), ...state.next.implied] : []);

export async function pick(words) {
  const last = words[words.length - 1];
  for (const word of words) {
    const unit = word.includes("@") ? word.split("@")[0] : null;
    if (unit) state.picks = state.picks.filter((one) => one !== unit && !one.startsWith(`${unit}@`));
    state.picks.push(word);
  }
  await offer();
  const next = state.next;
  if (!next) return;
  const card = Object.values(state.pieces).some((piece) => piece[1].some((one) => one.includes(last)) && /hand|deck/.test(piece[0]));
  const ends = !last.includes("@") && (isPlace(last) || card);
  if (next.completes === 1 && ends && !next.offered.length && !next.complete[0].odds) await add(next.complete[0].order);
  else if (next.completes >= 1 && ends) menu(last, next);
}

// Several orders are meant, or dice follow: the player says which, beside the place.
function menu(place, next) {
  closeFan();
  const rows = next.complete.flatMap((one) => {
    const made = button(told(one.order) + (one.cost ? ` · ${one.cost}` : ""), careful(() => add(one.order)));
    made.dataset.order = one.order;
    return [made, ...(one.odds ? [element("pre", one.odds)] : [])];
  });
  if (!rows.length) return;
  $("menu").replaceChildren(...rows);
  $("menu").hidden = false;
  beside($("menu"), place);
}

export const unpick = async (word) => {
  const at = state.picks.lastIndexOf(word);
  if (at >= 0) state.picks.splice(at, 1);
  await offer();
};

export const clear = async () => { state.picks = []; state.verb = ""; $("menu").hidden = true; closeFan(); await offer(); };

// --- pieces

export const picked = (piece) => piece[1].some((words) => words.length && words.every((word) => state.picks.some((one) => one === word || one.startsWith(`${word}@`))));

// A piece is picked, one more of it is, or it is put back.
export async function toggle(piece) {
  const offered = offeredWords(), held = new Set(state.picks);
  for (const alternative of [...piece[1]].reverse()) {
    const fresh = alternative.filter((word) => !held.has(word) || offered.has(word)); // of two copies the second may be meant
    if (fresh.length && fresh.every((word) => offered.has(word))) {
      if (piece[1].length > 1) state.picks = state.picks.filter((one) => !piece[1].some((words) => words[0] === one));
      await pick(fresh);
      return true;
    }
  }
  const chosen = piece[1].find((words) => words.every((word) => held.has(word)));
  if (chosen && piece[1].length > 1) {
    const at = piece[1].indexOf(chosen);
    state.picks = state.picks.filter((one) => one !== chosen[0]);
    if (at > 0) await pick([piece[1][at - 1][0]]); else await offer();
    return true;
  }
  if (chosen) { await unpick(chosen[0]); return true; }
  const placed = state.picks.find((one) => piece[1].some((words) => words.some((word) => one.startsWith(`${word}@`))));
  if (placed) { await unpick(placed); return true; }
  return false;
}
