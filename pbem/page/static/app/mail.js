// Mail set up and tried on the page; commands and passwords stay in the terminal and the system's keyring.
import { $, button, careful, element } from "./page.js";
import { ask } from "./server.js";

const WAYS = { send: [["none", "not by itself: I send files and links"], ["mailto", "through my mail program"], ["smtp", "by an SMTP server"]], read: [["none", "not by itself: I open what arrives"], ["imap", "from an IMAP folder"]] };
const TITLES = { send: "How moves leave", read: "How moves arrive" };

export const mail = careful(async () => draw(await ask("mail")));

function draw(told) {
  const said = element("p", "", { class: "soft", role: "status" });
  $("mail").replaceChildren(...Object.keys(WAYS).map((what) => form(what, told, said)), element("p", "The password comes from the system's keyring, or from a command that is set in the terminal: `pbem mail --help`. A git host is set there, too.", { class: "soft small" }), trying(said), said);
}

function form(what, told, said) {
  const now = told[what], way = element("select", undefined, { "aria-label": TITLES[what] });
  const known = WAYS[what].some(([value]) => value === now.way);
  way.append(...(known ? WAYS[what] : [...WAYS[what], [now.way, `${now.way}, set in the terminal`]]).map(([value, text]) => element("option", text, { value })));
  way.value = now.way;
  const field = (name, title, type = "text") => element("label", title, {}, element("input", undefined, { name, type, value: now[name] ?? "" }));
  const more = element("div", undefined, { class: "grid-form" }, field("host", "Server"), field("port", "Port", "number"), field("user", "Login"), ...(what === "read" ? [field("folder", "Folder")] : []));
  const security = element("select", undefined, { name: "security" });
  security.append(...["tls", "starttls", "none"].map((value) => element("option", value, { value })));
  security.value = now.security || "tls";
  more.append(element("label", "Connection", {}, security));
  const address = element("label", "Your address", {}, element("input", undefined, { name: "address", type: "email", value: told.address }));
  const made = element("form", undefined, { class: "mail-form" }, element("h3", TITLES[what]), way, more, ...(what === "send" ? [address] : []), element("p", undefined, { class: "row" }, element("button", "Keep")));
  const shown = () => { more.hidden = way.value !== "smtp" && way.value !== "imap"; address.hidden = way.value === "none"; };
  way.addEventListener("change", shown);
  shown();
  made.addEventListener("submit", careful(async (event) => {
    event.preventDefault();
    const given = Object.fromEntries(new FormData(made));
    draw(await ask("mail", { ...given, what, way: way.value, port: Number(given.port) || undefined }));
    said.textContent = "kept";
  }));
  return made;
}

function trying(said) {
  const send = button("Try sending", careful(async () => { said.textContent = (await ask("mail-try")).said.join(" "); }));
  const read = button("Try reading", careful(async () => { said.textContent = (await ask("fetch")).said.join(" ") || "Nothing new: it works."; }));
  return element("p", undefined, { class: "row" }, send, read);
}
