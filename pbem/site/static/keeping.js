// What a site has beside the page: how far it is loaded, one tab at a time, newer versions, keeping one's home.
const $ = (id) => document.getElementById(id);
const element = (tag, text = "", attributes = {}, ...below) => {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...below);
  return made;
};
const button = (text, act, attributes = {}) => {
  const made = element("button", text, { type: "button", ...attributes });
  made.onclick = act;
  return made;
};

// --- loading

const text = element("p", "Loading pbem…");
const bar = element("progress", "", { max: 1, value: 0, "aria-label": "how much is loaded" });
const notice = element("section", "", { id: "site-notice", role: "status" }, text, bar);
document.body.prepend(notice);
let total = 1;
let loaded = 0;

export function began(bytes) { total = bytes; }

export function loading(bytes) {
  loaded += bytes;
  bar.value = loaded / total;
  if (loaded >= total && bar.isConnected) text.textContent = "Starting pbem…";
}

function say(words, ...buttons) {
  text.textContent = words;
  notice.replaceChildren(text, ...buttons);
  notice.hidden = false;
}

export function failed(error) {
  say(`pbem could not start: ${error}`, button("Try again", () => location.reload()));
}

// --- one tab at a time

export function elsewhere(gone, use) {
  const words = gone ? "pbem goes on in another tab of this browser." : "pbem is open in another tab of this browser. One tab plays at a time.";
  say(words, button("Go on here", () => { say("Starting pbem…"); use(); }, { class: "main" }));
}

// --- newer versions: they wait until the player wants them

async function offline() {
  const service = await navigator.serviceWorker.register("./service.js");
  const offer = () => service.waiting && navigator.serviceWorker.controller && say(
    "A newer pbem is there. Your games stay; the page is loaded again.",
    button("Use it now", () => service.waiting.postMessage("use it"), { class: "main" }), button("Later", () => { notice.hidden = true; }),
  );
  let controlled = Boolean(navigator.serviceWorker.controller);
  navigator.serviceWorker.addEventListener("controllerchange", () => { if (controlled) location.reload(); controlled = true; });
  service.addEventListener("updatefound", () => service.installing?.addEventListener("statechange", offer));
  offer();
}

// --- keeping

let ask;

function dialog(title, words, fields, deed, act) {
  const problem = element("p", "", { role: "alert", class: "site-problem" });
  const form = element("form", "", {}, element("h2", title), ...words.map((line) => element("p", line)), ...fields, problem);
  const box = element("dialog", "", { class: "site-dialog" }, form);
  const leave = () => { box.close(); box.remove(); };
  const go = element("button", deed, { class: "main" });
  form.append(element("p", "", { class: "row" }, go, button("Not now", leave)));
  form.onsubmit = async (event) => {
    event.preventDefault();
    go.disabled = true;
    problem.textContent = "";
    try { await act(); leave(); } catch (error) { problem.textContent = error.message; }
    go.disabled = false;
  };
  box.onclose = leave;
  document.body.append(box);
  box.showModal();
}

const field = (label, attributes) => element("label", label, {}, element("input", "", { required: "", ...attributes }));

const SECRET = { type: "password", id: "site-passphrase", minlength: "8", autocomplete: "new-password" };

function save() {
  dialog("Save everything in one file", [
    "The file holds your key, your games and all that you signed. Its passphrase protects it: nobody can find it out for you.",
  ], [
    field("Passphrase, at least 8 letters", SECRET),
    element("label", "", { class: "check" }, element("input", "", { type: "checkbox", id: "site-moving" }), " I go on elsewhere: this browser decides nothing any more"),
  ], "Save", async () => {
    const told = await ask("save", { passphrase: $("site-passphrase").value, moving: $("site-moving").checked });
    const bytes = Uint8Array.from(atob(told.data), (char) => char.charCodeAt(0));
    const link = element("a", "", { download: told.name, href: URL.createObjectURL(new Blob([bytes])) });
    link.click();
    await remind();
  });
}

async function base64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let found = "";
  for (let at = 0; at < bytes.length; at += 8192) found += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(found);
}

