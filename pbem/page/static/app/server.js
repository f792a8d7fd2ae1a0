// Talking to pbem: everything that the page knows comes from there, by a path and a record.
const KEPT = "pbem-session";
let key = "";

// The session that this browser holds for this address: another tab, or a browser started later, goes on with it.
export function session() { key = localStorage.getItem(KEPT) || ""; }

// The token of the address is good once.
export async function trade(token) {
  localStorage.setItem(KEPT, (await ask("session", { token })).session);
}

export async function ask(path, data = {}) {
  let answer;
  try {
    answer = await fetch(`/api/${path}`, {
      method: "POST", cache: "no-store", credentials: "omit", redirect: "error",
      headers: { "Content-Type": "application/json", "X-Pbem-Session": key },
      body: JSON.stringify(data),
    });
  } catch (error) {
    throw new Error("pbem does not run any more: start `pbem open` again");
  }
  const told = await answer.json();
  if (!answer.ok) {
    const problem = new Error([told.error, told.rule && `(rule ${told.rule})`, told.hint && `— ${told.hint}`].filter(Boolean).join(" "));
    problem.status = answer.status;
    problem.told = told;
    throw problem;
  }
  return told;
}

// A site shows a link as a picture, too.
export function besideLink() { return []; }
