"use strict";
// The forms of everything that is laid on a board while it is played: colour, line and sign say the same thing.
//   reach   may be entered          cost in a disc        risk     may be entered, stops or risks   cost in a triangle
//   attack  is attacked             cost with "!"         picked   chosen
//   drafted is in the draft         number in a disc      can      may act
//   hover   is pointed at or has the focus
// Ground lies under the pieces (stage.under); signs, rings, trails and arrows lie above them (stage.over).
class Marks {
  constructor(stage) { this.stage = stage; }

  // A hex around [x, y], or a box [x, y, width, height].
  ground(where, kind) {
    const { stage } = this;
    const shape = where.length === 2
      ? stage.make("polygon", { points: Marks.hexagon(where, 28.4) })
      : stage.make("rect", { x: where[0] - 3, y: where[1] - 3, width: where[2] + 6, height: where[3] + 6, rx: 9 });
    shape.setAttribute("class", `mark ${kind}`);
    (where.length === 2 && kind !== "hover" ? stage.under : stage.over).append(shape);
    if (kind === "risk") {
      const hatch = shape.cloneNode();
      hatch.setAttribute("class", "mark-hatch");
      shape.after(hatch);
    }
    return shape;
  }

  static hexagon([x, y], far) {
    return [0, 1, 2, 3, 4, 5].map((k) => `${(x + far * Math.cos(Math.PI * k / 3)).toFixed(1)},${(y + far * Math.sin(Math.PI * k / 3)).toFixed(1)}`).join(" ");
  }

  // What it costs to go there: in a disc, a triangle or a red pill, by its kind; beside the counters of a stack.
  cost([x, y], kind, text, beside = kind === "attack") {
    if (beside) [x, y] = [x - 21, y - 21];
    const group = this.stage.make("g", { class: `cost ${kind}`, transform: `translate(${x},${y})` });
    if (kind === "risk") group.append(this.stage.make("path", { d: "M0-12L12.5 9.5H-12.5Z" }));
    else if (kind === "attack") group.append(this.stage.make("rect", { x: -13, y: -9, width: 26, height: 18, rx: 9 }));
    else group.append(this.stage.make("circle", { r: 10 }));
    const words = this.stage.make("text", { y: kind === "risk" ? 7 : 4.6, "font-size": kind === "risk" ? 11 : 13 });
    words.textContent = kind === "attack" ? `!${text}` : text;
    group.append(words);
    this.stage.over.append(group);
    return group;
  }

  // Around a piece that lies on the stage.
  ring(item, kind) {
    const box = item.node.querySelector(".counter, .card") || item.node;
    const { x, y, width, height } = box.getBBox();
    const rect = this.stage.make("rect", {
      x: x - 1.5, y: y - 1.5, width: width + 3, height: height + 3, rx: 6,
      class: `ring ${kind}`, transform: item.node.getAttribute("transform"),
    });
    this.stage.over.append(rect);
    return rect;
  }

  // Where a piece stood, and the way it went; `slot` is the end of its owner's class.
  trail(points, slot, { retreat = false } = {}) {
    if (points.length < 2) return null;
    const group = this.stage.make("g", { class: "trail" });
    const [x, y] = points[0];
    group.append(this.stage.make("rect", { x: x - 18, y: y - 18, width: 36, height: 36, rx: 5, class: `ghost b${slot}` }));
    this.way(group, points, `b${slot}`, `d${slot}`, 3, retreat);
    this.stage.under.append(group);
    return group;
  }

  // The way of an order in the draft.
  plan(points, kind = "drafted") {
    if (points.length < 2) return null;
    const group = this.stage.make("g", { class: `plan ${kind}` });
    this.way(group, points, "", "", 4, kind === "supposed");
    this.stage.over.append(group);
    return group;
  }

  way(group, points, stroke, fill, width, dashed) {
    const last = points.length - 1, [bx, by] = points[last], [ax, ay] = points[last - 1];
    const long = Math.hypot(bx - ax, by - ay) || 1, ux = (bx - ax) / long, uy = (by - ay) / long;
    const end = [bx - 15 * ux, by - 15 * uy];
    const d = Marks.curve([...points.slice(0, last), end]);
    const head = `M${bx - 3 * ux} ${by - 3 * uy}L${bx - 16 * ux - 7 * uy} ${by - 16 * uy + 7 * ux}L${bx - 16 * ux + 7 * uy} ${by - 16 * uy - 7 * ux}Z`;
    group.append(
      this.stage.make("path", { d, class: "way-casing", "stroke-width": width + 3 }), this.stage.make("path", { d: head, class: "way-casing", "stroke-width": 3 }),
      this.stage.make("path", { d, class: `way ${stroke}`, "stroke-width": width, ...(dashed ? { "stroke-dasharray": "8 5" } : {}) }), this.stage.make("path", { d: head, class: `way-head ${fill}` }),
    );
  }

