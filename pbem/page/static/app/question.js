// The question in the panel: what is to be chosen, what is chosen, and one main button.
import { deck, isDeck } from "./deck.js";
import { offer, pick, toggle, unpick } from "./choose.js";
import { add } from "./draft.js";
import { tile } from "./fan.js";
import { $, button, careful, element, trouble } from "./page.js";
import { stage, state } from "./state.js";
import { heading, told, word } from "./words.js";

const MOST = 100;
const isPlace = (one) => one in state.at || one in state.boxes;

export function question() {
  const plan = state.plan, next = state.next;
  const asked = plan && plan.ask && state.entry === null && !state.whole;
  $("ask").textContent = !plan ? "" : asked ? `${plan.sealed ? "In secret: " : ""}${sentence(plan.ask)}` : plan.stop ? sentence(plan.stop) : "";
  $("ask").classList.toggle("long", $("ask").textContent.length > 90);
  $("type").hidden = !asked;
  $("help").textContent = asked && next ? help(next) : "";
  $("picks").replaceChildren(...state.picks.map((one) => { const made = button(`${word(one)} ×`, careful(() => unpick(one)), "picked"); made.dataset.word = one; return made; }));
  deck(next).catch(trouble);
  if (!next) { for (const id of ["verbs", "complete", "words"]) $(id).replaceChildren(); return; }
  verbs(next);
  if (isDeck(next)) $("words").replaceChildren(); else fields(next);
  orders(next);
}

const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function help(next) {
  const words = new Set(next.offered.map((one) => one[0]));
  const held = Object.values(state.pieces).some((piece) => piece[1].some((one) => one.some((each) => words.has(each))));
  const places = [...words].some(isPlace), joined = [...words].some((one) => one.includes("@"));
  const parts = [];
  if (held && !state.picks.length) parts.push("Click a marked piece");
  else if (held) parts.push("Click more pieces to add them");
  if (places) parts.push(state.picks.length ? "click a marked place" : "or a marked place");
  if (joined) parts.push("then a place for it, or drag it there");
  if (!parts.length && words.size) parts.push("Choose below");
  return parts.length ? `${sentence(parts.join(", "))}.` : "";
}

// What to do, if there are several things.
function verbs(next) {
  const all = [...new Set(next.offered.flatMap((one) => one[1]).concat(next.complete.map((one) => one.order.split(" ")[0])))];
  $("verbs").replaceChildren(...(all.length > 1 || state.verb ? all : []).map((verb) => {
    const made = button(sentence(verb), careful(() => { state.verb = state.verb === verb ? "" : verb; return offer(); }), state.verb === verb ? "picked" : "");
    made.dataset.word = verb;
    return made;
  }));
}

// What may be chosen, by what it is: amounts are steppers, pieces and cards are themselves, places are on the board.
function fields(next) {
  const now = new Set([...next.offered.map((one) => one[0]), ...state.picks]), groups = new Map();
  for (const [one, field] of Object.entries(state.fields)) if (now.has(one)) groups.set(field, [...(groups.get(field) || []), one]);
  const focus = document.activeElement && document.activeElement.closest("#words [data-word]");
  $("words").replaceChildren(...[...groups].flatMap(([field, words]) => {
    const made = group(field, words, next);
    return made ? [made] : [];
  }));
  const again = focus && [...$("words").querySelectorAll("[data-word]")].find((one) => one.dataset.word === focus.dataset.word);
  if (again) again.focus();
  if (next.more) $("words").append(element("p", "… and more: choose on the board, or type.", { class: "soft" }));
}

function group(field, words, next) {
  const made = element("fieldset", undefined, { class: "field" }, element("legend", heading(field)));
  const many = words.filter((one) => state.picks.includes(one)).length;
  if (many) made.firstChild.append(element("small", ` ${many} chosen`));
  const places = words.filter(isPlace), rest = words.filter((one) => !isPlace(one) && !one.includes("@"));
  if (rest.length > 1 && rest.every((one) => /^\d+$/.test(one))) { made.append(stepper(rest)); return made; }
  const row = element("div", undefined, { class: "tiles-row" });
  for (const one of rest.slice(0, MOST)) row.append(choice(one));
  const shown = places.length <= 8 || !state.hexes ? places.slice(0, MOST) : [];
  for (const one of shown) {
    const [cost, kind] = next.costs[one] || ["", ""];
    row.append(plain(one, cost ? `${word(one)} (${cost})` : word(one), kind === "attack" ? "attack" : ""));
  }
  if (places.length > shown.length) made.append(element("p", `${places.length} places are marked on the board.`, { class: "soft" }));
  if (rest.length > MOST) made.append(element("p", `… and ${rest.length - MOST} more on the board.`, { class: "soft" }));
  if (row.childNodes.length) made.append(row);
  return row.childNodes.length || places.length ? made : null;
}

function choice(one) {
  const found = Object.entries(state.pieces).find(([, piece]) => piece[1].length === 1 && piece[1][0].length === 1 && piece[1][0][0] === one);
  if (!found) return plain(one, word(one), state.picks.includes(one) ? "picked" : "");
  const made = tile(found[0], found[1], careful(async () => {
    const item = stage.items.get(found[0]);
    if (item && state.at[found[1][0]]) stage.reveal(item.x, item.y);
    await toggle(found[1]);
  }));
  made.dataset.word = one;
  return made;
}

function plain(one, text, className) {
  const made = button(text, careful(() => (state.picks.includes(one) && !state.next.offered.some((each) => each[0] === one) ? unpick(one) : pick([one]))), className);
  made.dataset.word = one;
  return made;
}

// An amount: less, so many of how many, more.
function stepper(words) {
  const amounts = words.map(Number).sort((a, b) => a - b), chosen = state.picks.find((one) => words.includes(one));
  const now = chosen === undefined ? null : Number(chosen), made = element("div", undefined, { class: "stepper" });
  const to = (amount) => careful(async () => {
    if (chosen !== undefined) state.picks.splice(state.picks.indexOf(chosen), 1);
    await pick([String(amount)]);
  });
  const at = now === null ? -1 : amounts.indexOf(now);
  const less = button("−", to(amounts[Math.max(0, at - 1)])), more = button("+", to(amounts[Math.min(amounts.length - 1, at + 1)]));
  less.disabled = at === 0;
  more.disabled = at === amounts.length - 1;
  less.setAttribute("aria-label", "less");
  more.setAttribute("aria-label", "more");
  made.append(less, element("span", now === null ? "–" : String(now), { class: "amount" }), element("span", `of ${amounts[amounts.length - 1]}`, { class: "soft" }), more);
  return made;
}

// Orders that are complete: with something picked the first is the main button; without, they are ways to go on.
function orders(next) {
  const begins = new Set(next.complete.map((one) => one.order.split(" ")[0])), others = next.offered.some((one) => one[1].some((verb) => !begins.has(verb)));
  const ready = state.picks.length > 0 && next.complete.length > 0 && !others;
  $("complete").replaceChildren(...next.complete.flatMap((one, at) => {
    const price = [one.cost && `${one.cost} ${one.cost === "1" ? "point" : "points"}`, one.left && `${one.left} left`].filter(Boolean).join(", ");
    const made = button(price ? `${told(one.order)} · ${price}` : told(one.order), careful(() => add(one.order)), ready && at === 0 ? "main" : "");
    made.dataset.order = one.order;
    return one.odds ? [made, element("pre", one.odds)] : [made];
  }));
  $("sign").classList.toggle("main", !ready);
}
