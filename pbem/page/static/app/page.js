// Small tools of the page: elements, parts of the page, and work whose failure is told.
export const $ = (id) => document.getElementById(id);

export function trouble(error) {
  $("problem").textContent = error ? error.message : "";
  $("problem").hidden = !error;
}

let busy = 0;

export function working(more) {
  busy += more;
  document.body.setAttribute("aria-busy", String(busy > 0));
}

export const careful = (work) => async (...args) => {
  working(1);
  try { trouble(null); return await work(...args); } catch (error) { trouble(error); } finally { working(-1); }
};

export function element(name, text, attributes = {}, ...children) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export function button(text, act, className = "") {
  const made = element("button", text, { type: "button" });
  if (className) made.className = className;
  made.addEventListener("click", act);
  return made;
}

// The page shows one of its parts at a time.
const PARTS = ["home", "new", "terms", "table"];

export function show(part) {
  for (const one of PARTS) $(one).hidden = one !== part;
  document.body.dataset.at = part === "table" ? "game" : "home";
  for (const one of document.querySelectorAll("#nav [data-at]")) one.hidden = one.dataset.at !== document.body.dataset.at;
}

export const options = (id, rows) => $(id).replaceChildren(...rows.map(([value, text]) => element("option", text, { value })));

// One of several, as rows that say what each means.
export function choices(host, name, rows, chosen, changed = () => {}) {
  host.replaceChildren(...rows.map(({ value, title, note, disabled }) => {
    const input = element("input", undefined, { type: "radio", name, value });
    input.checked = value === chosen;
    input.disabled = Boolean(disabled);
    input.addEventListener("change", () => changed(value));
    const made = element("label", undefined, { class: "choice" }, input, element("b", title));
    if (note) made.append(element("span", note, { class: "soft" }));
    return made;
  }));
}

export const chosen = (name) => (document.querySelector(`input[name="${name}"]:checked`) || {}).value || "";
