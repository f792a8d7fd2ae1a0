// A click on the board: the piece, the stack or the place that it means; where it means nothing legal, why.
import { places } from "./board.js";
import { offer, pick, unpick } from "./choose.js";
import { $, button, careful } from "./page.js";
import { ask } from "./server.js";
import { stage, state } from "./state.js";

export const clicked = careful(async (event, point) => {
  $("menu").hidden = true;
  const node = event.target.closest("[data-id]");
  const id = node ? node.getAttribute("data-id") : "";
  const piece = state.pieces[id];
  const offered = new Set((state.next ? state.next.offered.map((one) => one[0]) : []).concat(state.next ? state.next.implied : []));
  if (!state.next) { explain(piece, point); return; }
  const place = placeAt(point, piece);
  const bare = state.picks.find((one) => !one.includes("@") && offered.has(`${one}@${place}`));
  if (bare) { await pick([`${bare}@${place}`]); return; }
  if (piece && piece[1].length) {
    if (await pickPiece(piece, offered)) return;
    const others = piecesAt(piece[0]).filter((one) => one[1][1].some((words) => words.some((word) => offered.has(word))));
    if (others.length > 1) { stackMenu(others, offered, piece[0]); return; }
    if (others.length === 1 && (await pickPiece(others[0][1], offered))) return;
  }
  if (place && offered.has(place)) { await pick([place]); return; }
  if (state.picks.includes(place)) { await unpick(place); return; }
  refuse(piece, place);
});

// Where a click means nothing legal, ask the rules why: the order as far as it is known, tried as a line.
function refuse(piece, place) {
  const verb = state.verb || (state.next.offered[0] && state.next.offered[0][1][0]) || "";
  const word = (piece && piece[1][0] && piece[1][0][0]) || place;
  if (!state.picks.length || !word) { explain(piece, null); return; }
  tryLine(verb, word);
}

const tryLine = careful(async (verb, word) => {
  const shape = (state.plan.written.find((one) => one.startsWith(verb)) || "").split(" ");
  const rest = [...state.picks];
  const line = shape.map((part) => {
    if (!part.startsWith("{")) return part;
    if (part.endsWith("*}")) return rest.filter((one) => !state.at[one] && !state.boxes[one]).join(" ") || word;
    return word;
  }).join(" ");
  const told = await ask("board", { game: state.game, looks: state.looks.length, base: state.base, lines: [...state.lines, line] });
  state.looks.splice(told.from, Infinity, ...told.looks);
  const wrong = told.plan.wrong[0];
  $("findings").textContent = wrong ? `${line}: ${wrong.reason}${wrong.rule ? ` (rule ${wrong.rule})` : ""}` : "";
});

async function pickPiece(piece, offered) {
  const held = new Set(state.picks);
  for (const alternative of [...piece[1]].reverse()) {
    const fresh = alternative.filter((word) => !held.has(word) || word.length < 3);
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
  return false;
}

const piecesAt = (place) => Object.entries(state.pieces).filter(([, piece]) => piece[0] === place);

function stackMenu(rows, offered, place) {
  $("menu").replaceChildren(...rows.map(([, piece]) => button(piece[2], careful(() => { $("menu").hidden = true; return pickPiece(piece, offered); }))));
  $("menu").hidden = false;
  const spot = places()[place], matrix = stage.svg.getScreenCTM(), host = $("board").getBoundingClientRect();
  $("menu").style.left = `${Math.max(4, Math.min(spot[0] * matrix.a + matrix.e - host.left + 30, host.width - 300))}px`;
  $("menu").style.top = `${Math.max(4, Math.min(spot[1] * matrix.d + matrix.f - host.top + 34, host.height - $("menu").offsetHeight - 8))}px`;
}

function placeAt(point, piece) {
  if (piece && (state.at[piece[0]] || state.boxes[piece[0]])) return piece[0];
  for (const [id, [x, y, w, h]] of Object.entries(state.boxes)) if (point[0] >= x && point[0] <= x + w && point[1] >= y && point[1] <= y + h) return id;
  let best = "", near = state.hexes ? 31 : 0;
  if (state.hexes) for (const [id, [x, y]] of Object.entries(state.at)) {
    const away = Math.hypot(point[0] - x, point[1] - y);
    if (away < near) { near = away; best = id; }
  }
  return best;
}

const explain = careful(async (piece, point) => {
  const word = piece && piece[1][0] ? piece[1][0][0] : point ? placeAt(point, piece) : piece ? piece[0] : "";
  if (!word || (!state.at[word] && !piece)) return;
  const told = await ask("book", { game: state.game, what: "place", words: word });
  $("findings").textContent = told.text;
});

// --- the draft
