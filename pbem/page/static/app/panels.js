// The other tabs: reports, rules, tables.
import { refresh } from "./board.js";
import { $, button, careful, element } from "./page.js";
import { ask } from "./server.js";
import { state } from "./state.js";

function rule(number) {
  const made = button(number, careful(() => { tab("rules"); $("find").value = number; return rules(); }), "rule");
  return made;
}

export const report = careful(async (first) => {
  const told = await ask("log", { game: state.game, ...(first === undefined ? {} : { from: first }) });
  state.first = told.first;
  $("log").replaceChildren(...told.entries.reverse().filter((one) => one.events.length || one.kind !== "answers").map((one) => {
    const row = element("li");
    row.append(button(`entry ${one.n}`, careful(() => { state.entry = one.n; return refresh(); })), ` ${one.kind} ${one.seat ? `of ${one.seat}, ${one.sent.replace("T", " ").replace("Z", "")}` : ""}`);
    for (const [number, text] of one.events) {
      const line = element("div");
      if (number) line.append(rule(number), " ");
      line.append(text);
      row.append(line);
    }
    return row;
  }));
  const score = await ask("book", { game: state.game, what: "score" });
  $("score").replaceChildren(...score.score.map(([seat, what, points, number]) => element("p", `${seat}: ${what}${points === null ? "" : `: ${points}`}${number ? ` (${number})` : ""}`)));
});

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

export function tab(name) {
  for (const one of ["orders", "log", "rules", "more"]) $(`tab-${one}`).hidden = one !== name;
  for (const one of document.querySelectorAll("[data-tab]")) {
    one.setAttribute("aria-selected", String(one.dataset.tab === name));
    $(`tab-${one.dataset.tab}`).hidden = one.dataset.tab !== name;
  }
  if (name === "log") report();
  if (name === "more") careful(async () => { $("plain").textContent = (await ask("book", { game: state.game, what: "board" })).text; })();
}