function restore() {
  dialog("Open a saved file", ["Your key, games and all that you signed come back from it."], [
    field("The file", { type: "file", id: "site-file" }),
    field("Its passphrase", { ...SECRET, autocomplete: "current-password" }),
  ], "Open it", async () => {
    await ask("restore", { data: await base64($("site-file").files[0]), passphrase: $("site-passphrase").value });
    location.reload();
  });
}

function forget() {
  dialog("Forget everything here", ["Key, games and all that you signed are taken out of this browser. Without a saved file nobody can bring them back."], [
    field("Type the word forget", { id: "site-word", autocomplete: "off" }),
  ], "Forget", async () => { await ask("forget", { word: $("site-word").value }); location.reload(); });
}

async function about() {
  const versions = await (await fetch("versions.json")).json();
  const rows = Object.entries(versions.files).map(([name, { sha256 }]) => `${sha256}  ${name}`).join("\n");
  dialog("This copy of pbem", [
    `Version ${versions.pbem}. Digest of everything that it runs: ${versions.digest}`,
    "The same release makes the same files: `pbem site` prints their digest.",
    "Nothing leaves this browser but what you send yourself. A site cannot read your mail or reach a git host: open the link of a mail here, or drop its file.",
  ], [element("details", "", {}, element("summary", "Every file"), element("pre", rows))], "Forget everything here…", async () => forget());
}

async function decide() {
  await ask("decide");
  await remind();
  say("Now send the others what each game hands out (More, Send again): they answer what they have of you, and you decide from then on.", button("Good", () => { notice.hidden = true; }));
}

async function remind() {
  const told = await ask("kept");
  $("site-remind")?.remove();
  const rows = [];
  if (told.key && !told.saved) rows.push(element("p", "Browsers forget: a cleaned or lost browser takes your key and games along. Save everything in one file, and keep it elsewhere."));
  if (told.copies.length) {
    rows.push(element("p", `This home is a copy or was moved, so it only answers (${told.copies.join(", ")}). Decide here only if you decide nowhere else.`));
    rows.push(button("Decide here from now on", decide));
  }
  const foot = $("site-foot") ?? document.body.appendChild(element("footer", "", { id: "site-foot" }));
  const save_ = told.key ? button("Save everything…", save) : button("Open a saved file…", restore);
  const last = told.saved ? element("span", `saved on ${told.saved}`, { class: "soft" }) : "";
  foot.replaceChildren(...rows, element("p", "", { class: "row" }, save_, button("About this copy…", about), last));
}

// --- a link as a picture, as long as a picture can hold it

const MOST = 2900;

export function scanned(link) {
  return link.length > MOST ? [] : [button("QR code", async () => {
    const { encodeQR } = await import("./qr.js");
    const dots = encodeQR(link, "raw", { ecc: "low" });
    const size = Math.max(2, Math.floor(Math.min(innerWidth, innerHeight, 720) * 0.8 / dots.length));
    const canvas = element("canvas", "", { width: size * dots.length, height: size * dots.length, role: "img", "aria-label": "the link as a QR code" });
    const pen = canvas.getContext("2d");
    dots.forEach((row, y) => row.forEach((dark, x) => { pen.fillStyle = dark ? "#000" : "#fff"; pen.fillRect(x * size, y * size, size, size); }));
    const box = element("dialog", "", { class: "site-dialog" }, canvas, element("p", "", { class: "row" }, button("Close", () => box.close())));
    box.onclose = () => box.remove();
    document.body.append(box);
    box.showModal();
  })];
}

// --- a key with a passphrase, from a home that was saved elsewhere

export function unlocked(asking) {
  return new Promise((done) => dialog("Your key has a passphrase", ["It is asked for again after a quarter of an hour."], [
    field("Passphrase of the key", { type: "password", id: "site-key", autocomplete: "current-password" }),
  ], "Unlock", async () => { await asking("unlock", { passphrase: $("site-key").value }); done(); }));
}

export async function ready(asking) {
  ask = asking;
  notice.hidden = true;
  document.body.dataset.site = "ready";
  await remind();
  if (navigator.serviceWorker) await offline();
}

// The first key is worth keeping: the browser is asked not to clean it away.
export async function keyed() {
  await navigator.storage?.persist?.();
  await remind();
}
