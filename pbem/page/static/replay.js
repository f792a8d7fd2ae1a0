"use strict";
// A finished game, step by step, and its dice made again from what was signed.
(() => {
  const $ = (id) => document.getElementById(id);
  let film, stage, at = -1;

  async function unpack() {
    const packed = atob($("film").textContent);
    const bytes = Uint8Array.from(packed, (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  // --- the board

  function jump(to) {
    to = Math.max(0, Math.min(film.frames.length - 1, to));
    if (to === at) return;
    const single = to === at + 1;
    if (to < at) { stage.clear(); at = -1; base = -1; }
    const before = new Map(stage.items);
    const spots = new Map();
    const gone = [];
    for (let n = at + 1; n <= to; n++) {
      const frame = film.frames[n];
      for (const [id, spot] of Object.entries(frame.set)) spots.set(id, spot);
      for (const id of frame.del) { spots.delete(id); if (single && before.has(id)) gone.push({ ...before.get(id) }); if (!spots.has(id)) stage.drop(id); }
    }
    const frame = film.frames[to];
    for (let n = to; n >= 0; n--) if (film.frames[n].size) { stage.setSize(...film.frames[n].size); break; }
    if (base !== frame.base) { base = frame.base; stage.setBase(film.defs, film.bases[base]); }
    const moved = [];
    for (const [id, spot] of spots) {
      const old = stage.items.get(id), was = old && { x: old.x, y: old.y, place: old.place };
      stage.put(id, [film.looks[spot[0]], spot[1], spot[2], spot[3], spot[4], spot[5]]);
      if (single && !id.includes(":") && (!was || was.x !== spot[1] || was.y !== spot[2])) moved.push(stage.items.get(id));
    }
    at = to;
    stage.over.replaceChildren();
    for (const path of frame.paths || []) stage.arrow(path.map((place) => film.places[place]).filter(Boolean), "#0a8a3a");
    if (moved.length < 25) for (const item of moved) stage.ring(item, "#0a8a3a");
    for (const item of gone) if (!item.id.includes(":")) lost(item);
    if (moved.length && moved.length < 25) stage.reveal(moved[0].x, moved[0].y);
    report(frame);
  }
  let base = -1;

  function lost(item) {
    const half = 18 * item.scale, { x, y } = item;
    stage.over.append(stage.make("path", {
      d: `M${x - half} ${y - half}L${x + half} ${y + half}M${x - half} ${y + half}L${x + half} ${y - half}`,
      stroke: "#b3001b", "stroke-width": 4, fill: "none",
    }));
  }

  function line(rule, text) {
    const row = document.createElement("p");
    if (rule) {
      const mark = document.createElement("span");
      mark.className = "rule";
      mark.textContent = rule;
      mark.title = film.rules[rule] || "";
      row.append(mark, " ");
    }
    row.append(text);
    return row;
  }

  function report(frame) {
    $("slider").value = at;
    $("headline").textContent = frame.head;
    const entry = film.log[frame.entry - 1];
    $("where").textContent = entry
      ? `step ${at} of ${film.frames.length - 1} · entry ${entry.n}, ${entry.kind} of ${entry.seat}, ${entry.sent.replace("T", " ").replace("Z", "")}`
      : `step ${at} of ${film.frames.length - 1} · the beginning`;
    const rows = frame.events.map(([rule, text]) => line(rule, text));
    if (frame.roll !== undefined) {
      const [event, request, bounds, values] = film.rolls[frame.roll];
      const shown = bounds.map((bound, i) => `${values[i]} of ${bound}`).join(", ");
      rows.push(line("", `made from seed ${event}, request ${request}: ${shown} (counted from 0)`));
    }
    $("report").replaceChildren(...rows);
    history.replaceState(null, "", `#step=${at}`);
  }

  function search() {
    const wanted = $("search").value.trim().toLowerCase();
    const rows = [];
    if (wanted) {
      film.frames.forEach((frame, number) => {
        const hit = frame.events.find(([rule, text]) => `${rule} ${text}`.toLowerCase().includes(wanted));
        if (hit && rows.length < 200) {
          const button = document.createElement("button");
          button.textContent = `${number}: ${hit[0]} ${hit[1]}`;
          button.onclick = () => jump(number);
          const row = document.createElement("li");
          row.append(button);
          rows.push(row);
        }
      });
    }
    $("found").replaceChildren(...rows);
  }

  // --- checks

  function say(ok, text) {
    const row = document.createElement("li");
    row.className = ok === null ? "open" : ok ? "good" : "bad";
    row.textContent = text;
    $("list").append(row);
    if (ok === false) $("problem").textContent = `This file does not hold what it says: ${text}`;
    return ok;
  }

  function checkLinks() {
    const list = Chance.unhex(film.list), last = { ...film.tips };
    const known = {};
    for (const seat of Object.keys(last)) known[seat] = new Set();
    let count = 0;
    for (const entry of film.log) {
      if (!entry.link) continue;
      let value = entry.link, fits = false;
      for (let hop = 0; hop < 64 && !fits; hop++) {
        value = Chance.hex(Chance.digest("chain", list, entry.seat, Chance.unhex(value)));
        fits = value === last[entry.seat];
      }
      if (!fits) return say(false, `entry ${entry.n}: the link of ${entry.seat} does not follow from the one before`);
      known[entry.seat].add(entry.link);
      last[entry.seat] = entry.tip || entry.link;
      count++;
    }
    say(true, `${count} links lead back to the contract`);
    return known;
  }

  function checkSeeds(known) {
    const ids = new Set(film.log.map((entry) => entry.id));
    const seeds = new Map(), used = new Set(), order = film.seats.map((seat) => seat[0]);
    let outside = 0;
    for (const [event, decisions, links] of film.seeds) {
      for (const id of decisions) {
        if (!ids.has(id)) return say(false, `seed ${event}: a decision in it is not in the log`);
        if (used.has(id)) return say(false, `seed ${event}: a decision in it was used before`);
        used.add(id);
      }
      for (let i = 0; i < links.length; i++) {
        if (!known[order[i]].has(links[i])) outside++;
        if (used.has(order[i] + links[i])) return say(false, `seed ${event}: a link in it was used before`);
        used.add(order[i] + links[i]);
      }
      const parts = [Chance.unhex(film.game), event, decisions.length, ...decisions.map(Chance.unhex), links.length, ...links.map(Chance.unhex)];
      seeds.set(event, Chance.digest("event", ...parts));
    }
    if (outside && !film.log.some((entry) => ["resign", "audit", "rekey", "forfeit"].includes(entry.kind))) {
      return say(false, `${outside} links in seeds are in no entry`);
    }
    say(true, `${seeds.size} seeds made from ${film.seats.length} players' links and the decisions before them`);
    return seeds;
  }

  function checkRolls(seeds) {
    let count = 0;
    for (const [event, request, bounds, values] of film.rolls) {
      const seed = seeds.get(event);
      if (!seed) return say(false, `the dice of seed ${event} have no seed`);
      for (let i = 0; i < bounds.length; i++) {
        if (Chance.integer(seed, request, i, bounds[i]) !== values[i]) {
          return say(false, `seed ${event}, request ${request}: the log says ${values[i]}, the seed says ${Chance.integer(seed, request, i, bounds[i])}`);
        }
        count++;
      }
    }
    return say(true, `${count} dice and draws made again: all as in the log`);
  }

  function checkOpenings() {
    const game = Chance.unhex(film.game);
    for (const [entry, seat, slot, value, nonce, commitment] of film.openings) {
      const made = Chance.digest("commit", game, seat, `slot ${slot}`, value, Chance.unhex(nonce));
      if (Chance.hex(made) !== commitment) return say(false, `entry ${entry}: what ${seat} opened (${slot}) is not what was sealed`);
      if (film.proof && !film.log.some((one) => one.raw.includes(commitment))) return say(false, `${slot}: nobody signed its commitment`);
    }
    return film.openings.length ? say(true, `${film.openings.length} sealed things opened as they were sealed`) : true;
  }

  function checkIds() {
    for (const entry of film.log) {
      const cut = entry.raw.lastIndexOf("\n[signature]\n");
      if (Chance.hex(Chance.digest("entry", Chance.text.encode(entry.raw))) !== entry.id) return say(false, `entry ${entry.n}: its bytes are not those of its id`);
      const link = /^link = "([0-9a-f]{64})"$/m.exec(entry.raw.slice(0, cut));
      if ((link ? link[1] : "") !== (entry.link || "")) return say(false, `entry ${entry.n}: another link was signed`);
      const seat = /^seat = "([a-z0-9-]+)"$/m.exec(entry.raw.slice(0, cut));
      if (!seat || seat[1] !== entry.seat) return say(false, `entry ${entry.n}: another seat signed`);
    }
    return say(true, `${film.log.length} entries are those that their ids name`);
  }

  const take = (bytes, at) => {
    const length = new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0);
    return [bytes.subarray(at + 4, at + 4 + length), at + 4 + length];
  };

  async function checkSignatures() {
    const subtle = globalThis.crypto && crypto.subtle;
    if (!subtle) return say(null, "signatures were not checked: this browser offers no Ed25519 here (open the file itself)");
    const keys = new Map();
    for (const entry of film.log) {
      const cut = entry.raw.lastIndexOf("\n[signature]\n");
      const signed = Chance.text.encode(entry.raw.slice(0, cut + 1));
      const armour = /-----BEGIN SSH SIGNATURE-----\n([A-Za-z0-9+\/=\n]+)-----END SSH SIGNATURE-----/.exec(entry.raw.slice(cut));
      if (!armour) return say(false, `entry ${entry.n} is not signed`);
      const blob = Uint8Array.from(atob(armour[1].replace(/\n/g, "")), (char) => char.charCodeAt(0));
      let [key, next] = take(blob, 10), space, skip, inner;
      [space, next] = take(blob, next);
      [skip, next] = take(blob, next);
      [skip, next] = take(blob, next);
      [inner] = take(blob, next);
      const [, second] = take(key, 0), [publicKey] = take(key, second);
      const [, third] = take(inner, 0), [signature] = take(inner, third);
      const wanted = film.keys[`${entry.seat} ${entry.lane}`];
      const replaced = film.log.some((one) => one.kind === "rekey" && one.n < entry.n);
      if (Chance.hex(publicKey) !== (replaced ? entry.key : wanted)) return say(false, `entry ${entry.n}: signed with another key than the contract's`);
      const hashed = new Uint8Array(await subtle.digest("SHA-512", signed));
      const message = Chance.join([Chance.text.encode("SSHSIG"), Chance.lp(space), Chance.lp(""), Chance.lp("sha512"), Chance.lp(hashed)]);
      try {
        const name = Chance.hex(publicKey);
        if (!keys.has(name)) keys.set(name, await subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]));
        if (new TextDecoder().decode(space) !== "pbem-entry-v1" || !(await subtle.verify("Ed25519", keys.get(name), signature, message))) {
          return say(false, `entry ${entry.n}: the signature of ${entry.seat} does not fit`);
        }
      } catch (error) {
        return say(null, `signatures were not checked: this browser knows no Ed25519 (${error.name})`);
      }
    }
    return say(true, `${film.log.length} signatures fit the keys of the contract`);
  }

  async function check() {
    const known = checkLinks();
    const seeds = known && checkSeeds(known);
    if (seeds) checkRolls(seeds);
    checkOpenings();
    if (film.proof && checkIds()) await checkSignatures();
    const rest = ["that every move obeys the rules"];
    if (!film.proof) rest.push("the signatures (a file made with --proof holds them)");
    if (film.shared) rest.push(`${film.shared} cards of the shared deck`);
    rest.push("hidden things that were never opened", "that this is the game you think of");
    $("unchecked").textContent = `Not checked here: ${rest.join("; ")}. \`pbem verify\` checks all of it from the game folder. Game ${film.game.slice(0, 16)}…, fingerprint ${film.fingerprint.slice(0, 16)}…`;
    document.body.dataset.checked = $("problem").textContent ? "bad" : "good";
  }

  // --- begin

  async function begin() {
    film = await unpack();
    document.title = `${film.title}: replay`;
    $("title").textContent = `${film.title}, ${film.scenario}: ${film.seats.map(([seat, player]) => `${player} (${seat})`).join(" against ")}`;
    stage = new Stage($("board"));
    $("slider").max = film.frames.length - 1;
    const asked = () => Number((/step=(\d+)/.exec(location.hash) || [0, 0])[1]);
    jump(asked());
    stage.fit();
    $("slider").oninput = () => jump(Number($("slider").value));
    for (const [id, to] of [["first", () => 0], ["back", () => at - 1], ["next", () => at + 1], ["last", () => film.frames.length - 1]]) {
      $(id).onclick = () => jump(to());
    }
    $("in").onclick = () => stage.zoom(1.3);
    $("out").onclick = () => stage.zoom(1 / 1.3);
    $("fit").onclick = () => stage.fit();
    $("search").oninput = search;
    window.addEventListener("hashchange", () => jump(asked()));
    document.addEventListener("keydown", (event) => {
      if (event.target.matches("input[type=search]")) { if (event.key === "Escape") event.target.blur(); return; }
      const act = {
        ArrowRight: () => jump(at + 1), ArrowLeft: () => jump(at - 1), Home: () => jump(0), End: () => jump(film.frames.length - 1),
        PageDown: () => jump(at + 10), PageUp: () => jump(at - 10),
        "+": () => stage.zoom(1.3), "-": () => stage.zoom(1 / 1.3), 0: () => stage.fit(), "/": () => $("search").focus(),
      }[event.key];
      if (act) { event.preventDefault(); act(); }
    });
    document.body.dataset.ready = "yes";
    setTimeout(check, 0);
  }

  begin().catch((error) => { $("problem").textContent = `This file cannot be read: ${error.message}`; document.body.dataset.checked = "bad"; });
})();
