// Marks on the board: what may be chosen, what is, what is drafted. Each by colour, line and sign.
import { $, element } from "./page.js";
import { stage, state } from "./state.js";

const HEX = [0, 1, 2, 3, 4, 5].map((k) => [28 * Math.cos((Math.PI * k) / 3), 28 * Math.sin((Math.PI * k) / 3)]);

// kind: reach, stop, risk, attack, picked, drafted, can
export function mark(place, kind, cost = "") {
  let shape, middle;
  if (state.at[place] && state.hexes) {
    const [x, y] = (middle = state.at[place]);
    shape = stage.make("polygon", { points: HEX.map(([dx, dy]) => `${x + dx},${y + dy}`).join(" ") });
  } else if (state.boxes[place]) {
    const [x, y, w, h] = state.boxes[place];
    middle = [x + w, y];
    shape = stage.make("rect", { x: x - 3, y: y - 3, width: w + 6, height: h + 6, rx: 8 });
  } else return;
  shape.setAttribute("class", `mark m-${kind}`);
  (state.hexes ? stage.under : stage.over).append(shape);
  if (kind === "stop" || kind === "risk") hatch(shape);
  if (cost || kind === "risk") sign(kind, cost, middle, place);
}

// Colour alone is not enough: what stops or risks is hatched, too.
function hatch(shape) {
  const lines = shape.cloneNode();
  lines.setAttribute("class", "mark m-hatch");
  shape.after(lines);
}

function sign(kind, cost, [x, y], place) {
  const held = Object.values(state.pieces).some((piece) => piece[0] === place);
  const at = held ? [x + 17, y + 17] : [x, y], group = stage.make("g", { class: `sign n-${kind}`, transform: `translate(${at[0]},${at[1]})` });
  if (kind === "stop" || kind === "risk") group.append(stage.make("path", { d: "M0 -11L11 8H-11Z" }));
  else if (kind === "attack") group.append(stage.make("rect", { x: -11, y: -8, width: 22, height: 16, rx: 8 }));
  else group.append(stage.make("circle", { r: 9 }));
  const text = stage.make("text", { y: kind === "stop" || kind === "risk" ? 6 : 4, "text-anchor": "middle", "font-size": 11 });
  text.textContent = kind === "attack" ? `!${cost}` : cost || "?";
  group.append(text);
  stage.over.append(group);
}

const SAYS = { can: "can act", reach: "can be reached", stop: "stops there", risk: "dice are thrown", attack: "attack", picked: "picked", drafted: "in your draft" };

// What the marks on the board mean, as far as there are any.
export function legend() {
  const found = Object.keys(SAYS).filter((kind) => stage.svg.querySelector(`.m-${kind}, .r-${kind}`));
  const rows = found.map((kind) => {
    const svg = stage.make("svg", { viewBox: "-12 -9 24 18", width: 24, height: 18 });
    svg.append(stage.make("rect", { x: -10, y: -7, width: 20, height: 14, rx: 3, class: `mark m-${kind}` }));
    return element("span", undefined, {}, svg, SAYS[kind]);
  });
  if (stage.svg.querySelector(".trail")) rows.push(element("span", "→ last moves"));
  $("legend").hidden = !rows.length;
  $("legend").replaceChildren(...rows);
}

export function ring(item, kind) {
  stage.ring(item, "").setAttribute("class", `ring r-${kind}`);
}
