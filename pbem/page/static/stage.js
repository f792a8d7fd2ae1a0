"use strict";
// The table on the screen: a drawn base, things that lie on it, pan and zoom. Shared by the page and the replay.
const SVG = "http://www.w3.org/2000/svg";

class Stage {
  constructor(host, options = {}) {
    this.host = host;
    this.options = options;
    this.items = new Map();
    this.box = [0, 0, 100, 100];
    this.svg = this.make("svg", { role: "img", "aria-label": "the board", tabindex: "0", class: "stage" });
    this.svg.append(this.make("defs", {}, this.make("pattern", { id: "mark-hatch", width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, this.make("path", { d: "M0 0V7", class: "hatch-line" }))));
    this.defs = this.svg.appendChild(this.make("g"));
    this.base = this.svg.appendChild(this.make("g"));
    this.under = this.svg.appendChild(this.make("g"));
    this.layer = this.svg.appendChild(this.make("g"));
    this.over = this.svg.appendChild(this.make("g", { "pointer-events": "none" }));
    host.append(this.svg);
    this.listen();
  }

  make(name, attributes = {}, ...children) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  // Markup comes from our own renderer, which has escaped every name in it.
  fill(element, markup) {
    const read = new DOMParser().parseFromString(`<svg xmlns="${SVG}">${markup}</svg>`, "image/svg+xml");
    element.replaceChildren(...Array.from(read.documentElement.childNodes, (node) => document.importNode(node, true)));
  }

  setBase(defs, markup) {
    this.fill(this.defs, defs);
    this.fill(this.base, markup);
    Relief.shade(this.base);
  }

  setSize(width, height) { this.size = [width, height]; }

  // spot: [markup, x, y, z, scale, turn, place]
  put(id, spot) {
    const [markup, x, y, z, scale = 1, turn = 0, place = ""] = spot;
    let item = this.items.get(id);
    if (!item) {
      item = { id, node: this.make("g", { "data-id": id }) };
      this.items.set(id, item);
    }
    if (item.markup !== markup) { this.fill(item.node, markup); item.markup = markup; }
    let move = `translate(${x},${y})`;
    if (scale !== 1) move += ` scale(${scale})`;
    if (turn) move += ` rotate(${turn})`;
    item.node.setAttribute("transform", move);
    if (item.z !== z || !item.node.parentNode) {
      item.z = z;
      this.insert(item);
    }
    Object.assign(item, { x, y, scale, turn, place });
  }

  insert(item) {
    item.node.remove();
    item.node.pbemZ = item.z;
    const nodes = this.layer.childNodes;
    let low = 0, high = nodes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (nodes[middle].pbemZ <= item.z) low = middle + 1; else high = middle;
    }
    this.layer.insertBefore(item.node, nodes[low] || null);
  }

  drop(id) {
    const item = this.items.get(id);
    if (item) { item.node.remove(); this.items.delete(id); }
  }

  clear() {
    this.items.clear();
    this.layer.replaceChildren();
    this.over.replaceChildren();
    this.under.replaceChildren();
  }

  arrow(points, colour, dashed = false) {
    if (points.length < 2) return;
    const d = "M" + points.map((p) => `${p[0]} ${p[1]}`).join("L");
    const [a, b] = points.slice(-2);
    const long = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const [ux, uy] = [(b[0] - a[0]) / long, (b[1] - a[1]) / long];
    const tip = `M${b[0]} ${b[1]}L${b[0] - 13 * ux - 7 * uy} ${b[1] - 13 * uy + 7 * ux}L${b[0] - 13 * ux + 7 * uy} ${b[1] - 13 * uy - 7 * ux}Z`;
    const line = this.make("path", { d, fill: "none", stroke: colour, "stroke-width": 5, "stroke-opacity": 0.85, "stroke-linejoin": "round" });
    if (dashed) line.setAttribute("stroke-dasharray", "9 6");
    this.over.append(line, this.make("path", { d: tip, fill: colour }));
  }

  // A way that was gone: a dotted ghost where it began, a line in the owner's colour with a light casing that
  // bends as a road does and ends at the edge of who came; under the pieces.
  trail(points, slot = "x", dashed = false) {
    if (points.length < 2) return;
    const [a, b] = points.slice(-2), long = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const [ux, uy] = [(b[0] - a[0]) / long, (b[1] - a[1]) / long], back = (far) => [b[0] - far * ux, b[1] - far * uy];
    const [tx, ty] = back(17), [ex, ey] = back(29);
    const head = `M${tx} ${ty}L${ex - 7.5 * uy} ${ey + 7.5 * ux}L${ex + 7.5 * uy} ${ey - 7.5 * ux}Z`;
    const d = this.bent([...points.slice(0, -1), back(27)]);
    this.under.append(
      this.make("rect", { x: points[0][0] - 17, y: points[0][1] - 17, width: 34, height: 34, rx: 5, class: `ghost b${slot}` }),
      this.make("path", { d, class: "trail-case" }), this.make("path", { d: head, class: "trail-case" }),
      this.make("path", { d, class: `trail b${slot}${dashed ? " dashed" : ""}` }), this.make("path", { d: head, class: `d${slot}` }),
    );
  }

