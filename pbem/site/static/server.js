// Talking to pbem, which runs in a worker of this page: everything that the page knows comes from there.
import { began, elsewhere, failed, keyed, loading, ready, scanned, unlocked } from "../keeping.js";

const worker = new Worker(new URL("../worker.js", import.meta.url), { type: "module" });
const LOCKED = 428;
const waiting = new Map();
let next = 0;
let start;
const started = new Promise((done) => { start = done; });

worker.onmessage = ({ data }) => {
  if (data.kind === "answer") { waiting.get(data.id)(data); waiting.delete(data.id); }
  else if (data.kind === "begin") began(data.total);
  else if (data.kind === "loaded") loading(data.bytes);
  else if (data.kind === "ready") { start(); ready(ask); }
  else if (data.kind === "failed") failed(data.error);
  else elsewhere(data.kind === "gone", () => (data.kind === "gone" ? location.reload() : worker.postMessage({ kind: "here" })));
};
worker.onerror = (event) => failed(event.message || "the worker could not be started");
worker.postMessage({ kind: "begin", address: location.origin + location.pathname });

// A site needs no session: the worker belongs to this page alone.
export function session() {}
export async function trade() {}

export async function ask(path, data = {}) {
  await started;
  const id = next++;
  const told = await new Promise((done) => { waiting.set(id, done); worker.postMessage({ id, path, data }); });
  if (told.status === LOCKED) return unlocked(ask).then(() => ask(path, data));
  if (told.status !== 200) {
    const problem = new Error([told.error, told.rule && `(rule ${told.rule})`, told.hint && `— ${told.hint}`].filter(Boolean).join(" "));
    problem.status = told.status;
    problem.told = told;
    throw problem;
  }
  if (path === "key") keyed();
  return told.told;
}

// A phone beside this screen takes a link in by its camera.
export function besideLink(link) { return scanned(link); }
