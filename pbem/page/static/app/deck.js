// Choosing many cards from a long list: a browser with search, filters, counts, saved decks and a suggested one.
// It knows no game: the cards are rows of the game's own tables, found by the words that may be chosen.
import { offer } from "./choose.js";
import { add } from "./draft.js";
import { $, button, careful, element } from "./page.js";
import { ask } from "./server.js";
import { stage, state } from "./state.js";

const MANY = 30;
let rows = null, game = "", wanted = "", only = new Map(), chosenOnly = false;

// The question is one for the browser if it offers many words that lie nowhere on the table.
export function isDeck(next) {
  const shown = new Set(Object.values(state.pieces).flatMap((piece) => piece[1].flat()));
  return next.offered.filter(([one]) => !(one in state.at) && !shown.has(one) && !one.includes("@")).length + state.picks.length > MANY && next.offered.every(([one]) => !(one in state.at));
}

export async function deck(next) {
  $("deck").hidden = !next || !isDeck(next);
  document.body.toggleAttribute("data-deck", !$("deck").hidden);
  if ($("deck").hidden) return;
  if (game !== state.game) { rows = index((await ask("book", { game: state.game, what: "tables" })).sheets); game = state.game; wanted = ""; only = new Map(); }
  draw(next);
}

// A word's row: the facts of the table that names it.
function index(sheets) {
  const found = new Map();
  for (const sheet of sheets) for (const row of sheet.rows) for (const cell of row.slice(0, 2)) if (!found.has(cell)) found.set(cell, { sheet, row });
  return found;
}

const count = (word) => state.picks.filter((one) => one === word).length;

function draw(next) {
  const left = new Map();
  for (const [one, , fields] of next.offered) left.set(one, fields[0]);
  const words = [...new Set([...Object.keys(state.fields)])].filter((one) => left.has(one) || count(one));
  const shown = words.filter((one) => fits(one)).sort((a, b) => order(a) - order(b));
  const head = element("div", undefined, { class: "deck-head" });
  const search = element("input", undefined, { type: "search", id: "deck-search", placeholder: "name, ability or number", "aria-label": "search the cards", value: wanted });
  search.addEventListener("input", () => { wanted = search.value; draw(state.next); $("deck-search").focus(); $("deck-search").setSelectionRange(wanted.length, wanted.length); });
  head.append(search, ...filters(words), toggle("in the deck", chosenOnly, () => { chosenOnly = !chosenOnly; draw(state.next); }));
  const cards = element("div", undefined, { class: "deck-cards" });
  cards.append(...shown.map((one) => card(one, left)));
  $("deck").replaceChildren(head, element("p", counts(words), { class: "soft", role: "status" }), cards, bottom());
}

const order = (one) => (rows.has(one) ? [...rows.keys()].indexOf(one) : Infinity);
const facts = (one) => (rows.get(one) ? rows.get(one).row : [one]);

function fits(one) {
  if (chosenOnly && !count(one)) return false;
  const found = rows.get(one), text = [...facts(one), (state.frame.cards[one] || [])[1]].join(" ").toLowerCase();
  if (wanted && !wanted.toLowerCase().split(/\s+/).every((word) => text.includes(word))) return false;
  return [...only].every(([column, value]) => found && found.row[found.sheet.columns.indexOf(column)] === value);
}

// A filter for every column with few different words.
function filters(words) {
  const columns = new Map();
  for (const one of words) {
    const found = rows.get(one);
    for (const [at, column] of (found ? found.sheet.columns : []).entries()) {
      const value = found.row[at];
      if (value && value.length < 12) columns.set(column, new Set([...(columns.get(column) || []), value]));
    }
  }
  return [...columns].filter(([, values]) => values.size > 1 && values.size < 13).map(([column, values]) => {
    const made = element("select", undefined, { "aria-label": column });
    made.append(element("option", column, { value: "" }), ...[...values].sort().map((value) => element("option", value, { value })));
    made.value = only.get(column) || "";
    made.addEventListener("change", () => { if (made.value) only.set(column, made.value); else only.delete(column); draw(state.next); });
    return made;
  });
}

const toggle = (text, on, act) => { const made = button(text, act, on ? "picked" : ""); made.setAttribute("aria-pressed", String(on)); return made; };

// A card without a picture: its row of the table, in words.
function facted(made, one, found) {
  made.append(element("b", one));
  if (found) for (const [at, column] of found.sheet.columns.entries()) {
    const value = found.row[at];
    if (value && value !== one && column !== "no") made.append(element("span", column.length < 3 || column === "cost" ? `${column} ${value}` : value, { class: column === "ability" ? "ability" : "fact" }));
  }
}

function card(one, left) {
  const found = rows.get(one), many = count(one);
  const made = button("", careful(async () => {
    if (left.has(one)) state.picks.push(one); else state.picks.splice(state.picks.lastIndexOf(one), 1);
    await offer();
  }), `deck-card${many ? " picked" : ""}`);
  made.dataset.word = one;
  made.setAttribute("aria-pressed", String(many > 0));
  const face = state.frame.cards[one];
  if (face) {
    const svg = stage.make("svg", { class: "deck-face", role: "img", "aria-label": one });
    stage.fill(svg, state.looks[face[0]]);
    const [w, h] = svg.querySelector(".card").dataset.size.split(" ").map(Number);
    svg.setAttribute("viewBox", [-w / 2 - 2, -h / 2 - 2, w + 4, h + 6].join(" "));
    made.append(svg);
  } else facted(made, one, found);
  if (many > 1) made.append(element("span", `× ${many}`, { class: "pill" }));
  return made;
}

function counts(words) {
  const fields = new Map();
  for (const one of state.picks) fields.set(state.fields[one] || "", (fields.get(state.fields[one] || "") || 0) + 1);
  const stars = state.picks.reduce((sum, one) => sum + (one.match(/★/g) || []).length, 0);
  const told = [...fields].map(([field, many]) => `${many} ${field}`).join(", ") || "nothing chosen yet";
  return `${told}${stars ? `, ★${stars}` : ""} · ${words.length} cards of yours`;
}

// Save, load, start from a complete one, and take it.
function bottom() {
  const made = element("p", undefined, { class: "row" }), ready = state.next.complete[0];
  const name = element("input", undefined, { placeholder: "name of this deck", maxlength: "120", "aria-label": "name of this deck" });
  made.append(name, button("Save", careful(async () => { if (name.value.trim()) await ask("plans", { game: state.game, decks: true, name: name.value, words: state.picks }); })), button("Load…", careful(load)));
  made.append(button("Suggest one", careful(suggest)), button("Clear", careful(() => { state.picks = []; return offer(); })));
  if (ready && state.picks.length) { const take = button("Take this deck", careful(() => add(ready.order)), "main"); take.dataset.order = ready.order; made.append(take); }
  return made;
}

async function load() {
  const { plans } = await ask("plans", { game: state.game, decks: true });
  const host = element("div", undefined, { class: "row" });
  host.append(...(plans.length ? plans : [{ name: "no deck is saved yet", words: [] }]).map((one) => button(one.name, careful(() => { state.picks = [...one.words]; return offer(); }))));
  $("deck").append(host);
}

// A complete one of the game's own making, as a beginning.
async function suggest() {
  const told = await ask("suggest", { game: state.game, lines: state.lines });
  state.picks = told.words;
  await offer();
}
