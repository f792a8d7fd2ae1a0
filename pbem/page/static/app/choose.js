// Choosing: words by clicks and buttons, until they are an order.
import { paint, places } from "./board.js";
import { add } from "./draft.js";
import { $, button, careful, element } from "./page.js";
import { ask } from "./server.js";
import { stage, state } from "./state.js";

export async function offer() {
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

export function words(next, offered) {
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

export async function pick(words) {
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

export const unpick = async (word) => {
  const at = state.picks.lastIndexOf(word);
  if (at >= 0) state.picks.splice(at, 1);
  await offer();
};

export const clear = async () => { state.picks = []; state.verb = ""; $("menu").hidden = true; await offer(); };
