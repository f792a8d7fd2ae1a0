// The desk: whose turn it is where, what has not begun, what can be begun; before that, the key.
import { follow } from "./address.js";
import { parcels } from "./hand.js";
import { newGame } from "./invite.js";
import { $, button, careful, element, show, trouble } from "./page.js";
import { ask } from "./server.js";
import { stage, state } from "./state.js";
import { until } from "./time.js";

export async function home() {
  Object.assign(state, { game: "" });
  state.me = await ask("me");
  show("home");
  $("title").textContent = state.me.name ? `${state.me.name}’s desk` : "";
  $("headline").textContent = "";
  $("turn").hidden = true;
  document.title = "pbem";
  $("first").hidden = Boolean(state.me.key);
  $("desk").hidden = !state.me.key;
  if (!state.me.key) { $("key-name").value ||= state.me.name; return; }
  keep();
  waiting(state.me.waiting);
  await list();
  practice().catch(trouble);
}

// --- the key

function keep() {
  $("keep").hidden = state.me.kept;
  $("keep-key").textContent = state.me.key.file;
  $("keep-spare").textContent = state.me.key.spare;
}

export const makeKey = careful(async (event) => {
  event.preventDefault();
  const locked = $("key-locked").checked;
  state.me = await ask("key", { name: $("key-name").value, passphrase: locked });
  if (!state.me.key) {
    $("key-wait").textContent = "Now type the passphrase in the terminal where pbem runs; this page goes on by itself.";
    await typed();
  }
  await home();
});

// Until the passphrase was typed in the terminal.
async function typed() {
  while (!(state.me = await ask("me")).key) await new Promise((done) => { setTimeout(done, 1000); });
}

export const kept = careful(async () => { state.me = await ask("settings", { kept: true }); keep(); });

// --- the lists

async function list() {
  const { games } = await ask("games");
  const mine = games.filter((game) => !game.problem && !game.outcome && game.asked.some((one) => one.seat === game.seat));
  const over = games.filter((game) => game.outcome);
  const rest = games.filter((game) => !mine.includes(game) && !over.includes(game));
  fill("yours", mine, tile);
  fill("others", rest, row);
  fill("finished", over, row);
  $("none").hidden = games.length > 0 || state.me.waiting.length > 0;
  glimpses().catch(trouble);
}

// One board after the other, so that the list is there at once.
async function glimpses() {
  for (const host of document.querySelectorAll("#home .glimpse:empty")) {
    const { markup, box } = await ask("glimpse", { game: host.dataset.game, names: state.names });
    const svg = stage.make("svg", { viewBox: box.join(" "), preserveAspectRatio: "xMidYMid slice", "aria-hidden": "true" });
    stage.fill(svg, markup);
    host.replaceChildren(svg);
  }
}

const glimpse = (game) => element("span", undefined, { class: "glimpse", "data-game": game.name });

function fill(id, games, make) {
  $(id).hidden = !games.length;
  $(id).querySelector("small").textContent = games.length;
  $(id).querySelector("ul").replaceChildren(...games.map(make));
}

const against = (game) => game.seats.filter(([seat]) => seat !== game.seat).map(([, player]) => player).join(", ");

function tile(game) {
  const asked = game.asked.find((one) => one.seat === game.seat);
  const open = button("", () => follow({ game: game.name }), "tile yours");
  open.append(
    glimpse(game),
    element("b", game.title, { class: "game-title" }),
    element("span", `${game.headline}. ${asked.what}`),
    element("span", `against ${against(game)}`, { class: "soft" }),
  );
  if (asked.deadline) open.append(element("span", until(asked.deadline), { class: "pill now" }));
  return element("li", undefined, {}, open);
}

function row(game) {
  if (game.problem) return element("li", `${game.name}: ${game.problem}`);
  const asked = game.asked[0];
  const open = button("", () => follow({ game: game.name }), "line");
  const told = game.outcome || (asked ? `${asked.seat}: ${asked.what}` : "Waiting for the others' moves.");
  open.append(glimpse(game), element("b", game.title), element("span", told, { class: "soft" }));
  if (asked && asked.deadline) open.append(element("span", until(asked.deadline), { class: "pill" }));
  return element("li", undefined, {}, open);
}

function waiting(tables) {
  fill("waiting", tables, (one) => {
    if (one.problem) return element("li", one.problem);
    const open = button("", careful(() => papers(one)), "line");
    open.append(element("b", `${one.terms.title}, ${one.terms.scenario_title}`), element("span", `You are ${one.terms.seat}. Still to sign: ${one.awaits.join(", ")}.`, { class: "soft" }));
    const item = element("li", undefined, {}, open);
    item.append(button("Withdraw", careful(async () => { await ask("withdraw", { table: one.terms.table }); await home(); }), "quiet"));
    return item;
  });
}

async function papers(one) {
  const told = await ask("papers", { table: one.terms.table });
  arrived({ said: [`The others still have to sign: ${told.awaits.join(", ")}. Send them this, then open what comes back.`], files: told.files });
}

export function arrived(told) {
  $("received-part").hidden = false;
  $("received").replaceChildren(...parcels(told));
}

// --- practice

async function practice() {
  state.available ||= (await ask("available")).games;
  $("practice").replaceChildren(...state.available.map((game) => button(game.title, careful(() => newGame(game.name, true)), "game")));
}

export const fetchMail = careful(async () => {
  const told = await ask("fetch");
  arrived({ said: told.said.length ? told.said : ["nothing new"], files: [] });
  await home();
});

