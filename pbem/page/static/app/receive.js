// Taking in what came: a dropped file, a pasted mail.
import { games, poll } from "./games.js";
import { $, careful } from "./page.js";
import { ask } from "./server.js";
import { handed } from "./sign.js";
import { state } from "./state.js";

export const take = careful(async (given) => {
  const told = await ask("receive", given);
  $("received").textContent = told.said.join("\n");
  if (state.game) { handed({ said: told.said, files: [] }); await poll(true); } else await games();
});

export async function takeFile(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  await take({ data: btoa(text) });
}
