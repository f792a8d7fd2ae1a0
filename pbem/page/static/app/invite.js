// A new game, and an invitation from somebody: first the terms, then a name and a signature.
import { follow } from "./address.js";
import { parcels } from "./hand.js";
import { $, button, careful, choices, chosen, element, options, show } from "./page.js";
import { ask } from "./server.js";
import { state } from "./state.js";
import { hours, when } from "./time.js";

let game = null, shown = null;

// --- the form

export async function newGame(name, practice = false) {
  state.available ||= (await ask("available")).games;
  options("which", state.available.map((one) => [one.name, one.title]));
  if (name) $("which").value = name;
  $("offer").classList.toggle("practice", practice);
  show("new");
  await game_chosen();
}

export async function game_chosen() {
  game = await ask("game", { rules: $("which").value });
  options("scenario", game.scenarios.map((one) => [one.id, one.title]));
  clocks();
  readings();
  scenario_chosen();
}

const scenario = () => game.scenarios.find((one) => one.id === $("scenario").value);

export function scenario_chosen() {
  const counts = scenario().seats;
  $("players-part").hidden = counts.length < 2;
  options("players", counts.map((seats) => [seats.length, `${seats.length} players`]));
  players_chosen();
}

export function players_chosen() {
  const seats = scenario().seats.find((one) => String(one.length) === $("players").value) || scenario().seats[0];
  const rows = seats.map((seat) => ({ value: seat, title: seat }));
  choices($("as"), "seat", [...rows, { value: "lot", title: "by lot", note: "drawn now, on your machine" }], seats[0]);
}

const CLOCKS = { move: "for a decision", grace: "of grace after that", audit: "to publish the secret at the end", absence: "of announced absence, each" };

function clocks() {
  $("clocks").replaceChildren(...Object.entries(game.clocks).map(([name, clock]) => {
    const input = element("input", undefined, { type: "number", name: `clock-${name}`, min: clock.least, max: clock.most, value: clock.usual });
    return element("label", `Hours ${CLOCKS[name] || name}`, {}, input);
  }));
}

function readings() {
  $("options-part").hidden = !game.options.length;
  $("options-part").querySelector("small").textContent = `${game.options.length}, all as usual unless you change one`;
  $("options").replaceChildren(...game.options.map((one) => {
    const host = element("div", undefined, { class: "choices" });
    choices(host, `option-${one.id}`, one.values.map((value, at) => ({ value, title: value, note: one.meanings[at] })), one.values[0]);
    return element("fieldset", undefined, {}, element("legend", `${one.question} (${one.rule})`), host);
  }));
}

function form() {
  const seats = scenario().seats.find((one) => String(one.length) === $("players").value) || scenario().seats[0];
  const seat = chosen("seat") === "lot" ? seats[crypto.getRandomValues(new Uint32Array(1))[0] % seats.length] : chosen("seat");
  return {
    rules: game.name, scenario: scenario().id, seat, comment: $("comment").value, players: seats.length,
    options: Object.fromEntries(game.options.map((one) => [one.id, chosen(`option-${one.id}`)])),
    clocks: Object.fromEntries(Object.keys(game.clocks).map((name) => [name, document.querySelector(`input[name="clock-${name}"]`).value])),
  };
}

export const seeTerms = careful(async (event) => {
  event.preventDefault();
  const told = await ask("offer", form());
  terms(told.terms, told.ticket, told.seat);
});

export const practise = careful(async () => {
  const told = await ask("practice", form());
  follow({ game: told.game });
});

// --- the terms

export function terms(what, ticket, own = "") {
  shown = { ticket, own };
  show("terms");
  const host = what.seats.find((one) => one.player);
  $("terms-from").textContent = own ? "Your invitation" : host ? `Invitation from ${host.player}` : "Invitation";
  $("terms-title").textContent = what.title;
  $("terms-scenario").textContent = what.scenario_title;
  const rows = what.seats.map((one) => ({
    value: one.seat, title: one.seat, note: own === one.seat ? "you" : one.player ? `${one.player}, key ${one.key}` : "free", disabled: Boolean(own) || Boolean(one.player),
  }));
  const mine = own || what.free[0];
  choices($("terms-seats"), "terms-seat", rows, mine, label);
  lines("terms-list", [
    ["Clocks", Object.entries(what.clocks).map(([name, count]) => `${hours(count)} ${CLOCKS[name] || name}`).join("; ")],
    ["Dice", "from the seeds of all players together: nobody can choose them"],
    ["Rules", `${what.rules}, version ${what.version}`],
    ["Data", what.pack],
    ["Made", when(what.made)],
    ...(what.threshold ? [["Vanishing", `any ${what.threshold} of the others together can open the secret of a seat that vanishes`]] : []),
    ["Witness", what.witness ? `the key ${what.witness} calls time by a clock of its own` : "none: nobody can be put out for being late"],
    ...(what.comment ? [["They say", what.comment]] : []),
  ]);
  readingsOf(what.options);
  $("sign-name").value = state.me.name;
  $("sign-address").value = state.me.address;
  $("terms-sign").hidden = false;
  $("terms-handed").hidden = true;
  label(mine);
}

const label = (seat) => { $("join").textContent = shown.own ? `Sign and invite as ${seat}` : `Sign and join as ${seat}`; };

function lines(id, rows) {
  $(id).replaceChildren(...rows.flatMap(([name, text]) => [element("dt", name), element("dd", text)]));
}

function readingsOf(all) {
  const other = all.filter((one) => one.now !== one.values[0]), usual = all.filter((one) => one.now === one.values[0]);
  $("terms-differ").hidden = !other.length;
  $("terms-differ").replaceChildren(element("b", other.length === 1 ? "One rule differs from the usual:" : `${other.length} rules differ from the usual:`), ...other.map((one) => element("p", `${one.question} ${meaning(one)} (${one.rule})`)));
  $("terms-usual").textContent = `${usual.length} usual options, as in the rulebook`;
  lines("terms-options", usual.map((one) => [`${one.question} (${one.rule})`, meaning(one)]));
}

const meaning = (one) => one.meanings[one.values.indexOf(one.now)] || one.now;

export const join = careful(async (event) => {
  event.preventDefault();
  const told = await ask("join", { ticket: shown.ticket, seat: shown.own || chosen("terms-seat"), name: $("sign-name").value, address: $("sign-address").value });
  $("terms-sign").hidden = true;
  $("terms-handed").hidden = false;
  const next = told.terms.free.length
    ? `You are ${told.terms.seat}. Send this to whoever shall take ${told.terms.free.join(" or ")}; the game begins when their answer is back.`
    : `You are ${told.terms.seat}, and have signed. Send this back; the game begins when ${told.awaits.join(", ")} has signed, too.`;
  $("terms-handed").replaceChildren(element("h3", next), ...parcels({ said: [], files: told.files }), button("To your games", () => follow({})));
  $("terms-handed").scrollIntoView();
});
