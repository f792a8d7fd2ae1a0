// Small tools of the page: elements, and work whose failure is told.
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

export function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

export function button(text, act, className = "") {
  const made = element("button", text, { type: "button" });
  if (className) made.className = className;
  made.addEventListener("click", act);
  return made;
}
