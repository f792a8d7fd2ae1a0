"use strict";
// What happened, as a film on the board. Shared by the page ("since you last looked") and the replay.
// A film has frames (what lies where from then on) and, in each, events: sentences with their fields
// (path, units, dice, place). Frames are what is true; events say how to get from one to the next.
/* global Stage, SVG */

// A die as it lies on the table: pips up to six, a number on a diamond beyond.
function drawDie(value, sides = 6, size = 24) {
  const make = Stage.prototype.make;
  const svg = make("svg", { class: "die", viewBox: "0 0 24 24", width: size, height: size, role: "img", "aria-label": `${value} of ${sides}` });
  if (sides !== 6) {
    svg.append(make("path", { d: "M12 1L23 12L12 23L1 12Z", class: "die-face" }));
    const text = make("text", { x: 12, y: 16.2, "text-anchor": "middle", "font-size": 11, class: "die-number" });
    text.textContent = value;
    svg.append(text);
    return svg;
  }
  svg.append(make("rect", { x: 1.5, y: 1.5, width: 21, height: 21, rx: 4.5, class: "die-face" }));
  const spots = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] }[value] || [];
  for (const spot of spots) svg.append(make("circle", { cx: 6.5 + 5.5 * (spot % 3), cy: 6.5 + 5.5 * Math.floor(spot / 3), r: 2.1, class: "die-pip" }));
  return svg;
}

class Film {
  // film: {looks, bases, defs, places, frames}; on: {beat(beat), end()}; host: where the controls stand.
  constructor(stage, film, host, on = {}) {
    Object.assign(this, { stage, film, host, on, at: -1, speed: 1, playing: false, run: 0, base: -1, done: -1 });
    this.still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.beats = film.frames.flatMap((frame, number) => (number ? this.cut(frame, number) : [{ kind: "begin", frame: 0, events: frame.events, moves: [], dice: [] }]));
    this.beats = this.beats.filter((beat, at) => !at || beat.events.length || this.changes(film.frames[beat.frame]));
    this.controls();
  }

  // One frame as beats: moves together, each throw by itself, then what else changed on the table.
  cut(frame, number) {
    const beats = [];
    let now = null;
    const open = (kind) => {
      now = { kind, frame: number, events: [], moves: [], dice: [], after: beats.some((beat) => beat.kind === "dice") };
      beats.push(now);
    };
    for (const event of frame.events) {
      const kind = event.dice && event.dice.length ? "dice" : event.path ? "move" : "say";
      if (!now || (kind === "move" && now.kind === "dice") || (kind === "dice" && now.events.length) || (kind === "move" && now.kind === "say")) open(kind);
      now.events.push(event);
      if (event.path) now.moves.push(event);
      if (kind === "dice") { now.kind = "dice"; now.dice.push(...event.dice); } else if (kind === "move" && now.kind === "say") now.kind = "move";
    }
    if (!now) open("say");
    now.settles = true;
    return beats;
  }

  changes(frame) { return frame.del.some((id) => !id.includes(":")) || Object.keys(frame.set).some((id) => !id.includes(":")); }

  // --- the table at a frame

  spots(upTo) {
    const spots = new Map();
    for (let n = 0; n <= upTo; n++) {
      const frame = this.film.frames[n];
      for (const id of frame.del) spots.delete(id);
      for (const [id, spot] of Object.entries(frame.set)) spots.set(id, spot);
    }
    return spots;
  }

  lay(number) {
    const spots = this.spots(number), frame = this.film.frames[number];
    for (let n = number; n >= 0; n--) if (this.film.frames[n].size) { this.stage.setSize(...this.film.frames[n].size); break; }
    if (this.base !== frame.base) { this.base = frame.base; this.stage.setBase(this.film.defs, this.film.bases[frame.base]); }
    for (const id of [...this.stage.items.keys()]) if (!spots.has(id)) this.stage.drop(id);
    for (const [id, spot] of spots) this.put(id, spot);
  }

  put(id, spot) { this.stage.put(id, [this.film.looks[spot[0]], spot[1], spot[2], spot[3], spot[4], spot[5]]); }

  // --- going through it

  async go(to, moving = true) {
    const run = ++this.run, target = Math.max(0, Math.min(this.beats.length - 1, to));
    const beat = this.beats[target], next = moving && target === this.at + 1 && !this.still;
    if (!next) this.lay(this.after(beat));
    else if (this.done !== this.at) this.lay(this.at < 0 ? 0 : this.after(this.beats[this.at])); // the last one was cut short
    this.at = target;
    this.tell(beat);
    this.trails(target);
    this.strip(beat, next);
    if (next) await this.act(beat, run);
    if (run === this.run) this.done = target;
    return run === this.run;
  }

  // The frame that lies on the table after a beat.
  after(beat) { return beat.settles || beat.kind === "begin" ? beat.frame : beat.frame - 1; }

  async play() {
    this.playing = true;
    this.mark();
    while (this.playing && this.at < this.beats.length - 1) {
      if (!(await this.go(this.at + 1))) return;
      if (this.still) await this.wait(900);
    }
    if (this.playing) this.pause();
    if (this.at === this.beats.length - 1 && this.on.end) this.on.end();
  }

