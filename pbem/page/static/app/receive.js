// Taking in what came: a dropped file, a pasted mail, a link.
import { follow } from "./address.js";
import { poll } from "./games.js";
import { handed } from "./hand.js";
import { arrived, home } from "./home.js";
import { terms } from "./invite.js";
import { $, careful } from "./page.js";
import { ask } from "./server.js";
import { state } from "./state.js";

export const take = careful(async (given) => {
  const told = await ask("receive", given);
  $("paste").value = "";
  if (told.invitation) { state.me ||= await ask("me"); terms(told.invitation.terms, told.invitation.ticket); return; }
  if (state.game && (!told.games.length || told.games.includes(state.game))) { handed(told); await poll(true); return; }
  if (told.games.length === 1 && !told.files.length) { await follow({ game: told.games[0] }); handed(told); return; }
  await home();
  arrived(told);
});

export async function takeFile(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  await take({ data: btoa(text) });
}
