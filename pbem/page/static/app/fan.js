// A stack, fanned out: every unit with its values, by force, whatever is on offer; pick one, or a whole force.
import { picked, toggle } from "./choose.js";
import { places } from "./board.js";
import { $, button, careful, element } from "./page.js";
import { stage, state } from "./state.js";

const at = (place) => Object.entries(state.pieces).filter(([, piece]) => piece[0] === place);
let shown = "";

export const stackAt = (place) => at(place).length;
export const fanned = () => shown;

export function closeFan() { shown = ""; $("fan").hidden = true; }

export function fan(place) {
  const pieces = at(place);
  if (!pieces.length) return;
  shown = place;
  const forces = new Map();
  for (const [id, piece] of pieces) {
    const leader = piece[3] && pieces.some(([other]) => other === piece[3]) ? piece[3] : pieces.some(([, one]) => one[3] === id) ? id : "";
    forces.set(leader, [...(forces.get(leader) || []), [id, piece]]);
  }
  const name = state.frame.names[place];
  const head = element("p", undefined, { class: "fan-head" }, element("b", [place, name].filter(Boolean).join(" ")), element("span", ` ${pieces.length} ${pieces.length === 1 ? "piece" : "pieces"} `, { class: "soft" }), button("×", closeFan, "close"));
  const all = element("div", undefined, { class: "forces" }, ...[...forces].map(([leader, units]) => force(leader, units)));
  $("tip").hidden = true;
  $("fan").replaceChildren(head, all, element("p", "A unit picks itself, the name of a force all of it. Esc closes.", { class: "soft small" }));
  $("fan").hidden = false;
  beside($("fan"), place);
}

function force(leader, units) {
  units.sort(([a], [b]) => (b === leader) - (a === leader));
  const sum = units.map(([, piece]) => Number.parseInt(piece[6], 10)).filter((value) => !Number.isNaN(value)).reduce((a, b) => a + b, 0);
  const made = element("div", undefined, { class: "force" });
  const title = leader ? state.pieces[leader][5] : "alone";
  made.append(button(`${title} · ${units.length}${sum ? ` · Σ ${sum}` : ""}`, careful(async () => {
    for (const [, piece] of units) if (!picked(piece)) await toggle(piece);
    fan(shown);
  }), "force-name"));
  const row = element("div", undefined, { class: "tiles-row" });
  row.append(...units.map(([id, piece]) => tile(id, piece, careful(async () => { await toggle(piece); if (shown) fan(shown); }))));
  made.append(row);
  return made;
}

// A piece as a button: its picture, its name, and itself in words for who points at it.
export function tile(id, piece, act, on = picked(piece)) {
  const item = stage.items.get(id), made = button("", act, `unit${on ? " picked" : ""}`);
  made.title = piece[2];
  made.setAttribute("aria-label", piece[2]);
  made.setAttribute("aria-pressed", String(on));
  if (item) {
    const card = piece[4] === "card" || piece[4] === "land", svg = stage.make("svg", { class: card ? "card-picture" : "counter-picture" });
    stage.fill(svg, item.markup);
    const [w, h] = card ? svg.querySelector(".card").dataset.size.split(" ").map(Number) : [37, 37];
    svg.setAttribute("viewBox", [-w / 2 - 3, -h / 2 - 3, w + 6, h + 6].join(" "));
    made.append(svg);
  } else made.textContent = piece[5];
  return made;
}

// Beside a place, never over it, and where it hides the fewest marked places.
export function beside(box, place) {
  const spots = places(), host = $("board").getBoundingClientRect(), matrix = stage.svg.getScreenCTM();
  const seen = ([x, y]) => [x * matrix.a + matrix.e - host.left, y * matrix.d + matrix.f - host.top];
  if (!spots[place]) return;
  const [x, y] = seen(spots[place]), away = 34 * matrix.a, [wide, high] = [box.offsetWidth, box.offsetHeight];
  const marked = Object.keys((state.next && state.next.costs) || {}).map((one) => spots[one]).filter(Boolean).map(seen);
  const tries = [[x + away, y - 20], [x - away - wide, y - 20], [x - wide / 2, y + away], [x - wide / 2, y - away - high], [4, 4], [4, host.height - high - 8], [host.width - wide - 60, 4]];
  const inside = tries.map(([left, top]) => [Math.max(4, Math.min(left, host.width - wide - 4)), Math.max(4, Math.min(top, host.height - high - 4))]);
  const hides = ([left, top]) => [[x, y], ...marked].filter(([px, py], at) => px > left - (at ? 0 : away) && px < left + wide + (at ? 0 : away) && py > top && py < top + high).length + ([[x, y]].some(([px, py]) => px > left && px < left + wide && py > top && py < top + high) ? 50 : 0);
  const [left, top] = inside.reduce((best, one) => (hides(one) < hides(best) ? one : best));
  box.style.left = `${left}px`;
  box.style.top = `${top}px`;
}
