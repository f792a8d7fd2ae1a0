// Hands on the board: clicks, drags, long presses, pointing. A click means a piece, a stack or a place.
import { clear, offer, offeredWords, pick, picked, toggle, unpick } from "./choose.js";
import { fan, fanned, closeFan, stackAt } from "./fan.js";
import { $, careful } from "./page.js";
import { ask } from "./server.js";
import { stage, state } from "./state.js";
import { stop, watching } from "./watch.js";

const pieceOf = (event) => {
  const node = event.target.closest && event.target.closest("[data-id]");
  const id = node ? node.getAttribute("data-id") : "";
  return [id, state.pieces[id]];
};

export const clicked = careful(async (event, point) => {
  if (watching()) { stop(); return; }
  $("menu").hidden = true;
  const [id, piece] = pieceOf(event), place = placeAt(point, piece);
  if (!state.next) { if (stackAt(place) > 1) fan(place); else explain(piece, place); return; }
  const offered = offeredWords();
  const bare = state.picks.find((one) => !one.includes("@") && offered.has(`${one}@${place}`));
  if (bare) { closeFan(); await pick([`${bare}@${place}`]); return; }
  if (state.picks.length && offered.has(place) && !(piece && mine(piece, offered) && !event.shiftKey && fanned() === place)) {
    if (!piece || !mine(piece, offered) || isTarget(place)) { closeFan(); await pick([place]); return; }
  }
  if (piece && piece[1].length) {
    if (await toggle(piece)) { if (stackAt(place) > 1 && state.at[place]) fan(place); return; }
    if (stackAt(place) > 1) { fan(place); return; }
  }
  if (place && offered.has(place)) {
    const first = !state.picks.length;
    await pick([place]);
    if (first && state.picks.length && stackAt(place) > 1 && $("menu").hidden) fan(place);
    return;
  }
  if (state.picks.includes(place)) { await unpick(place); return; }
  if (stackAt(place) > 1) { fan(place); return; }
  refuse(piece, place, id);
});

const mine = (piece, offered) => piece[1].some((words) => words.some((word) => offered.has(word)));
const isTarget = (place) => Boolean(state.next.costs[place]);

export function placeAt(point, piece) {
  if (piece && (state.at[piece[0]] || state.boxes[piece[0]])) return piece[0];
  for (const [id, [x, y, w, h]] of Object.entries(state.boxes)) if (point[0] >= x && point[0] <= x + w && point[1] >= y && point[1] <= y + h) return id;
  let best = "", near = state.hexes ? 31 : 0;
  if (state.hexes) for (const [id, [x, y]] of Object.entries(state.at)) {
    const away = Math.hypot(point[0] - x, point[1] - y);
    if (away < near) { near = away; best = id; }
  }
  return best;
}

// Where a click means nothing legal, ask the rules why: the order as far as it is known, tried as a line.
function refuse(piece, place) {
  const verb = state.verb || (state.next.offered[0] && state.next.offered[0][1][0]) || "";
  const word = (piece && piece[1][0] && piece[1][0][0]) || place;
  if (!state.picks.length || !word) { explain(piece, place); return; }
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
  $("findings").classList.toggle("bad", Boolean(wrong));
  $("findings").textContent = wrong ? `${line}: ${wrong.reason}${wrong.rule ? ` (rule ${wrong.rule})` : ""}` : "";
});

const explain = careful(async (piece, place) => {
  const word = piece && piece[1][0] ? piece[1][0][0] : place || (piece ? piece[0] : "");
  if (!word || (!state.at[word] && !piece)) return;
  $("findings").classList.remove("bad");
  $("findings").textContent = (await ask("book", { game: state.game, what: "place", words: word })).text;
});

// --- dragging: pick up after four pixels, let go on a marked place; anywhere else nothing happened

let held = null;

export function wireHands() {
  stage.options.click = clicked;
  stage.options.grab = (event) => {
    const [id, piece] = pieceOf(event);
    if (!piece || !state.next || watching()) return false;
    if (!mine(piece, offeredWords()) && !picked(piece)) return false;
    held = { id, piece, own: picked(piece), lifted: null };
    return true;
  };
  stage.options.drag = (event, point) => {
    if (!held) return;
    if (!held.lifted) held.lifted = lift();
    const item = stage.items.get(held.id);
    if (item) item.node.setAttribute("transform", `translate(${point[0]},${point[1]})`);
  };
  stage.options.drop = careful(async (event, point) => {
    const one = held;
    held = null;
    if (!one || !one.lifted) return;
    await one.lifted;
    await letGo(one, placeAt(point, null));
  });
  longPress();
  pointing();
}

const lift = careful(async () => { if (!held.own) await toggle(held.piece); });

async function letGo(one, place) {
  const item = stage.items.get(one.id), offered = offeredWords();
  if (item) stage.put(one.id, [item.markup, item.x, item.y, item.z, item.scale, item.turn, item.place]);
  const word = one.piece[1].flat().find((each) => offered.has(`${each}@${place}`));
  if (word) { await pick([`${word}@${place}`]); return; }
  if (offered.has(place) && place !== one.piece[0]) { await pick([place]); return; }
  if (!one.own) await clear(); else await offer();
}

// --- a long press opens the stack under it

function longPress() {
  let timer = 0, start = null;
  stage.svg.addEventListener("pointerdown", (event) => {
    start = [event.clientX, event.clientY];
    const [, piece] = pieceOf(event), point = stage.point(event);
    timer = setTimeout(() => { const place = placeAt(point, piece); if (place && stackAt(place)) fan(place); }, 350);
  });
  const end = () => clearTimeout(timer);
  stage.svg.addEventListener("pointermove", (event) => { if (start && Math.hypot(event.clientX - start[0], event.clientY - start[1]) > 4) end(); });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) stage.svg.addEventListener(name, end);
}

// --- pointing at something says what it is

function pointing() {
  const tip = $("tip");
  stage.svg.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "mouse" || event.buttons || watching()) { tip.hidden = true; return; }
    const [, piece] = pieceOf(event), place = piece ? piece[0] : placeAt(stage.point(event), null);
    const text = [piece && piece[2], piece && piece[7], place && [place, state.frame && state.frame.names[place], state.grounds && state.grounds[place], costOf(place)].filter(Boolean).join(" · ")].filter(Boolean);
    tip.hidden = !text.length;
    if (tip.hidden) return;
    tip.textContent = text.join("\n");
    const host = $("board").getBoundingClientRect();
    tip.style.left = `${Math.min(event.clientX - host.left + 18, host.width - tip.offsetWidth - 6)}px`;
    tip.style.top = `${Math.min(event.clientY - host.top + 20, host.height - tip.offsetHeight - 6)}px`;
  });
  stage.svg.addEventListener("pointerleave", () => { tip.hidden = true; });
}

const KINDS = { reach: "can be reached", stop: "can be reached, and ends the move", risk: "dice are thrown on the way", attack: "an attack" };

function costOf(place) {
  const cost = state.next && state.next.costs[place];
  return cost ? `${KINDS[cost[1]]}${cost[0] ? `, cost ${cost[0]}` : ""}` : "";
}
