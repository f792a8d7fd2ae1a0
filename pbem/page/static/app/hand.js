// What is handed to the others: a link, a text, a file. Nothing leaves by itself unless a way was set.
import { $, button, careful, element } from "./page.js";
import { besideLink } from "./server.js";
import { state } from "./state.js";

const bytes = (data) => Uint8Array.from(atob(data), (char) => char.charCodeAt(0));

// A site that runs pbem opens the link itself; without one, whoever has pbem pastes it into their page.
const address = (link) => `${(state.me && state.me.site) || "pbem:"}${link}`;

export function parcels(told) {
  const rows = told.said.map((line) => element("p", line));
  for (const file of told.files) rows.push(one(file));
  return rows;
}

function one(file) {
  const card = element("div", undefined, { class: "parcel card" });
  card.append(element("h3", file.to && file.to.length ? `Send this to ${file.to.join(", ")}` : "Send this on"));
  const row = element("p", undefined, { class: "row" }), said = element("span", "", { class: "soft", role: "status" });
  if (file.link) {
    const shown = element("input", undefined, { readonly: "", class: "link", "aria-label": "the link", value: address(file.link) });
    shown.addEventListener("focus", () => shown.select());
    card.append(shown);
    row.append(copy("Copy link", address(file.link), said), ...besideLink(address(file.link)));
    if (address(file.link).length > 2000) card.append(element("p", "This link is long: some programs cut it. The file is safer.", { class: "soft" }));
  }
  if (file.text) row.append(copy("Copy text", file.text, said));
  if (navigator.share && file.text) row.append(button("Share…", careful(() => navigator.share({ text: file.link ? address(file.link) : file.text }))));
  const save = element("a", "Save file", { download: file.name, class: "button" });
  save.href = URL.createObjectURL(new Blob([bytes(file.data)]));
  row.append(save);
  card.append(row, said, element("p", `It also stands in ${file.where}`, { class: "soft small" }));
  return card;
}

const copy = (title, text, said) => button(title, careful(async () => {
  await navigator.clipboard.writeText(text);
  said.textContent = "copied";
}));

export function handed(told) {
  $("handed").replaceChildren(...parcels(told));
}
