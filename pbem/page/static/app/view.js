// What of the board is seen: at first where the question is, so large that counters can be read; and a small map.
import { $ } from "./page.js";
import { stage, state } from "./state.js";

const COUNTER = 37;

// Centre on what the question offers, else on what moved last, else on one's own; a counter is 52 to 72 px wide.
export function firstView() {
  stage.fit();
  const spots = offered() || moved() || own();
  const wide = $("board").clientWidth, high = $("board").clientHeight, small = window.innerWidth <= 760;
  if (!spots || !state.hexes || !wide) { if (small) phone(); minimap(); return; }
  const xs = spots.map((one) => one[0]), ys = spots.map((one) => one[1]);
  const box = [Math.max(...xs) - Math.min(...xs) + 120, Math.max(...ys) - Math.min(...ys) + 120];
  const least = small ? 48 : 52, span = (px) => (wide * COUNTER) / px;
  const most = Math.max(span(least), small ? 0 : Math.min(540, stage.size[0])), needed = Math.max(box[0], (box[1] * wide) / high);
  const chosen = Math.max(span(72), Math.min(needed, most));
  if (chosen < stage.size[0] || high) stage.near((Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2, Math.min(chosen, Math.max(stage.size[0], (stage.size[1] * wide) / high)));
  minimap();
}

function offered() {
  if (!state.next) return null;
  const words = new Set([...state.next.offered.map((one) => one[0]), ...state.next.implied]);
  const held = Object.values(state.pieces).filter((piece) => state.at[piece[0]] && piece[1].some((pick) => pick.some((word) => words.has(word))));
  const spots = held.length ? held.map((piece) => state.at[piece[0]]) : [...words].map((word) => state.at[word]).filter(Boolean);
  return spots.length ? dense(spots) : null;
}

// Where most of them are: far-away ones do not make everything small.
function dense(spots) {
  const near = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]) < 330;
  const best = spots.reduce((found, one) => { const with_ = spots.filter((other) => near(one, other)); return with_.length > found.length ? with_ : found; }, []);
  return best;
}

const moved = () => { const last = state.trails.flatMap(([points]) => points.slice(-1)); return last.length ? dense(last) : null; };

function own() {
  const held = Object.values(state.pieces).filter((piece) => piece[1].length && state.at[piece[0]]);
  return held.length ? dense(held.map((piece) => state.at[piece[0]])) : null;
}

// A table of cards, or a map of areas: a phone begins with one's own panel, or near one's own.
function phone() {
  const panel = Array.from(stage.items.values()).find((item) => item.id.startsWith("panel:")), near = own();
  if (near) stage.near(near[0][0], near[0][1], 560);
  else if (panel) stage.near(panel.x, panel.y + 160, 420);
}

// --- the small map: the whole, with a frame that can be dragged

export function minimap() {
  const host = $("mini"), [wide, high] = state.map || stage.size || [0, 0];
  const seen = stage.box[2] * stage.box[3] < 0.8 * wide * high;
  host.hidden = !seen || !state.hexes || window.innerWidth <= 760;
  if (host.hidden) return;
  const svg = stage.make("svg", { viewBox: `0 0 ${wide} ${high}`, width: 190, height: Math.min(190, (190 * high) / wide) });
  const ground = stage.make("g");
  stage.fill(ground, state.mini || "");
  svg.append(ground);
  for (const [id, piece] of Object.entries(state.pieces)) {
    const item = stage.items.get(id);
    if (item && state.at[piece[0]]) svg.append(stage.make("circle", { cx: state.at[piece[0]][0], cy: state.at[piece[0]][1], r: 26, class: `d${piece[8] ?? "x"}` }));
  }
  svg.append(stage.make("rect", { class: "mini-frame" }));
  host.replaceChildren(svg);
  frame();
  const to = (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse()), [, , w, h] = stage.box;
    stage.show(at.x - w / 2, at.y - h / 2, w, h);
  };
  svg.onpointerdown = (event) => { svg.setPointerCapture(event.pointerId); to(event); svg.onpointermove = to; };
  svg.onpointerup = () => { svg.onpointermove = null; };
}

function frame() {
  const rect = $("mini").querySelector(".mini-frame"), [x, y, w, h] = stage.box;
  if (rect) for (const [name, value] of Object.entries({ x, y, width: w, height: h })) rect.setAttribute(name, value);
}

// Whenever the view changes the frame follows; the small map itself comes and goes with the zoom.
export function followView() {
  let wide = 0;
  stage.options.seen = () => {
    if (Math.abs(stage.box[2] - wide) > 1) { wide = stage.box[2]; minimap(); } else frame();
  };
}
