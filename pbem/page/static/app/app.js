// The page begins: buttons, keys, and the token for a session.
import { refresh } from "./board.js";
import { clear } from "./choose.js";
import { clicked } from "./clicks.js";
import { add, undo } from "./draft.js";
import { chairs, games, open, poll, scenarios } from "./games.js";
import { $, careful, element, trouble, working } from "./page.js";
import { book, report, rules, tab } from "./panels.js";
import { take, takeFile } from "./receive.js";
import { asSession, ask } from "./server.js";
import { act, actSign, handed, promise, sign } from "./sign.js";
import { stage, state } from "./state.js";

function wire() {
  stage.options.click = clicked;
  $("to-games").onclick = careful(games);
  $("names").onchange = careful(() => { state.names = $("names").value; state.base = ""; if (state.game) return refresh(); });
  $("in").onclick = () => stage.zoom(1.3);
  $("out").onclick = () => stage.zoom(1 / 1.3);
  $("fit").onclick = () => stage.fit();
  $("undo").onclick = undo;
  $("now").onclick = careful(() => { state.whole = !state.whole; return refresh(); });
  $("look-now").onclick = careful(() => { state.entry = null; return refresh(); });
  $("older").onclick = () => report(Math.max(0, (state.first || 0) - 60));
  $("sign").onclick = promise;
  $("really").onclick = sign;
  $("not").onclick = () => { $("promise").hidden = true; };
  $("act-sign").onclick = actSign;
  $("act-not").onclick = () => { $("acting").hidden = true; };
  $("again").onclick = careful(async () => { handed(await ask("send", { game: state.game })); tab("orders"); });
  $("take").onclick = () => take({ text: $("paste").value });
  $("file").onchange = () => $("file").files[0] && takeFile($("file").files[0]);
  $("find").oninput = rules;
  $("say").onsubmit = (event) => { event.preventDefault(); act("say"); };
  $("fetch").onclick = careful(async () => { $("received").textContent = (await ask("fetch")).said.join("\n") || "nothing new"; await games(); });
  $("which").onchange = scenarios;
  $("scenario").onchange = chairs;
  $("practise").onclick = careful(async () => {
    const told = await ask("practice", { rules: $("which").value, scenario: $("scenario").value, seat: $("as").value });
    await open(told.game);
  });
  for (const one of document.querySelectorAll("[data-tab]")) one.onclick = () => tab(one.dataset.tab);
  for (const one of document.querySelectorAll("[data-book]")) one.onclick = () => book(one.dataset.book);
  for (const one of document.querySelectorAll("[data-act]")) one.onclick = () => act(one.dataset.act);
  $("type").onsubmit = careful((event) => { event.preventDefault(); if ($("typed").value.trim()) return add($("typed").value.trim()); });
  $("typed").oninput = careful(async () => {
    const typed = $("typed").value;
    const told = await ask("next", { game: state.game, lines: state.lines, typed });
    const head = typed.slice(0, typed.length - (/\S*$/.exec(typed)[0].length));
    $("fits").replaceChildren(...told.typed.slice(0, 40).map((word) => element("option", undefined, { value: head + word })));
  });
  document.addEventListener("keydown", keys);
  for (const name of ["dragover", "dragleave", "drop"]) document.addEventListener(name, (event) => {
    event.preventDefault();
    document.body.classList.toggle("drop", name === "dragover");
    if (name === "drop" && event.dataTransfer.files[0]) takeFile(event.dataTransfer.files[0]);
  });
  setInterval(() => poll().catch(trouble), 5000);
  document.addEventListener("visibilitychange", () => poll().catch(trouble));
}

function keys(event) {
  if (event.target.matches("input, textarea, select")) { if (event.key === "Escape") event.target.blur(); return; }
  const pans = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };
  const act = {
    Escape: careful(clear), Backspace: undo, "+": () => stage.zoom(1.3), "-": () => stage.zoom(1 / 1.3), 0: () => stage.fit(),
    "/": () => { tab("orders"); $("typed").focus(); }, "?": () => { tab("rules"); $("find").focus(); },
  }[event.key] || (pans[event.key] && (() => stage.pan(...pans[event.key])));
  if (act && !event.ctrlKey && !event.metaKey && !event.altKey) { event.preventDefault(); act(); }
}

async function begin() {
  const given = new URLSearchParams(location.hash.slice(1));
  const token = given.get("token"), game = given.get("game");
  history.replaceState(null, "", "/");
  if (token) sessionStorage.setItem("pbem", (await ask("session", { token })).session);
  asSession(sessionStorage.getItem("pbem") || "");
  if (game) sessionStorage.setItem("pbem-game", game);
  wire();
  const last = sessionStorage.getItem("pbem-game");
  if (last) await open(last).catch(() => games()); else await games();
  working(0);
  document.body.dataset.ready = "yes";
}

begin().catch(trouble);
