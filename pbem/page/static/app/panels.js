// The parts of the panel: question, film, log, rules, the rest.
import { note } from "./address.js";
import { log } from "./log.js";
import { $, careful, element } from "./page.js";
import { ask } from "./server.js";
import { state } from "./state.js";

export const seeRule = careful((number) => { tab("rules"); $("find").value = number; note({ game: state.game, rule: number }); return rules(); });

export const rules = careful(async () => {
  const told = await ask("book", { game: state.game, what: "rules", words: $("find").value });
  $("book").replaceChildren(...told.rules.flatMap(([number, title, text, ruling, status]) => [element("h3", `${number} ${title}`), element("p", text), ...(ruling ? [element("p", `Ruling: ${ruling}`)] : []), ...(status === "enforced" ? [] : [element("p", `(${status})`)])]));
});

export const book = careful(async (what) => {
  const told = await ask("book", { game: state.game, what });
  if (what === "primer") $("book").replaceChildren(element("pre", told.text || "There is no primer yet."));
  if (what === "glossary") $("book").replaceChildren(grid(["term", "reading", "English", "means"], told.terms));
  if (what === "options") $("book").replaceChildren(...told.options.flatMap((one) => [element("h3", `${one.id}: ${one.now}`), element("p", `${one.question} (${one.rule})`), ...one.values.map((value, at) => element("p", `${value}: ${one.meanings[at] || ""}`))]));
  if (what === "tables") $("book").replaceChildren(...told.sheets.flatMap((sheet) => [element("h3", `${sheet.title}${sheet.rule ? ` (${sheet.rule})` : ""}`), grid(sheet.columns, sheet.rows), ...(sheet.note ? [element("p", sheet.note)] : [])]));
});

function grid(columns, rows) {
  const table = element("table"), head = element("tr");
  head.append(...columns.map((one) => element("th", one)));
  table.append(head, ...rows.map((row) => { const made = element("tr"); made.append(...row.map((cell) => element("td", cell))); return made; }));
  return table;
}

const TABS = ["orders", "film", "log", "rules", "more"];

export function tab(name) {
  for (const one of TABS) $(`tab-${one}`).hidden = one !== name;
  for (const one of document.querySelectorAll("#nav [data-tab]")) one.setAttribute("aria-pressed", String(one.dataset.tab === name));
  if (name === "log") log();
  if (name === "more") careful(async () => { $("plain").textContent = (await ask("book", { game: state.game, what: "board" })).text; })();
}
