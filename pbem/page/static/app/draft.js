// The draft: the same list of orders as the command line's; what it leaves open may be supposed.
import { refresh } from "./board.js";
import { offer } from "./choose.js";
import { closeFan } from "./fan.js";
import { $, careful, element } from "./page.js";
import { ask } from "./server.js";
import { state } from "./state.js";
import { told } from "./words.js";

let adding = false;

export async function add(line) {
  if (adding) return; // a second click on the same order
  adding = true;
  state.lines = [...state.lines, line];
  Object.assign(state, { picks: [], verb: "", whole: false, trails: [] });
  closeFan();
  $("menu").hidden = true;
  for (const id of ["complete", "words", "picks"]) $(id).replaceChildren();
  $("typed").value = "";
  try {
    await keep();
    await refresh();
  } finally { adding = false; }
}

export const keep = () => ask("draft", { game: state.game, lines: state.lines });

export const undo = careful(async () => {
  if (state.picks.length) { state.picks.pop(); await offer(); return; }
  if (!state.lines.length) return;
  state.lines = state.lines.slice(0, -1);
  await keep();
  await refresh();
});

export function draft() {
  const plan = state.plan || { steps: [], wrong: [], later: 0 };
  const wrong = new Map(plan.wrong.map((one) => [one.line, one]));
  const done = new Map();
  for (const step of plan.steps) done.set(step.line, [...(done.get(step.line) || []), ...step.events]);
  $("lines").replaceChildren(...state.lines.map((line, at) => {
    const row = element("li", line.startsWith("~") ? `suppose ${line.slice(1)}` : told(line), { "data-order": line });
    if (line.startsWith("~")) row.className = "supposed";
    if (wrong.has(at + 1)) row.className = "wrong";
    const then = (done.get(at + 1) || []).slice(1).map(([, text]) => text).join("; ");
    if (then) row.append(element("small", then));
    return row;
  }));
  const open = plan.stop && state.lines.length ? `Next: ${plan.stop}. Sign to go on.` : "";
  $("findings").classList.toggle("bad", plan.wrong.length > 0);
  $("findings").textContent = plan.wrong.map((one) => `line ${one.line}: ${one.reason}${one.rule ? ` (rule ${one.rule})` : ""} ${one.hint || ""}`).join(" ")
    || [open, plan.ask && state.lines.length ? `Still to do: ${plan.ask}.` : "", plan.later ? `${plan.later} lines are judged when their turn comes.` : ""].filter(Boolean).join(" ");
  $("undo").disabled = !state.lines.length && !state.picks.length;
  $("sign").disabled = !state.lines.some((line) => !line.startsWith("~")) || plan.wrong.length > 0;
  $("now").textContent = state.whole ? "Board after the draft" : "Board now";
  $("now").disabled = !state.lines.length;
  $("promise").hidden = true;
  suppose(plan.suppose);
}

function suppose(what) {
  $("supposed").replaceChildren();
  if (!what || (!state.lines.length && state.asked) || state.entry !== null) return;
  const form = element("form", undefined, { class: "row" });
  if (what.kind === "roll") {
    form.append(element("span", `Suppose ${what.what}: `));
    for (const bound of what.bounds) form.append(element("input", undefined, { type: "number", min: 1, max: bound, value: Math.ceil(bound / 2), "aria-label": `a number up to ${bound}` }));
  } else {
    form.append(element("span", `Suppose that ${what.seat} answers (${what.ask}): `), element("input", undefined, { "aria-label": "an order of the other side" }));
  }
  form.append(element("button", "Suppose"));
  form.addEventListener("submit", careful(async (event) => {
    event.preventDefault();
    const given = Array.from(form.querySelectorAll("input"), (input) => input.value).join(" ");
    await add(what.kind === "roll" ? `~roll ${given}` : `~${what.seat}: ${given}`);
  }));
  $("supposed").append(form);
}