  // Through the middles between its points, so that a way along hexes bends like a road.
  static curve(points) {
    if (points.length < 3) return `M${points[0].join(" ")}L${points[points.length - 1].join(" ")}`;
    const half = (a, b) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    let d = `M${points[0].join(" ")}`;
    for (let k = 1; k < points.length - 1; k++) d += `Q${points[k].join(" ")} ${half(points[k], points[k + 1]).join(" ")}`;
    return `${d}L${points[points.length - 1].join(" ")}`;
  }

  // An attack: a short arrow on the hexside, between the counters.
  assault([ax, ay], [bx, by]) {
    const long = Math.hypot(bx - ax, by - ay) || 1, ux = (bx - ax) / long, uy = (by - ay) / long;
    const mx = (ax + bx) / 2, my = (ay + by) / 2;
    const tip = `M${mx + 9 * ux} ${my + 9 * uy}L${mx - 7 * ux - 9 * uy} ${my - 7 * uy + 9 * ux}L${mx - 7 * ux + 9 * uy} ${my - 7 * uy - 9 * ux}Z`;
    const arrow = this.stage.make("path", { d: tip, class: "assault" });
    this.stage.over.append(arrow);
    return arrow;
  }

  // The odds of an attack, on that side of its hex that nothing comes from.
  odds([x, y], from, text, number = "") {
    const away = from.reduce(([sx, sy], [fx, fy]) => [sx + x - fx, sy + y - fy], [0, 0]);
    const long = Math.hypot(...away) || 1, wide = 18 + 8 * text.length + (number ? 18 : 0);
    const cx = x + (away[0] / long) * 40 - (number ? 6 : 0), cy = y + (away[1] / long || 1) * 30;
    const group = this.stage.make("g", { class: "odds", transform: `translate(${cx},${cy})` });
    group.append(this.stage.make("rect", { x: -wide / 2, y: -11, width: wide, height: 22, rx: 11 }));
    if (number) {
      const disc = this.stage.make("text", { x: -wide / 2 + 12, y: 5, "font-size": 13 });
      disc.textContent = number;
      group.append(this.stage.make("path", { d: `M${22 - wide / 2}-11V11` }), disc);
    }
    const words = this.stage.make("text", { x: number ? 11 : 0, y: 5, "font-size": 14 });
    words.textContent = text;
    group.append(words);
    this.stage.over.append(group);
    return group;
  }

  // A die as it fell: up to six with pips, above that a lozenge with its number.
  static die(value, of = 6, size = 28) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const put = (name, attributes, text = "") => {
      const made = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const [key, one] of Object.entries(attributes)) made.setAttribute(key, one);
      made.textContent = text;
      svg.append(made);
    };
    for (const [key, one] of Object.entries({ class: "die", width: size, height: size, viewBox: "0 0 28 28", role: "img", "aria-label": `${value}` })) svg.setAttribute(key, one);
    if (of !== 6) {
      put("path", { d: "M14 1L27 14L14 27L1 14Z", class: "die-face" });
      put("text", { x: 14, y: 18.6, "text-anchor": "middle", "font-size": 13, "font-weight": 700, class: "die-pip" }, `${value}`);
      return svg;
    }
    put("rect", { x: 1.5, y: 1.5, width: 25, height: 25, rx: 5, class: "die-face" });
    const [a, b, c] = [8, 14, 20];
    const pips = { 1: [[b, b]], 2: [[a, a], [c, c]], 3: [[a, a], [b, b], [c, c]], 4: [[a, a], [a, c], [c, a], [c, c]], 5: [[a, a], [a, c], [b, b], [c, a], [c, c]], 6: [[a, a], [a, b], [a, c], [c, a], [c, b], [c, c]] };
    for (const [cx, cy] of pips[value] || []) put("circle", { cx, cy, r: 2.6, class: "die-pip" });
    return svg;
  }
}
