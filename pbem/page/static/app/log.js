// What happened, in sentences by phase and battle; each line points at its pieces and its rule.
/* global drawDie: film.js */
import { note } from "./address.js";
import { places, refresh } from "./board.js";
import { $, button, careful, element } from "./page.js";
import { seeRule } from "./panels.js";
import { ask } from "./server.js";
import { stage, state } from "./state.js";
import { when } from "./time.js";

// A sentence with its dice drawn in their places, or behind it.
function sentence(event) {
  const dice = event.dice || [], parts = event.parts || [event.text], named = parts.some((part) => typeof part !== "string");
  return [...parts.map((part) => (typeof part === "string" ? part : drawDie(...dice[part], 20))), ...(named ? [] : dice.flatMap(([value, sides]) => [" ", drawDie(value, sides, 20)]))];
}

// Entries as groups: whose they are and which chapter of the book they stand in.
export function groups(entries) {
  const found = [];
  for (const one of entries) for (const event of one.events) {
    const last = found[found.length - 1], seat = one.kind === "answers" && last ? last.seat : one.seat;
    if (last && last.seat === seat && last.chapter === event.chapter) last.lines.push([one, event]);
    else found.push({ seat, chapter: event.chapter, sent: one.sent, entry: one.n, slot: event.slot, lines: [[one, event]] });
    if (found[found.length - 1].slot === undefined) found[found.length - 1].slot = event.slot;
  }
  return found;
}

export function group(one, open = true) {
  const made = element("details", undefined, { class: `group side-${one.slot === undefined ? "x" : one.slot}` });
  made.open = open;
  const head = element("summary", undefined, {}, element("b", one.chapter || "The game"), element("span", ` ${[one.seat, one.sent && when(one.sent)].filter(Boolean).join(", ")}`, { class: "soft" }));
  made.append(head, ...one.lines.map(([entry, event]) => line(entry, event)));
  return made;
}

export function line(entry, event) {
  const row = element("p", undefined, { class: "told-line", tabindex: "0" });
  row.append(...sentence(event));
  if (event.rule) row.append(" ", button(event.rule, (click) => { click.stopPropagation(); seeRule(event.rule); }, "rule"));
  const mark = (on) => point(event, on);
  row.addEventListener("mouseenter", () => mark(true));
  row.addEventListener("mouseleave", () => mark(false));
  row.addEventListener("focus", () => mark(true));
  row.addEventListener("blur", () => mark(false));
  row.addEventListener("click", () => there(entry, event));
  return row;
}

let marks = [];

// The pieces and the place of a line, ringed on the board.
function point(event, on) {
  for (const one of marks) one.remove();
  marks = [];
  if (!on) return;
  for (const id of event.units) if (stage.items.has(id)) marks.push(stage.ring(stage.items.get(id), "var(--ink)"));
  const spot = places()[event.place];
  if (spot) {
    const ring = stage.make("circle", { cx: spot[0], cy: spot[1], r: 30, class: "pointed" });
    stage.over.append(ring);
    marks.push(ring);
  }
}

// A click brings the spot into sight.
function there(entry, event) {
  const item = event.units.map((id) => stage.items.get(id)).find(Boolean), spot = places()[event.place] || (item && [item.x, item.y]);
  if (spot) stage.reveal(...spot);
}

export const log = careful(async (first) => {
  const told = await ask("log", { game: state.game, ...(first === undefined ? {} : { from: first }) });
  state.first = told.first;
  const found = groups(told.entries);
  const rows = found.map((one, at) => {
    const made = group(one, at >= found.length - 3);
    made.querySelector("summary").append(" ", button(`entry ${one.entry}`, careful((click) => { click.preventDefault(); return look(one.entry); }), "entry"));
    return made;
  });
  $("log").replaceChildren(...rows.reverse());
  const score = await ask("book", { game: state.game, what: "score" });
  $("score").replaceChildren(...score.score.map(([seat, what, points, number]) => element("p", `${seat}: ${what}${points === null ? "" : `: ${points}`}${number ? ` (${number})` : ""}`)));
});

// The board as it stood after an entry.
async function look(entry) {
  state.entry = entry;
  note({ game: state.game, entry });
  await refresh();
}

// Under the question: what happened last.
export async function recent() {
  const told = await ask("log", { game: state.game, from: Math.max(0, state.entries - 8) });
  const found = groups(told.entries).slice(-4).reverse();
  $("recent").replaceChildren(...(found.length ? [element("h3", "What happened last")] : []), ...found.map((one, at) => group(one, at < 2)));
}