  pause() { this.playing = false; this.mark(); }
  toggle() { if (this.playing) this.pause(); else if (this.at === this.beats.length - 1) this.again(); else this.play(); }
  again() { this.run++; this.at = this.done = -1; this.lay(0); this.stage.under.replaceChildren(); return this.play(); }
  step(by) { this.pause(); return this.go(this.at + by); }
  skip() { this.pause(); this.run++; this.go(this.beats.length - 1, false); if (this.on.end) this.on.end(); }
  end() { this.playing = false; this.run++; this.host.replaceChildren(); this.host.hidden = true; }

  battle() {
    const next = this.beats.findIndex((beat, at) => at > this.at && beat.kind === "dice");
    if (next >= 0) { this.pause(); this.go(next, false); }
  }

  wait(ms) { return new Promise((done) => { setTimeout(done, ms / this.speed); }); }

  // --- one beat

  async act(beat, run) {
    this.look(beat);
    if (beat.moves.length) await this.slide(beat);
    if (run !== this.run) return;
    if (beat.dice.length) await this.wait(1500);
    if (run !== this.run) return;
    if (beat.settles) await this.settle(beat.frame, run);
    else if (!beat.moves.length && !beat.dice.length) await this.wait(700);
  }

  // Counters go their ways: one after the other while that takes no more than four seconds, together beyond.
  async slide(beat) {
    const spots = this.spots(beat.frame), ways = beat.moves.flatMap((event) => event.units.map((id) => [id, event.path])).filter(([id]) => this.stage.items.has(id));
    if (!ways.length) { await this.wait(500); return; }
    const each = 350, gap = Math.min(each, Math.max(0, (4000 - each) / Math.max(1, ways.length - 1)));
    const done = ways.map(([id, path], number) => {
      const last = ways.findLastIndex((way) => way[0] === id) === number, spot = spots.get(id);
      const points = path.map((place) => this.film.places[place]).filter(Boolean);
      if (last && spot) points.splice(Math.max(0, points.length - 1), 1, [spot[1], spot[2]]);
      return this.move(id, points, each + 90 * Math.max(0, points.length - 2), number * gap);
    });
    await Promise.all(done);
  }

  async move(id, points, time, after = 0) {
    const item = this.stage.items.get(id);
    if (!item || !points.length) return;
    this.stage.layer.append(item.node);
    const at = ([x, y]) => ({ transform: `translate(${x}px,${y}px) scale(${item.scale})` });
    const frames = [[item.x, item.y], ...points.slice(points.length > 1 ? 1 : 0)].map(at);
    const going = item.node.animate(frames, { duration: time / this.speed, delay: after / this.speed, easing: "ease-in-out", fill: "both" });
    await going.finished.catch(() => {});
    const [x, y] = points[points.length - 1];
    Object.assign(item, { x, y });
    item.node.setAttribute("transform", `translate(${x},${y})${item.scale !== 1 ? ` scale(${item.scale})` : ""}`);
    going.cancel();
  }

  // What else is different: a counter goes without a told way, is turned over, is gone, is new.
  async settle(number, run) {
    const spots = this.spots(number), todo = [], changed = [];
    for (const [id, item] of this.stage.items) {
      const spot = spots.get(id);
      if (!spot) { todo.push(this.fade(item)); continue; }
      if (Math.hypot(spot[1] - item.x, spot[2] - item.y) > 2 && !id.includes(":")) todo.push(this.move(id, [[item.x, item.y], [spot[1], spot[2]]], 500));
      else if (item.markup !== this.film.looks[spot[0]] && !id.includes(":")) changed.push([item, spot]);
    }
    if (changed.length < 40) todo.push(...changed.map(([item, spot]) => this.turn(item, spot)));
    if (todo.length) await Promise.all(todo);
    if (run === this.run) this.lay(number);
    await this.wait(todo.length ? 200 : 500);
  }

  async fade(item) {
    await item.node.animate([{ opacity: 1 }, { opacity: 0 }], { duration: 300 / this.speed, fill: "forwards" }).finished.catch(() => {});
  }

  async turn(item, spot) {
    const at = (wide) => ({ transform: `translate(${item.x}px,${item.y}px) scale(${item.scale * wide},${item.scale}) rotate(${wide ? spot[5] || 0 : 0}deg)` });
    const half = 150 / this.speed;
    await item.node.animate([at(1), at(0)], { duration: half }).finished.catch(() => {});
    this.put(item.id, spot);
    await item.node.animate([at(0), at(1)], { duration: half }).finished.catch(() => {});
  }

