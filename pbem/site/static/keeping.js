// What a site has beside the page: how far it is loaded, one tab at a time, newer versions, keeping one's home.
const element = (tag, text = "", attributes = {}) => {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
};

const notice = element("section", "", { id: "site-notice", role: "status" });
const text = element("p", "Loading pbem…");
const bar = element("progress", "", { max: 1, value: 0 });
notice.append(text, bar);
document.body.prepend(notice);

let total = 1;
let loaded = 0;

export function began(bytes) { total = bytes; }

export function loading(bytes) {
  loaded += bytes;
  bar.value = loaded / total;
  if (loaded >= total) text.textContent = "Starting pbem…";
}

export function failed(error) {
  bar.remove();
  notice.hidden = false;
  text.textContent = `pbem could not start: ${error}. Load the page again; a browser of the last three years is needed.`;
}

export function elsewhere(gone, use) {
  notice.hidden = false;
  bar.hidden = true;
  text.textContent = gone ? "pbem goes on in another tab of this browser." : "pbem is open in another tab of this browser: one tab plays at a time.";
  const here = element("button", "Go on here");
  here.onclick = () => { here.remove(); bar.hidden = false; text.textContent = "Starting pbem…"; use(); };
  notice.querySelector("button")?.remove();
  notice.append(here);
}

export function ready() {
  notice.hidden = true;
  document.body.dataset.site = "ready";
}
