// The board: what lies where, the ways of the draft, and what may be chosen, marked.
import { offer, words } from "./choose.js";
import { draft } from "./draft.js";
import { $ } from "./page.js";
import { ask } from "./server.js";
import { stage, state } from "./state.js";

export async function refresh(fit = false) {
  const wanted = { game: state.game, looks: state.looks.length, base: state.base, names: state.names };
  if (state.entry !== null) wanted.entry = state.entry;
  else wanted.lines = state.whole ? [] : state.lines;
  const frame = await ask("board", wanted);
  state.looks.splice(frame.from, Infinity, ...frame.looks);
  if (frame.markup) {
    state.base = frame.base;
    state.at = frame.at;
    stage.setBase("", frame.markup);
  }
  const before = new Map(Array.from(stage.items, ([id, item]) => [id, [item.x, item.y]]));
  const seen = new Set();
  for (const [id, look, x, y, z, scale, turn, place] of frame.items) {
    stage.put(id, [state.looks[look], x, y, z, scale, turn, place]);
    seen.add(id);
  }
  for (const id of Array.from(stage.items.keys())) if (!seen.has(id)) stage.drop(id);
  Object.assign(state, { frame, boxes: frame.boxes, pieces: frame.pieces, hexes: frame.hexes });
  stage.setSize(...frame.size);
  if (fit) look();
  if (frame.plan && !state.whole && state.entry === null) state.plan = frame.plan;
  draft();
  await offer();
}

// A phone begins near its own pieces, a wide screen with the whole board.
function look() {
  stage.fit();
  if (window.innerWidth > 760) return;
  const own = Object.entries(state.pieces).filter(([, piece]) => piece[1].length && state.at[piece[0]]).map(([id]) => stage.items.get(id)).filter(Boolean);
  const panel = Array.from(stage.items.values()).find((item) => item.id.startsWith("panel:"));  // one's own is the first
  if (own.length) stage.near(own[0].x, own[0].y, state.hexes ? 420 : 560);
  else if (panel) stage.near(panel.x, panel.y + 160, 420);
}

export const places = () => ({ ...state.at, ...Object.fromEntries(Object.entries(state.boxes).map(([id, b]) => [id, [b[0] + b[2] / 2, b[1] + b[3] / 2]])) });

export function paint() {
  stage.over.replaceChildren();
  stage.under.replaceChildren();
  $("menu").hidden = true;
  const plan = state.plan, next = state.next;
  $("banner").hidden = !(plan && plan.steps.some((step) => step.supposed)) && state.entry === null;
  $("banner").textContent = state.entry !== null ? `as it stood after entry ${state.entry}` : "SUPPOSED: not what is";
  const spots = places();
  if (state.entry === null && !state.lines.length && !state.picks.length) for (const [points, slot] of state.trails) stage.trail(points, slot);
  if (state.entry === null && plan && !state.whole) {
    for (const step of plan.steps) for (const path of step.paths) stage.arrow(path.map((id) => spots[id]).filter(Boolean), step.supposed ? "#b3001b" : "#0a8a3a", step.supposed);
  }
  const offered = new Map((next ? next.offered : []).map((one) => [one[0], one]));
  if (next) for (const word of next.implied) if (!offered.has(word)) offered.set(word, [word, [], []]);
  const bare = state.picks.find((pick) => Array.from(offered.keys()).some((word) => word.startsWith(`${pick}@`)));
  const target = (place) => offered.has(place) ? place : bare && offered.has(`${bare}@${place}`) ? `${bare}@${place}` : null;
  if (next && (state.picks.length || state.verb)) {
    for (const place of Object.keys(spots)) {
      const word = target(place);
      if (word === null) continue;
      const cost = next.costs[place] || ["", false];
      mark(place, cost[1] ? "attack" : "reach", cost[0]);
    }
  }
  for (const pick of state.picks) for (const item of itemsOf(pick)) stage.ring(item, "#e0a800");
  for (const pick of state.picks) {
    const [unit, hex] = pick.split("@");
    if (hex && state.at[hex]) {
      mark(hex, "picked", "");
      const item = stage.items.get(unit);
      if (item) stage.arrow([[item.x, item.y], state.at[hex]], "#e0a800");
    }
  }
  words(next, offered);
}

function mark(place, kind, cost) {
  const colour = { reach: "#1565c0", attack: "#b3001b", picked: "#ffd000" }[kind];
  let shape;
  if (state.at[place] && state.hexes) {
    const [x, y] = state.at[place];
    const points = [0, 1, 2, 3, 4, 5].map((k) => `${x + 28 * Math.cos(Math.PI * k / 3)},${y + 28 * Math.sin(Math.PI * k / 3)}`).join(" ");
    shape = stage.make("polygon", { points });
    if (cost) {
      const text = stage.make("text", { x, y: y + 24, "text-anchor": "middle", "font-size": 11, "font-weight": 700, fill: colour, stroke: "#fff", "stroke-width": 3, "paint-order": "stroke" });
      text.textContent = cost;
      stage.over.append(text);
    }
  } else if (state.boxes[place]) {
    const [x, y, w, h] = state.boxes[place];
    shape = stage.make("rect", { x: x - 3, y: y - 3, width: w + 6, height: h + 6, rx: 8 });
  } else return;
  shape.setAttribute("fill", colour);
  shape.setAttribute("fill-opacity", kind === "picked" ? 0.4 : 0.2);
  shape.setAttribute("stroke", colour);
  shape.setAttribute("stroke-width", 3);
  if (kind === "attack") shape.setAttribute("stroke-dasharray", "7 5");
  (state.hexes && kind !== "attack" ? stage.under : stage.over).append(shape);
}

function itemsOf(word) {
  return Object.entries(state.pieces).filter(([, piece]) => piece[1].some((pick) => pick.includes(word))).map(([id]) => stage.items.get(id)).filter(Boolean);
}