  // The camera moves only if the action is not in the middle of what is seen.
  look(beat) {
    const places = beat.events.flatMap((event) => [...(event.path || []), event.place]).map((place) => this.film.places[place]).filter(Boolean);
    if (!places.length) return;
    const [x, y, w, h] = this.stage.box;
    const inside = places.every(([px, py]) => Math.abs(px - x - w / 2) < 0.35 * w && Math.abs(py - y - h / 2) < 0.35 * h);
    if (inside) return;
    const xs = places.map((one) => one[0]), ys = places.map((one) => one[1]);
    const span = Math.max(w, (Math.max(...xs) - Math.min(...xs)) * 1.5, ((Math.max(...ys) - Math.min(...ys)) * 1.5 * w) / h);
    this.stage.glide((Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2, span, 250 / this.speed);
  }

  // The ways that led here stay on the board: since the last throw, or of the phase.
  trails(at) {
    this.stage.over.replaceChildren();
    this.stage.under.replaceChildren();
    let first = at;
    while (first > 0 && this.beats[first - 1].kind !== "dice" && at - first < 8) first--;
    for (let n = first; n <= at; n++) for (const event of this.beats[n].moves) this.trail(event, this.beats[n].after);
  }

  // Who goes after a throw retreats or advances: dashed.
  trail(event, after) {
    this.stage.trail(event.path.map((place) => this.film.places[place]).filter(Boolean), event.slot, after);
  }

  // --- words and controls

  sentence(event) {
    const row = document.createElement("p");
    for (const part of event.parts || [event.text]) {
      if (typeof part === "string") row.append(part);
      else row.append(drawDie(...(event.dice[part] || ["?", 0]), 20));
    }
    if (event.dice && event.dice.length && !(event.parts || []).some((part) => typeof part !== "string")) row.append(" ", ...event.dice.map(([value, sides]) => drawDie(value, sides, 20)));
    return row;
  }

  tell(beat) {
    this.mark();
    if (this.on.beat) this.on.beat(beat, this.at);
  }

  // Dice fall in a strip at the lower edge, never on the units.
  strip(beat, falling) {
    const said = beat.events.slice(-3).map((event) => this.sentence(event));
    this.said.replaceChildren(...said);
    this.thrown.replaceChildren(...beat.dice.map(([value, sides]) => drawDie(value, sides, 44)));
    if (!falling) return;
    for (const [number, die] of [...this.thrown.children].entries()) {
      die.animate([{ transform: "translateY(-60px) rotate(-220deg)", opacity: 0 }, { transform: "translateY(6px) rotate(20deg)", opacity: 1, offset: 0.7 }, { transform: "none", opacity: 1 }], { duration: 900 / this.speed, delay: 80 * number, easing: "ease-in", fill: "backwards" });
    }
  }

  controls() {
    const make = (name, className, text) => { const made = document.createElement(name); made.className = className; if (text) made.textContent = text; return made; };
    const press = (text, title, act, className = "") => { const made = make("button", className, text); made.type = "button"; made.title = title; made.setAttribute("aria-label", title); made.onclick = act; return made; };
    this.thrown = make("div", "thrown");
    this.said = make("div", "said");
    this.said.setAttribute("aria-live", "polite");
    this.pausing = press("❚❚", "pause (space)", () => this.toggle(), "main play");
    this.slider = make("input", "beats");
    Object.assign(this.slider, { type: "range", min: 0, max: Math.max(0, this.beats.length - 1), oninput: () => { this.pause(); this.go(Number(this.slider.value), false); } });
    this.slider.setAttribute("aria-label", "step");
    this.speeds = [0.5, 1, 2, 4].map((speed) => press(speed === 0.5 ? "½" : `${speed}×`, `speed ${speed}`, () => { this.speed = speed; this.mark(); }, "speed"));
    const strip = make("div", "strip"), drive = make("div", "drive"), speeds = make("div", "speeds");
    strip.append(this.thrown, this.said);
    speeds.append(...this.speeds);
    drive.append(
      press("|◀", "first step (Home)", () => { this.pause(); this.go(0, false); }), press("‹", "one step back (←)", () => { this.pause(); this.go(this.at - 1, false); }),
      this.pausing, press("›", "one step on (→)", () => this.step(1)), press("▶|", "last step (End)", () => { this.pause(); this.go(this.beats.length - 1, false); }),
      this.slider, speeds, press("Again", "play it again", () => this.again(), "again"),
    );
    this.host.replaceChildren(strip, drive);
    this.host.hidden = false;
  }

  mark() {
    this.slider.value = this.at;
    this.pausing.textContent = this.playing ? "❚❚" : "▶";
    for (const [number, one] of this.speeds.entries()) one.setAttribute("aria-pressed", String([0.5, 1, 2, 4][number] === this.speed));
  }

  // What a key does while a film is on; false if it is not the film's.
  key(name) {
    const act = {
      " ": () => this.toggle(), ArrowRight: () => this.step(1), ArrowLeft: () => { this.pause(); this.go(this.at - 1, false); },
      Home: () => { this.pause(); this.go(0, false); }, End: () => { this.pause(); this.go(this.beats.length - 1, false); },
      b: () => this.battle(), B: () => this.battle(), PageDown: () => { this.pause(); this.go(this.at + 10, false); }, PageUp: () => { this.pause(); this.go(this.at - 10, false); },
    }[name];
    if (act) act();
    return Boolean(act);
  }
}
