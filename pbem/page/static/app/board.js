// The board: what lies where, the ways of the draft, and what may be chosen, marked.
import { offer } from "./choose.js";
import { draft } from "./draft.js";
import { legend, mark, ring } from "./marks.js";
import { $ } from "./page.js";
import { question } from "./question.js";
import { ask } from "./server.js";
import { stage, state } from "./state.js";
import { fillStrip, markStrip, stripWidth } from "./strip.js";
import { firstView, minimap } from "./view.js";

export async function refresh(fit = false) {
  const wanted = { game: state.game, looks: state.looks.length, base: state.base, names: state.names };
  if (state.entry !== null) wanted.entry = state.entry;
  else wanted.lines = state.whole ? [] : state.lines;
  const strip = stripWidth();
  if (strip) wanted.wide = strip;
  const frame = await ask("board", wanted);
  state.looks.splice(frame.from, Infinity, ...frame.looks);
  if (frame.markup) {
    Object.assign(state, { base: frame.base, at: frame.at, mini: frame.mini, map: frame.map, grounds: frame.grounds });
    stage.setBase("", frame.markup);
  }
  const seen = new Set();
  for (const [id, look, x, y, z, scale, turn, place] of frame.items) {
    stage.put(id, [state.looks[look], x, y, z, scale, turn, place]);
    seen.add(id);
  }
  for (const id of Array.from(stage.items.keys())) if (!seen.has(id)) stage.drop(id);
  Object.assign(state, { frame, boxes: frame.boxes, pieces: frame.pieces, hexes: frame.hexes });
  fillStrip(strip);
  if (fit) stage.fit();
  if (frame.plan && !state.whole && state.entry === null) state.plan = frame.plan;
  draft();
  await offer();
  if (fit) firstView(); else minimap();
}

export const places = () => ({ ...state.at, ...Object.fromEntries(Object.entries(state.boxes).map(([id, b]) => [id, [b[0] + b[2] / 2, b[1] + b[3] / 2]])) });

export function paint() {
  stage.over.replaceChildren();
  stage.under.replaceChildren();
  $("menu").hidden = true;
  const plan = state.plan, next = state.next, spots = places();
  $("banner").hidden = !(plan && plan.steps.some((step) => step.supposed)) && state.entry === null;
  $("banner").textContent = state.entry !== null ? `as it stood after entry ${state.entry}` : "SUPPOSED: not what is";
  if (state.entry === null && !state.lines.length && !state.picks.length) for (const [points, slot] of state.trails) stage.trail(points, slot);
  if (state.entry === null && plan && !state.whole) drafted(plan, spots);
  const words = new Set(next ? [...next.offered.map((one) => one[0]), ...next.implied] : []);
  if (next && (state.picks.length || state.verb)) targets(next, words, spots);
  else if (next) able(words);
  for (const one of state.picks) for (const item of itemsOf(one)) ring(item, "picked");
  for (const one of state.picks) {
    const [unit, hex] = one.split("@");
    if (hex && state.at[hex]) { mark(hex, "picked"); const item = stage.items.get(unit); if (item) stage.arrow([[item.x, item.y], state.at[hex]], "var(--gold-line)"); }
    else if (state.at[one]) mark(one, "picked");
  }
  markStrip();
  question();
  legend();
}

// The ways and targets of the draft, numbered as its lines are.
function drafted(plan, spots) {
  for (const step of plan.steps) {
    for (const path of step.paths) {
      stage.arrow(path.map((id) => spots[id]).filter(Boolean), step.supposed ? "var(--amber)" : "var(--teal)", step.supposed);
      if (!step.supposed) mark(path[path.length - 1], "drafted", String(step.line));
    }
  }
}

// Where the words so far may lead.
function targets(next, words, spots) {
  const bare = state.picks.find((pick) => Array.from(words).some((word) => word.startsWith(`${pick}@`)));
  for (const place of Object.keys(spots)) {
    if (!words.has(place) && !(bare && words.has(`${bare}@${place}`))) continue;
    const [cost, kind] = next.costs[place] || ["", "reach"];
    mark(place, kind, cost);
  }
}

// Before anything is picked: who can act.
function able(words) {
  const found = new Set();
  for (const [id, piece] of Object.entries(state.pieces)) {
    if (!piece[1].some((pick) => pick.some((word) => words.has(word)))) continue;
    if (state.at[piece[0]] && state.hexes) found.add(piece[0]);
    else if (stage.items.has(id) && stage.items.get(id).node.isConnected) ring(stage.items.get(id), "can");
  }
  for (const place of found) mark(place, "can");
}

function itemsOf(word) {
  return Object.entries(state.pieces).filter(([, piece]) => piece[1].some((pick) => pick.includes(word))).map(([id]) => stage.items.get(id)).filter(Boolean);
}
