// Signing: first what it means, then the signature; and what is handed over afterwards.
import { refresh } from "./board.js";
import { drafted, poll } from "./games.js";
import { handed, parcels } from "./hand.js";
import { $, careful, element } from "./page.js";
import { tab } from "./panels.js";
import { ask } from "./server.js";
import { state } from "./state.js";
import { news } from "./watch.js";

let ticket = null, acting = null;

export const promise = careful(async () => {
  const told = await ask("promise", { game: state.game, lines: state.lines });
  ticket = told;
  $("promised").replaceChildren(element("li", `as ${told.as}, after ${told.fingerprint.slice(0, 12)}`), ...told.lines.map((line) => element("li", line)));
  $("promise").hidden = false;
  $("really").focus();
});

export const sign = careful(async () => {
  const told = await ask("play", { game: state.game, lines: state.lines, ticket: ticket.ticket, fingerprint: ticket.fingerprint });
  $("promise").hidden = true;
  const before = state.entries;
  await drafted();
  handed(told);
  await refresh();
  await news(before);
});

// What the form beside each button says, as the words that its command takes.
const forms = {
  takeback: () => [$("back-to").value.trim()].filter(Boolean),
  absence: () => [$("until").value],
  back: () => ["now"],
  standing: () => [$("kind").value.trim(), ...$("answers").value.split("\n").map((line) => line.trim()).filter(Boolean)],
  revoke: () => [$("kind").value.trim()],
  say: () => [$("words-said").value],
};

export const act = careful(async (named) => {
  const words = (forms[named] || (() => []))(), what = named === "back" ? "absence" : named;
  const told = await ask("act", { game: state.game, what, words });
  acting = { what, words, ticket: told.ticket };
  $("act-means").textContent = told.promise;
  $("acting").hidden = false;
  $("act-sign").focus();
});

export const actSign = careful(async () => {
  const told = await ask("act", { game: state.game, ...acting });
  $("acting").hidden = true;
  handed(told);
  tab("orders");
  await poll(true);
});

// --- proof

export const verify = careful(async () => {
  $("verified").textContent = "Checking every entry again…";
  const told = await ask("verify", { game: state.game });
  $("verified").replaceChildren(element("p", told.ok ? "Verified." : "Not in order.", { class: told.ok ? "good" : "bad" }), ...told.said.map((line) => element("p", line)));
});

export const dispute = careful(async () => {
  $("verified").textContent = "Judging…";
  $("verified").replaceChildren(...parcels(await ask("dispute", { game: state.game })));
});
