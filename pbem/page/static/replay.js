"use strict";
// A finished game as a film, and its dice made again from what was signed: a die that is drawn here is one that
// this page has made itself. Sentences, moves and positions are told by the file, and marked so.
(() => {
  const $ = (id) => document.getElementById(id);
  let film, stage, player, made = [];

  async function unpack() {
    const packed = atob($("film-data").textContent);
    const bytes = Uint8Array.from(packed, (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  // --- what is shown

  function make(name, text, className) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  // The dice of every sentence, as this page made them; "?" where it could not.
  function throwDice() {
    for (const frame of film.frames) for (const event of frame.events) {
      if (!event.dice) continue;
      const values = frame.roll === undefined ? null : made[frame.roll];
      event.dice = event.dice.map((sides, i) => [values ? values[i] + 1 : "?", sides]);
    }
  }

  function line(event) {
    const row = player.sentence(event);
    if (event.rule) {
      const mark = make("span", event.rule, "rule");
      mark.title = film.rules[event.rule] || "";
      row.append(" ", mark);
    }
    if (event.dice) row.append(" ", make("span", "dice checked", "badge checked"));
    return row;
  }

  function report(beat, at) {
    const frame = film.frames[beat.frame], entry = film.log[frame.entry - 1];
    $("headline").textContent = frame.head;
    $("where").textContent = `step ${at} of ${player.beats.length - 1} · ${entry ? `entry ${entry.n}, ${entry.kind} of ${entry.seat}, ${new Date(entry.sent).toLocaleString()}` : "the beginning"}`;
    const rows = beat.events.map(line);
    if (frame.roll !== undefined && beat.dice.length) {
      const [event, request] = film.rolls[frame.roll];
      rows.push(make("p", `made from seed ${event}, request ${request}`, "soft"));
    }
    $("report").replaceChildren(...rows);
    history.replaceState(null, "", `#step=${at}`);
  }

  const words = (event) => `${event.rule} ${(event.parts || [event.text]).filter((part) => typeof part === "string").join("")}`;

  function found(number, text) {
    const button = make("button", text);
    button.onclick = () => { player.pause(); player.go(number, false); };
    const row = make("li");
    row.append(button);
    return row;
  }

  function search() {
    const wanted = $("search").value.trim().toLowerCase();
    const rows = [];
    if (wanted) for (const [number, beat] of player.beats.entries()) {
      const hit = beat.events.find((event) => words(event).toLowerCase().includes(wanted));
      if (hit && rows.length < 200) rows.push(found(number, `${number}: ${words(hit)}`));
    }
    $("found").replaceChildren(...rows);
  }

  // A chapter begins where the headline changes.
  function chapters() {
    let last = "";
    const rows = [];
    for (const [number, beat] of player.beats.entries()) {
      const head = film.frames[beat.frame].head;
      if (head !== last && rows.length < 400) rows.push(found(number, head));
      last = head;
    }
    $("chapters").replaceChildren(...rows);
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
    if (outside && !film.log.some((entry) => ["resign", "audit", "rekey", "late"].includes(entry.kind))) {
      return say(false, `${outside} links in seeds are in no entry`);
    }
    say(true, `${seeds.size} seeds made from ${film.seats.length} players' links and the decisions before them`);
    return seeds;
  }

  // Every die is made again from its seed; what the file says of it is only compared.
  function makeRolls(seeds) {
    made = film.rolls.map(([event, request, bounds]) => (seeds.has(event) ? bounds.map((bound, i) => Chance.integer(seeds.get(event), request, i, bound)) : null));
    for (const [n, [event, request, , values]] of film.rolls.entries()) {
      if (!made[n]) return say(false, `the dice of seed ${event} have no seed`);
      const wrong = made[n].findIndex((value, i) => value !== values[i]);
      if (wrong >= 0) return say(false, `seed ${event}, request ${request}: the log says ${values[wrong]}, the seed says ${made[n][wrong]}`);
    }
    return say(true, `${made.reduce((sum, one) => sum + one.length, 0)} dice and draws made again on this page: all as in the log`);
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
        if (new TextDecoder().decode(space) !== "pbem-entry-v2" || !(await subtle.verify("Ed25519", keys.get(name), signature, message))) {
          return say(false, `entry ${entry.n}: the signature of ${entry.seat} does not fit`);
        }
      } catch (error) {
        return say(null, `signatures were not checked: this browser knows no Ed25519 (${error.name})`);
      }
    }
    return say(true, `${film.log.length} signatures fit the keys of the contract`);
  }

  function checkChance() {
    const known = checkLinks();
    const seeds = known && checkSeeds(known);
    if (seeds) makeRolls(seeds);
  }

  async function checkRest() {
    checkOpenings();
    if (film.proof && checkIds()) await checkSignatures();
    const rest = ["the sentences, the moves and where the pieces lie", "that every move obeys the rules"];
    if (!film.proof) rest.push("the signatures (a file made with --proof holds them)");
    if (film.shared) rest.push(`${film.shared} cards of the shared deck`);
    rest.push("hidden things that were never opened", "that this is the game you think of");
    $("unchecked").textContent = `Told, not proven here: ${rest.join("; ")}. \`pbem verify\` checks all of it from the game folder. Game ${film.game.slice(0, 16)}…, fingerprint ${film.fingerprint.slice(0, 16)}…`;
    document.body.dataset.checked = $("problem").textContent ? "bad" : "good";
  }

  // --- begin

  const asked = () => Number((/step=(\d+)/.exec(location.hash) || [0, 0])[1]);

  function keys(event) {
    if (event.target.matches("input[type=search]")) { if (event.key === "Escape") event.target.blur(); return; }
    const act = { "+": () => stage.zoom(1.2), "-": () => stage.zoom(1 / 1.2), 0: () => stage.fit(), "/": () => $("search").focus() }[event.key];
    if (act) act();
    if (act || player.key(event.key)) event.preventDefault();
  }

  async function begin() {
    film = await unpack();
    document.title = `${film.title}: replay`;
    $("title").textContent = `${film.title}, ${film.scenario}: ${film.seats.map(([seat, name]) => `${name} (${seat})`).join(" against ")}`;
    checkChance();
    throwDice();
    stage = new Stage($("board"));
    player = new Film(stage, film, $("film"), { beat: report });
    chapters();
    await player.go(asked(), false);
    stage.fit();
    $("in").onclick = () => stage.zoom(1.2);
    $("out").onclick = () => stage.zoom(1 / 1.2);
    $("fit").onclick = () => stage.fit();
    $("search").oninput = search;
    window.addEventListener("hashchange", () => player.go(asked(), false));
    document.addEventListener("keydown", keys);
    document.body.dataset.ready = "yes";
    setTimeout(checkRest, 0);
  }

  begin().catch((error) => { $("problem").textContent = `This file cannot be read: ${error.message}`; document.body.dataset.checked = "bad"; });
})();
