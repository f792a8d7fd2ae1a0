// Talking to pbem: everything that the page knows comes from there.
let session = "";

export function asSession(known) { session = known; }

export async function ask(path, data = {}) {
  let answer;
  try {
    answer = await fetch(`/api/${path}`, {
      method: "POST", cache: "no-store", credentials: "omit", redirect: "error",
      headers: { "Content-Type": "application/json", "X-Pbem-Session": session },
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
