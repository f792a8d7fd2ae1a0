// The page begins: buttons, keys, addresses, and the token for a session.
import { here, note, onFollow } from "./address.js";
import { refresh } from "./board.js";
import { clear } from "./choose.js";
import { add, undo } from "./draft.js";
import { open, poll } from "./games.js";
import { handed } from "./hand.js";
import { wireHands } from "./hands.js";
import { fetchMail, home, kept, makeKey } from "./home.js";
import { game_chosen, join, newGame, players_chosen, practise, scenario_chosen, seeTerms } from "./invite.js";
import { $, careful, element, trouble, working } from "./page.js";
import { log } from "./log.js";
import { mail } from "./mail.js";
import { book, rules, tab } from "./panels.js";
import { plans } from "./plans.js";
import { take, takeFile } from "./receive.js";
import { ask, session, trade } from "./server.js";
import { act, actSign, dispute, promise, sign, verify } from "./sign.js";
import { stage, state } from "./state.js";
import { switches } from "./tell.js";
import { firstView, followView } from "./view.js";
import { again, filmKey, stop, watching } from "./watch.js";

function wireHome() {
  $("to-games").onclick = careful(() => { note({}); return home(); });
  $("make-key").onsubmit = async (event) => { await makeKey(event); if (state.brought && state.me.key) await take({ text: `#pbem=${state.brought}` }); };
  $("kept").onclick = kept;
  $("mail-part").ontoggle = () => { if ($("mail-part").open) mail(); };
  $("invite").onclick = careful(() => newGame());
  $("take").onclick = () => take({ text: $("paste").value });
  $("file").onchange = () => $("file").files[0] && takeFile($("file").files[0]);
  $("fetch").onclick = fetchMail;
  $("which").onchange = careful(game_chosen);
  $("scenario").onchange = scenario_chosen;
  $("players").onchange = players_chosen;
  $("offer").onsubmit = seeTerms;
  $("practise").onclick = practise;
  $("new-back").onclick = careful(home);
  $("terms-back").onclick = careful(home);
  $("terms-sign").onsubmit = join;
}

function wireTable() {
  wireHands();
  followView();
  $("names").onchange = careful(() => { state.names = $("names").value; state.base = ""; if (state.game) return refresh(); });
  $("in").onclick = () => stage.zoom(1.2);
  $("out").onclick = () => stage.zoom(1 / 1.2);
  $("fit").onclick = () => stage.fit();
  $("undo").onclick = undo;
  $("now").onclick = careful(() => { state.whole = !state.whole; return refresh(); });
  $("look-now").onclick = careful(() => { state.entry = null; note({ game: state.game }); return refresh(); });
  $("older").onclick = () => log(Math.max(0, (state.first || 0) - 60));
  $("sign").onclick = promise;
  $("really").onclick = sign;
  $("not").onclick = () => { $("promise").hidden = true; };
  $("act-sign").onclick = actSign;
  $("act-not").onclick = () => { $("acting").hidden = true; };
  $("verify").onclick = verify;
  $("dispute").onclick = dispute;
  $("see-film").onclick = again;
  $("plans").onclick = plans;
  $("skip").onclick = () => stop();
  $("again").onclick = careful(async () => { handed(await ask("send", { game: state.game })); tab("orders"); });
  $("find").oninput = rules;
  $("say").onsubmit = (event) => { event.preventDefault(); act("say"); };
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
}

function wire() {
  wireHome();
  wireTable();
  switches();
  document.addEventListener("keydown", keys);
  for (const name of ["dragover", "dragleave", "drop"]) document.addEventListener(name, (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    document.body.classList.toggle("drop", name === "dragover");
    if (name === "drop" && event.dataTransfer.files[0]) takeFile(event.dataTransfer.files[0]);
  });
  setInterval(() => poll().catch(trouble), 5000);
  document.addEventListener("visibilitychange", () => poll().catch(trouble));
}

// Enter presses the one main button, unless something else has the focus.
function mainButton() {
  const main = [...document.querySelectorAll("aside .main")].find((one) => one.offsetParent && !one.disabled);
  if (main) main.click();
}

function keys(event) {
  if (event.target.matches("input, textarea, select")) { if (event.key === "Escape") event.target.blur(); return; }
  if (watching() && filmKey(event.key)) { event.preventDefault(); return; }
  const pans = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };
  if (event.key === "Enter" && event.target.matches("button, a, summary")) return;
  const act = {
    Escape: careful(clear), Backspace: undo, f: firstView, Enter: mainButton, "+": () => stage.zoom(1.2), "-": () => stage.zoom(1 / 1.2), 0: () => stage.fit(),
    "/": () => { tab("orders"); $("typed").focus(); }, "?": () => { tab("more"); $("keys-help").open = true; $("keys-help").scrollIntoView(); },
  }[event.key] || (pans[event.key] && (() => stage.pan(...pans[event.key])));
  if (act && state.game && !event.ctrlKey && !event.metaKey && !event.altKey) { event.preventDefault(); act(); }
}

// An address names a game, an entry of it or a rule of it; or it brings something that somebody sent.
async function go(where) {
  if (where.pbem) {
    note({});
    await home();
    if (state.me.key) await take({ text: `#pbem=${where.pbem}` });
    else state.brought = where.pbem;
    return;
  }
  if (!where.game) { await home(); return; }
  tab("orders");
  await open(where.game, /^\d+$/.test(where.entry || "") ? Number(where.entry) : null);
  if (where.rule) { tab("rules"); $("find").value = where.rule; await rules(); }
}

async function begin() {
  const { token, ...where } = here();
  if (token) await trade(token);
  note(where);
  session();
  onFollow(careful(go));
  wire();
  await go(where).catch(async (error) => { if (where.game && error.status === 400) await home(); else throw error; });
  working(0);
  document.body.dataset.ready = "yes";
}

begin().catch(trouble);
