// Marks on the board: what may be chosen, what is, what is drafted. Each by colour, line and sign.
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
  (state.hexes && kind !== "attack" ? stage.under : stage.over).append(shape);
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

export function ring(item, kind) {
  stage.ring(item, "").setAttribute("class", `ring r-${kind}`);
}
