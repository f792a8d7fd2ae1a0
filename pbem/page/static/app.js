"use strict";
// The page: everything it knows comes from the server, which knows what this player may know. Nothing is judged here.
(() => {
  const $ = (id) => document.getElementById(id);
  const state = { game: "", lines: [], picks: [], verb: "", looks: [], base: "", at: {}, boxes: {}, pieces: {}, frame: null, next: null, plan: null, fingerprint: "", whole: false, entry: null, names: "both" };
  let session = "", stage, ticket = null, acting = null;

  // --- talking to the server

  async function ask(path, data = {}) {
    let answer;
    try {
      answer = await fetch(`/api/${path}`, {
        method: "POST", cache: "no-store", credentials: "omit", redirect: "error",
        headers: { "Content-Type": "application/json", "X-Pbem-Session": session },
        body: JSON.stringify(data),
      });
    } catch (error) {
      throw new Error("pbem does not run any more: start `pbem open` again");
    }
    const told = await answer.json();
    if (!answer.ok) {
      const problem = new Error([told.error, told.rule && `(rule ${told.rule})`, told.hint && `— ${told.hint}`].filter(Boolean).join(" "));
      problem.status = answer.status;
      problem.told = told;
      throw problem;
    }
    return told;
  }

  function trouble(error) {
    $("problem").textContent = error ? error.message : "";
    $("problem").hidden = !error;
  }

  let busy = 0;

  function working(more) {
    busy += more;
    document.body.setAttribute("aria-busy", String(busy > 0));
  }

  const careful = (work) => async (...args) => {
    working(1);
    try { trouble(null); return await work(...args); } catch (error) { trouble(error); } finally { working(-1); }
  };

  function element(name, text, attributes = {}) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  function button(text, act, className = "") {
    const made = element("button", text, { type: "button" });
    if (className) made.className = className;
    made.addEventListener("click", act);
    return made;
  }

  // --- the list of games

  async function games() {
    const told = await ask("games");
    state.game = "";
    $("table").hidden = true;
    $("list").hidden = false;
    $("title").textContent = "pbem";
    $("headline").textContent = "";
    document.title = "pbem";
    $("games").replaceChildren(...told.games.map((game) => {
      const row = element("li");
      if (game.problem) { row.textContent = `${game.name}: ${game.problem}`; return row; }
      const mine = game.asked.some((one) => one.seat === game.seat);
      const text = `${game.name} — ${game.title}, ${game.headline}. ${whose(game)}`;
      row.append(button(text, careful(() => open(game.name)), mine ? "yours" : ""));
      return row;
    }));
    await practice();
    if (!told.games.length) $("games").append(element("li", "You have no games yet: `pbem new GAME` invites someone, `pbem practice GAME` plays against the bot."));
  }

  // --- practice

  const options = (id, rows) => $(id).replaceChildren(...rows.map(([value, text]) => element("option", text, { value })));
  const chosen = () => state.available.find((game) => game.name === $("which").value);
  const chairs = () => options("as", chosen().scenarios.find((one) => one.id === $("scenario").value).seats.map((seat) => [seat, `as ${seat}`]));
  const scenarios = () => { options("scenario", chosen().scenarios.map((one) => [one.id, one.title])); chairs(); };

  async function practice() {
    if (state.available) return;
    state.available = (await ask("available")).games;
    if (!state.available.length) return;
    options("which", state.available.map((game) => [game.name, game.title]));
    scenarios();
  }

  function whose(game) {
    if (game.outcome) return `Over: ${game.outcome}`;
    if (!game.asked.length) return "Nobody is asked here: the others' entries are awaited.";
    return game.asked.map((one) => `${one.seat === game.seat ? "YOU" : one.seat}: ${one.what}${one.deadline ? `, until ${one.deadline}` : ""}`).join(" · ");
  }

  async function open(name) {
    Object.assign(state, { game: name, picks: [], verb: "", base: "", entry: null, fingerprint: "", whole: false });
    $("list").hidden = true;
    $("table").hidden = false;
    stage.clear();
    const told = await ask("status", { game: name });
    state.lines = told.draft.split("\n").filter((line) => line.trim());
    standing(told);
    await refresh(true);
  }

  function standing(told) {
    state.fingerprint = told.fingerprint;
    state.seat = told.seat;
    const mine = told.asked.some((one) => one.seat === told.seat);
    $("title").textContent = told.title;
    $("headline").textContent = `${told.headline} · ${told.seat ? `you are ${told.seat}` : "you watch"} · ${whose(told)}`;
    document.title = `${mine ? "● your turn" : told.outcome ? "over" : "waiting"} · ${told.rules}`;
    $("fingerprint").textContent = `fingerprint after entry ${told.entries}: ${told.fingerprint}`;
    state.asked = mine;
  }

  // --- the board

  async function refresh(fit = false) {
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
    if (own.length) stage.near(own[0].x, own[0].y, state.hexes ? 420 : 560);
  }

  // --- what may be chosen

  async function offer() {
    state.next = null;
    const live = state.entry === null && !state.whole;
    if (live && state.plan && state.plan.ask) {
      const told = await ask("next", { game: state.game, lines: state.lines, picks: state.picks, verb: state.verb }).catch((error) => {
        if (error.status === 409) return null;
        throw error;
      });
      state.next = told;
    }
    paint();
  }

  const places = () => ({ ...state.at, ...Object.fromEntries(Object.entries(state.boxes).map(([id, b]) => [id, [b[0] + b[2] / 2, b[1] + b[3] / 2]])) });

  function paint() {
    stage.over.replaceChildren();
    stage.under.replaceChildren();
    $("menu").hidden = true;
    const plan = state.plan, next = state.next;
    $("banner").hidden = !(plan && plan.steps.some((step) => step.supposed)) && state.entry === null;
    $("banner").textContent = state.entry !== null ? `as it stood after entry ${state.entry}` : "SUPPOSED: not what is";
    const spots = places();
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

  function words(next, offered) {
    const plan = state.plan;
    const asked = plan && plan.ask && state.entry === null && !state.whole;
    $("ask").textContent = !plan ? "" : asked ? `${plan.sealed ? "In secret: " : ""}${plan.ask}` : plan.stop ? `${plan.stop}.` : "";
    $("type").hidden = !asked;
    $("picks").replaceChildren(...state.picks.map((pick) => button(`${pick} ×`, careful(() => unpick(pick)), "picked")));
    if (!next) { for (const id of ["verbs", "complete", "words"]) $(id).replaceChildren(); return; }
    const verbs = [...new Set(next.offered.flatMap((one) => one[1]).concat(next.complete.map((one) => one.order.split(" ")[0])))];
    $("verbs").replaceChildren(...(verbs.length > 1 || state.verb ? verbs : []).map((verb) => button(verb, careful(() => { state.verb = state.verb === verb ? "" : verb; return offer(); }), state.verb === verb ? "picked" : "")));
    $("complete").replaceChildren(...next.complete.flatMap((one) => {
      const made = [button(`add: ${one.order}${one.cost ? ` (cost ${one.cost}, ${one.left} left)` : ""}`, careful(() => add(one.order)))];
      if (one.odds) made.push(element("pre", one.odds));
      return made;
    }));
    const isPlace = (one) => one[0] in state.at || one[0] in state.boxes;
    const shown = [...offered.values()].filter((one) => one[1].length).sort((a, b) => isPlace(a) - isPlace(b));
    $("words").replaceChildren(...shown.slice(0, 150).map((one) => {
      const cost = next.costs[one[0]];
      return button(`${one[0]}${cost && cost[0] ? ` (${cost[0]})` : ""}`, careful(() => pick([one[0]])), cost && cost[1] ? "attack" : "");
    }));
    if (next.more || shown.length > 150) $("words").append(element("span", "… and more: choose on the board or type"));
  }

  async function pick(words) {
    let last = words[words.length - 1];
    for (const word of words) {
      const unit = word.includes("@") ? word.split("@")[0] : null;
      if (unit) state.picks = state.picks.filter((one) => one !== unit && !one.startsWith(`${unit}@`));
      state.picks.push(word);
    }
    await offer();
    const next = state.next;
    if (!next) return;
    const place = last.includes("@") ? null : (state.at[last] || state.boxes[last] || Object.values(state.pieces).some((piece) => piece[2] && piece[1].some((one) => one.includes(last)) && /hand|deck/.test(piece[0])));
    if (next.completes === 1 && place && !next.offered.length) await choose(next.complete[0], last);
    else if (next.completes >= 1 && place) menu(last, next);
  }

  async function choose(one, place) {
    if (one.odds) { menu(place, state.next); return; }
    await add(one.order);
  }

  function menu(place, next) {
    const spot = places()[place];
    const rows = next.complete.flatMap((one) => [button(one.order + (one.cost ? ` (cost ${one.cost})` : ""), careful(() => add(one.order))), ...(one.odds ? [element("pre", one.odds)] : [])]);
    if (!rows.length) return;
    $("menu").replaceChildren(...rows);
    $("menu").hidden = false;
    if (!spot) return;
    const matrix = stage.svg.getScreenCTM(), host = $("board").getBoundingClientRect();
    const left = spot[0] * matrix.a + matrix.e - host.left + 30, top = spot[1] * matrix.d + matrix.f - host.top + 34;
    $("menu").style.left = `${Math.max(4, Math.min(left, host.width - $("menu").offsetWidth - 8))}px`;
    $("menu").style.top = `${Math.max(4, Math.min(top, host.height - $("menu").offsetHeight - 8))}px`;
  }

  const unpick = async (word) => {
    const at = state.picks.lastIndexOf(word);
    if (at >= 0) state.picks.splice(at, 1);
    await offer();
  };

  const clear = async () => { state.picks = []; state.verb = ""; $("menu").hidden = true; await offer(); };

  // --- clicks on the board

  const clicked = careful(async (event, point) => {
    $("menu").hidden = true;
    const node = event.target.closest("[data-id]");
    const id = node ? node.getAttribute("data-id") : "";
    const piece = state.pieces[id];
    const offered = new Set((state.next ? state.next.offered.map((one) => one[0]) : []).concat(state.next ? state.next.implied : []));
    if (!state.next) { explain(piece, point); return; }
    const place = placeAt(point, piece);
    const bare = state.picks.find((one) => !one.includes("@") && offered.has(`${one}@${place}`));
    if (bare) { await pick([`${bare}@${place}`]); return; }
    if (piece && piece[1].length) {
      if (await pickPiece(piece, offered)) return;
      const others = piecesAt(piece[0]).filter((one) => one[1][1].some((words) => words.some((word) => offered.has(word))));
      if (others.length > 1) { stackMenu(others, offered, piece[0]); return; }
      if (others.length === 1 && (await pickPiece(others[0][1], offered))) return;
    }
    if (place && offered.has(place)) { await pick([place]); return; }
    if (state.picks.includes(place)) { await unpick(place); return; }
    refuse(piece, place);
  });

  // Where a click means nothing legal, ask the rules why: the order as far as it is known, tried as a line.
  function refuse(piece, place) {
    const verb = state.verb || (state.next.offered[0] && state.next.offered[0][1][0]) || "";
    const word = (piece && piece[1][0] && piece[1][0][0]) || place;
    if (!state.picks.length || !word) { explain(piece, null); return; }
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
    $("findings").textContent = wrong ? `${line}: ${wrong.reason}${wrong.rule ? ` (rule ${wrong.rule})` : ""}` : "";
  });

  async function pickPiece(piece, offered) {
    const held = new Set(state.picks);
    for (const alternative of [...piece[1]].reverse()) {
      const fresh = alternative.filter((word) => !held.has(word) || word.length < 3);
      if (fresh.length && fresh.every((word) => offered.has(word))) {
        if (piece[1].length > 1) state.picks = state.picks.filter((one) => !piece[1].some((words) => words[0] === one));
        await pick(fresh);
        return true;
      }
    }
    const chosen = piece[1].find((words) => words.every((word) => held.has(word)));
    if (chosen && piece[1].length > 1) {
      const at = piece[1].indexOf(chosen);
      state.picks = state.picks.filter((one) => one !== chosen[0]);
      if (at > 0) await pick([piece[1][at - 1][0]]); else await offer();
      return true;
    }
    if (chosen) { await unpick(chosen[0]); return true; }
    return false;
  }

  const piecesAt = (place) => Object.entries(state.pieces).filter(([, piece]) => piece[0] === place);

  function stackMenu(rows, offered, place) {
    $("menu").replaceChildren(...rows.map(([, piece]) => button(piece[2], careful(() => { $("menu").hidden = true; return pickPiece(piece, offered); }))));
    $("menu").hidden = false;
    const spot = places()[place], matrix = stage.svg.getScreenCTM(), host = $("board").getBoundingClientRect();
    $("menu").style.left = `${Math.max(4, Math.min(spot[0] * matrix.a + matrix.e - host.left + 30, host.width - 300))}px`;
    $("menu").style.top = `${Math.max(4, Math.min(spot[1] * matrix.d + matrix.f - host.top + 34, host.height - $("menu").offsetHeight - 8))}px`;
  }

  function placeAt(point, piece) {
    if (piece && (state.at[piece[0]] || state.boxes[piece[0]])) return piece[0];
    for (const [id, [x, y, w, h]] of Object.entries(state.boxes)) if (point[0] >= x && point[0] <= x + w && point[1] >= y && point[1] <= y + h) return id;
    let best = "", near = state.hexes ? 31 : 0;
    if (state.hexes) for (const [id, [x, y]] of Object.entries(state.at)) {
      const away = Math.hypot(point[0] - x, point[1] - y);
      if (away < near) { near = away; best = id; }
    }
    return best;
  }

  const explain = careful(async (piece, point) => {
    const word = piece && piece[1][0] ? piece[1][0][0] : point ? placeAt(point, piece) : piece ? piece[0] : "";
    if (!word || (!state.at[word] && !piece)) return;
    const told = await ask("book", { game: state.game, what: "place", words: word });
    $("findings").textContent = told.text;
  });

  // --- the draft

  let adding = false;

  async function add(line) {
    if (adding) return; // a second click on the same order
    adding = true;
    state.lines = [...state.lines, line];
    Object.assign(state, { picks: [], verb: "", whole: false });
    $("menu").hidden = true;
    for (const id of ["complete", "words", "picks"]) $(id).replaceChildren();
    $("typed").value = "";
    try {
      await keep();
      await refresh();
    } finally { adding = false; }
  }

  const keep = () => ask("draft", { game: state.game, lines: state.lines });

  const undo = careful(async () => {
    if (state.picks.length) { state.picks.pop(); await offer(); return; }
    if (!state.lines.length) return;
    state.lines = state.lines.slice(0, -1);
    await keep();
    await refresh();
  });

  function draft() {
    const plan = state.plan || { steps: [], wrong: [], later: 0 };
    const wrong = new Map(plan.wrong.map((one) => [one.line, one]));
    const done = new Map();
    for (const step of plan.steps) done.set(step.line, [...(done.get(step.line) || []), ...step.events]);
    $("lines").replaceChildren(...state.lines.map((line, at) => {
      const row = element("li", line.startsWith("~") ? `suppose ${line.slice(1)}` : line);
      if (line.startsWith("~")) row.className = "supposed";
      if (wrong.has(at + 1)) row.className = "wrong";
      const told = (done.get(at + 1) || []).slice(1).map(([rule, text]) => `${rule} ${text}`).join("; ");
      if (told) row.append(element("small", told));
      return row;
    }));
    const open = plan.stop && state.lines.length ? `What comes next nobody knows yet: ${plan.stop}.` : "";
    $("findings").textContent = plan.wrong.map((one) => `line ${one.line}: ${one.reason}${one.rule ? ` (rule ${one.rule})` : ""} ${one.hint || ""}`).join(" ")
      || [open, plan.ask && state.lines.length ? `Not answered by your list: ${plan.ask}.` : "", plan.later ? `${plan.later} lines cannot be judged yet.` : ""].filter(Boolean).join(" ");
    $("undo").disabled = !state.lines.length && !state.picks.length;
    $("sign").disabled = !state.lines.some((line) => !line.startsWith("~")) || plan.wrong.length > 0;
    $("now").textContent = state.whole ? "Board after the draft" : "Board now";
    $("now").disabled = !state.lines.length;
    $("promise").hidden = true;
    suppose(plan.suppose);
  }

  function suppose(what) {
    $("supposed").replaceChildren();
    if (!what || !state.lines.length) return;
    const form = element("form");
    if (what.kind === "roll") {
      form.append(element("span", `Suppose ${what.what}: `));
      for (const bound of what.bounds) form.append(element("input", undefined, { type: "number", min: 1, max: bound, value: Math.ceil(bound / 2), "aria-label": `a number up to ${bound}` }));
    } else {
      form.append(element("span", `Suppose that ${what.seat} answers: `), element("input", undefined, { "aria-label": "an order of the other side" }));
    }
    form.append(element("button", "Suppose"));
    form.addEventListener("submit", careful(async (event) => {
      event.preventDefault();
      const given = Array.from(form.querySelectorAll("input"), (input) => input.value).join(" ");
      await add(what.kind === "roll" ? `~roll ${given}` : `~${what.seat}: ${given}`);
    }));
    $("supposed").append(form);
  }

  // --- signing

  const promise = careful(async () => {
    const told = await ask("promise", { game: state.game, lines: state.lines });
    ticket = told;
    $("promised").replaceChildren(element("li", `as ${told.as}, after ${told.fingerprint.slice(0, 12)}`), ...told.lines.map((line) => element("li", line)));
    $("promise").hidden = false;
    $("really").focus();
  });

  const sign = careful(async () => {
    const told = await ask("play", { game: state.game, lines: state.lines, ticket: ticket.ticket, fingerprint: ticket.fingerprint });
    $("promise").hidden = true;
    const rest = await ask("status", { game: state.game });
    state.lines = rest.draft.split("\n").filter((line) => line.trim());
    standing(rest);
    handed(told);
    await refresh();
  });

  function handed(told) {
    const rows = told.said.map((line) => element("p", line));
    for (const file of told.files) {
      const link = element("a", `save ${file.name}`, { download: file.name });
      if (file.data) link.href = URL.createObjectURL(new Blob([Uint8Array.from(atob(file.data), (c) => c.charCodeAt(0))]));
      const row = element("p");
      row.append(link, ` (also at ${file.where})`);
      rows.push(row);
    }
    $("handed").replaceChildren(...rows);
  }

  // --- receiving

  const take = careful(async (given) => {
    const told = await ask("receive", given);
    $("received").textContent = told.said.join("\n");
    if (state.game) { handed({ said: told.said, files: [] }); await poll(true); } else await games();
  });

  async function takeFile(file) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    let text = "";
    for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
    await take({ data: btoa(text) });
  }

  // --- the other tabs

  function rule(number) {
    const made = button(number, careful(() => { tab("rules"); $("find").value = number; return rules(); }), "rule");
    return made;
  }

  const report = careful(async (first) => {
    const told = await ask("log", { game: state.game, ...(first === undefined ? {} : { from: first }) });
    state.first = told.first;
    $("log").replaceChildren(...told.entries.reverse().filter((one) => one.events.length || one.kind !== "answers").map((one) => {
      const row = element("li");
      row.append(button(`entry ${one.n}`, careful(() => { state.entry = one.n; return refresh(); })), ` ${one.kind} ${one.seat ? `of ${one.seat}, ${one.sent.replace("T", " ").replace("Z", "")}` : ""}`);
      for (const [number, text] of one.events) {
        const line = element("div");
        if (number) line.append(rule(number), " ");
        line.append(text);
        row.append(line);
      }
      return row;
    }));
    const score = await ask("book", { game: state.game, what: "score" });
    $("score").replaceChildren(...score.score.map(([seat, what, points, number]) => element("p", `${seat}: ${what}${points === null ? "" : `: ${points}`}${number ? ` (${number})` : ""}`)));
  });

  const rules = careful(async () => {
    const told = await ask("book", { game: state.game, what: "rules", words: $("find").value });
    $("book").replaceChildren(...told.rules.flatMap(([number, title, text, ruling, status]) => [element("h3", `${number} ${title}`), element("p", text), ...(ruling ? [element("p", `Ruling: ${ruling}`)] : []), ...(status === "enforced" ? [] : [element("p", `(${status})`)])]));
  });

  const book = careful(async (what) => {
    const told = await ask("book", { game: state.game, what });
    if (what === "primer") $("book").replaceChildren(element("pre", told.text || "There is no primer yet."));
    if (what === "glossary") $("book").replaceChildren(grid(["term", "reading", "English", "means"], told.terms));
    if (what === "options") $("book").replaceChildren(...told.options.flatMap((one) => [element("h3", `${one.id}: ${one.now}`), element("p", `${one.question} (${one.rule})`), ...one.values.map((value, at) => element("p", `${value}: ${one.meanings[at] || ""}`))]));
    if (what === "tables") $("book").replaceChildren(...told.sheets.flatMap((sheet) => [element("h3", `${sheet.title}${sheet.rule ? ` (${sheet.rule})` : ""}`), grid(sheet.columns, sheet.rows), ...(sheet.note ? [element("p", sheet.note)] : [])]));
  });

  function grid(columns, rows) {
    const table = element("table"), head = element("tr");
    head.append(...columns.map((one) => element("th", one)));
    table.append(head, ...rows.map((row) => { const made = element("tr"); made.append(...row.map((cell) => element("td", cell))); return made; }));
    return table;
  }

  function tab(name) {
    for (const one of document.querySelectorAll("[data-tab]")) {
      one.setAttribute("aria-selected", String(one.dataset.tab === name));
      $(`tab-${one.dataset.tab}`).hidden = one.dataset.tab !== name;
    }
    if (name === "report") report();
    if (name === "more") careful(async () => { $("plain").textContent = (await ask("book", { game: state.game, what: "board" })).text; })();
  }

  const act = careful(async (what) => {
    let words = [];
    if (what === "takeback") words = [String(Math.max(0, Number(prompt("Back to the position after entry number:", "")) || 0))];
    if (what === "standing") words = [$("kind").value.trim(), ...$("answers").value.split("\n").map((line) => line.trim()).filter(Boolean)];
    if (what === "say") words = [$("words-said").value];
    if (what === "revoke") words = [$("kind").value.trim()];
    const told = await ask("act", { game: state.game, what, words });
    acting = { what, words, ticket: told.ticket };
    $("act-means").textContent = told.promise;
    $("acting").hidden = false;
    $("act-sign").focus();
  });

  const actSign = careful(async () => {
    const told = await ask("act", { game: state.game, ...acting });
    $("acting").hidden = true;
    handed(told);
    tab("orders");
    await poll(true);
  });

  // --- polling: the command line, another tab or a mail may have moved the game

  async function poll(force = false) {
    if (!state.game) return;
    const told = await ask("status", { game: state.game, fingerprint: state.fingerprint });
    const lines = told.draft.split("\n").filter((line) => line.trim());
    const own = state.lines.filter((line) => !line.startsWith("~"));
    const other = lines.join("\n") !== own.join("\n");
    if (told.changed || other || force) {
      standing(told);
      if (other) { state.lines = lines; state.picks = []; }
      if (state.entry === null) await refresh();
    }
  }

  // --- begin

  function wire() {
    stage = new Stage($("board"), { click: clicked });
    $("board").prepend(stage.svg);
    $("to-games").onclick = careful(games);
    $("names").onchange = careful(() => { state.names = $("names").value; state.base = ""; if (state.game) return refresh(); });
    $("in").onclick = () => stage.zoom(1.3);
    $("out").onclick = () => stage.zoom(1 / 1.3);
    $("fit").onclick = () => stage.fit();
    $("undo").onclick = undo;
    $("now").onclick = careful(() => { state.whole = !state.whole; return refresh(); });
    $("look-now").onclick = careful(() => { state.entry = null; return refresh(); });
    $("older").onclick = () => report(Math.max(0, (state.first || 0) - 60));
    $("sign").onclick = promise;
    $("really").onclick = sign;
    $("not").onclick = () => { $("promise").hidden = true; };
    $("act-sign").onclick = actSign;
    $("act-not").onclick = () => { $("acting").hidden = true; };
    $("again").onclick = careful(async () => { handed(await ask("send", { game: state.game })); tab("orders"); });
    $("take").onclick = () => take({ text: $("paste").value });
    $("file").onchange = () => $("file").files[0] && takeFile($("file").files[0]);
    $("find").oninput = rules;
    $("say").onsubmit = (event) => { event.preventDefault(); act("say"); };
    $("fetch").onclick = careful(async () => { $("received").textContent = (await ask("fetch")).said.join("\n") || "nothing new"; await games(); });
    $("which").onchange = scenarios;
    $("scenario").onchange = chairs;
    $("practise").onclick = careful(async () => {
      const told = await ask("practice", { rules: $("which").value, scenario: $("scenario").value, seat: $("as").value });
      await open(told.game);
    });
    for (const one of document.querySelectorAll("[data-tab]")) one.onclick = () => tab(one.dataset.tab);
    for (const one of document.querySelectorAll("[data-book]")) one.onclick = () => book(one.dataset.book);
    for (const one of document.querySelectorAll("[data-act]")) one.onclick = () => act(one.dataset.act);
    $("type").onsubmit = careful((event) => { event.preventDefault(); if ($("typed").value.trim()) return add($("typed").value.trim()); });
    $("typed").oninput = careful(async () => {
      const typed = $("typed").value;
      const told = await ask("next", { game: state.game, lines: state.lines, typed });
      const head = typed.slice(0, typed.length - (/\S*$/.exec(typed)[0].length));
      $("fits").replaceChildren(...told.typed.slice(0, 40).map((word) => element("option", undefined, { value: head + word })));
    });
    document.addEventListener("keydown", keys);
    for (const name of ["dragover", "dragleave", "drop"]) document.addEventListener(name, (event) => {
      event.preventDefault();
      document.body.classList.toggle("drop", name === "dragover");
      if (name === "drop" && event.dataTransfer.files[0]) takeFile(event.dataTransfer.files[0]);
    });
    setInterval(() => poll().catch(trouble), 5000);
    document.addEventListener("visibilitychange", () => poll().catch(trouble));
  }

  function keys(event) {
    if (event.target.matches("input, textarea, select")) { if (event.key === "Escape") event.target.blur(); return; }
    const pans = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };
    const act = {
      Escape: careful(clear), Backspace: undo, "+": () => stage.zoom(1.3), "-": () => stage.zoom(1 / 1.3), 0: () => stage.fit(),
      "/": () => { tab("orders"); $("typed").focus(); }, "?": () => { tab("rules"); $("find").focus(); },
    }[event.key] || (pans[event.key] && (() => stage.pan(...pans[event.key])));
    if (act && !event.ctrlKey && !event.metaKey && !event.altKey) { event.preventDefault(); act(); }
  }

  async function begin() {
    const given = new URLSearchParams(location.hash.slice(1));
    const token = given.get("token"), game = given.get("game");
    history.replaceState(null, "", "/");
    session = sessionStorage.getItem("pbem") || "";
    if (token) {
      session = (await ask("session", { token })).session;
      sessionStorage.setItem("pbem", session);
    }
    if (game) sessionStorage.setItem("pbem-game", game);
    wire();
    const last = sessionStorage.getItem("pbem-game");
    if (last) await open(last).catch(() => games()); else await games();
    working(0);
    document.body.dataset.ready = "yes";
  }

  begin().catch(trouble);
})();