  bent(points) {
    let d = `M${points[0].join(" ")}`;
    for (let k = 1; k < points.length - 1; k++) {
      const [x, y] = points[k], next = points[k + 1];
      d += `Q${x} ${y} ${(x + next[0]) / 2} ${(y + next[1]) / 2}`;
    }
    return `${d}L${points[points.length - 1].join(" ")}`;
  }

  ring(item, colour, dashed = false) {
    const box = item.node.getBBox(), half = 1.5;
    const rect = this.make("rect", {
      x: box.x - half, y: box.y - half, width: box.width + 2 * half, height: box.height + 2 * half, rx: 5,
      fill: "none", stroke: colour, "stroke-width": 3.2, transform: item.node.getAttribute("transform"),
    });
    if (dashed) rect.setAttribute("stroke-dasharray", "5 4");
    this.over.append(rect);
    return rect;
  }

  // --- pan and zoom

  show(x, y, width, height) {
    this.box = [x, y, width, height];
    const scale = Math.min(this.host.clientWidth / width, this.host.clientHeight / height);
    this.svg.dataset.zoom = [0.5, 0.6, 0.9, 1.2].filter((from) => scale >= from).length;
    this.svg.setAttribute("viewBox", this.box.map((v) => v.toFixed(1)).join(" "));
    if (this.options.seen) this.options.seen();
  }

  fit() { this.show(0, 0, this.size[0] || 100, this.size[1] || 100); }

  // Bring a spot into sight without changing the zoom.
  reveal(x, y) {
    const [left, top, w, h] = this.box;
    if (x < left || y < top || x > left + w || y > top + h) this.show(x - w / 2, y - h / 2, w, h);
  }

  near(x, y, span) {
    const ratio = this.host.clientHeight / Math.max(this.host.clientWidth, 1) || 1;
    const within = (from, whole, part) => Math.max(0, Math.min(from, whole - part));
    this.show(within(x - span / 2, this.size[0], span), within(y - span * ratio / 2, this.size[1], span * ratio), span, span * ratio);
  }

  // The same, in a short movement of the camera.
  glide(x, y, span, time) {
    const from = [...this.box], start = performance.now(), run = this.gliding = Symbol("glide");
    this.near(x, y, span);
    const to = [...this.box];
    this.show(...from);
    const frame = (now) => {
      if (run !== this.gliding) return;
      const part = Math.min(1, (now - start) / Math.max(1, time)), eased = part * part * (3 - 2 * part);
      this.show(...from.map((value, at) => value + (to[at] - value) * eased));
      if (part < 1) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  point(event) {
    const matrix = this.svg.getScreenCTM();
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return [at.x, at.y];
  }

  zoom(factor, centre) {
    const [x, y, w, h] = this.box;
    const [cx, cy] = centre || [x + w / 2, y + h / 2];
    const most = Math.max(...this.size) * 2.5, width = Math.min(Math.max(w / factor, 120), most);
    const part = width / w;
    this.show(cx - (cx - x) * part, cy - (cy - y) * part, width, h * part);
  }

  pan(dx, dy) {
    const [x, y, w, h] = this.box;
    this.show(x + dx * w, y + dy * h, w, h);
  }

  listen() {
    const fingers = new Map();
    let moved = 0, pinch = 0, grabbed = false;
    this.svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, this.point(event));
    }, { passive: false });
    this.svg.addEventListener("pointerdown", (event) => {
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      if (fingers.size === 1) { moved = 0; grabbed = Boolean(this.options.grab && this.options.grab(event)); }
    });
    const held = (event) => {
      if (!fingers.has(event.pointerId)) return;
      const before = fingers.get(event.pointerId), now = [event.clientX, event.clientY];
      fingers.set(event.pointerId, now);
      if (fingers.size === 1) {
        moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
        if (moved > 4 && grabbed) this.options.drag(event, this.point(event));
        else if (moved > 4) {
          const matrix = this.svg.getScreenCTM();
          const [x, y, w, h] = this.box;
          this.show(x - (now[0] - before[0]) / matrix.a, y - (now[1] - before[1]) / matrix.d, w, h);
        }
      } else {
        const [one, two] = Array.from(fingers.values());
        const apart = Math.hypot(one[0] - two[0], one[1] - two[1]);
        if (pinch) this.zoom(apart / pinch, this.point({ clientX: (one[0] + two[0]) / 2, clientY: (one[1] + two[1]) / 2 }));
        pinch = apart;
        moved = 99;
      }
    };
    const left = (event) => {
      if (fingers.delete(event.pointerId) && grabbed && !fingers.size) { grabbed = false; this.options.drop(event, this.point(event)); }
      if (fingers.size < 2) pinch = 0;
    };
    window.addEventListener("pointermove", held);
    window.addEventListener("pointerup", left);
    window.addEventListener("pointercancel", left);
    this.svg.addEventListener("click", (event) => {
      if (moved <= 4 && this.options.click) this.options.click(event, this.point(event));
    });
  }
}
