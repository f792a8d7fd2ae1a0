// Plans while waiting: variations of the draft with notes, private, there again when the turn comes.
import { refresh } from "./board.js";
import { keep } from "./draft.js";
import { $, button, careful, element } from "./page.js";
import { ask } from "./server.js";
import { state } from "./state.js";

export const plans = careful(async () => {
  $("notes").hidden = !$("notes").hidden;
  if (!$("notes").hidden) list((await ask("plans", { game: state.game })).plans);
});

function list(kept) {
  const name = element("input", undefined, { "aria-label": "name of the plan", placeholder: "name of this plan", maxlength: "120" });
  const note = element("textarea", undefined, { rows: "2", "aria-label": "a note", placeholder: "a note, only for you", maxlength: "4000" });
  const form = element("form", undefined, { class: "plan-form" }, name, note, element("button", `Keep these ${state.lines.length} lines`));
  form.addEventListener("submit", careful(async (event) => {
    event.preventDefault();
    if (name.value.trim()) list((await ask("plans", { game: state.game, name: name.value, note: note.value, lines: state.lines })).plans);
  }));
  $("notes").replaceChildren(element("h3", "Plans, only for you"), ...kept.map(row), form);
}

function row(plan) {
  const made = element("div", undefined, { class: "plan" }, element("b", plan.name), element("span", ` after entry ${plan.entry}, ${plan.lines.length} lines`, { class: "soft" }));
  if (plan.note) made.append(element("p", plan.note));
  made.append(
    button("Use", careful(async () => { Object.assign(state, { lines: [...plan.lines], picks: [], verb: "" }); await keep(); await refresh(); })),
    button("Drop", careful(async () => list((await ask("plans", { game: state.game, drop: plan.name })).plans)), "quiet"),
  );
  return made;
}
