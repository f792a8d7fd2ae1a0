// Python and pbem in a worker, so that the page never freezes. One request after the other; what a request has
// changed is in the browser's storage before it is answered, so that nothing leaves which could be forgotten.
import { loadPyodide } from "./python/pyodide.mjs";
import * as noble from "./noble.js";

const HOME = "/pbem";
const LOCK = "pbem home";
const say = (kind, more = {}) => postMessage({ kind, ...more });

let files = {};
let python;
let desk;
let release;
let last = Promise.resolve();

// --- what is loaded: every file is held against its digest before it is used

const inflated = (bytes) => new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));

async function body(answer, name) {
  const parts = [];
  const reader = answer.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    parts.push(value);
    say("loaded", { name, bytes: value.length });
  }
}

async function checked(name) {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`${name} is not there (${answer.status})`);
  const bytes = await body(answer, name);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (found !== files[name].sha256) throw new Error(`${name} is not the file that this site was built with`);
  return bytes;
}

// Python asks for a game's code when it imports it: here and now, since an import cannot wait.
function code(name) {
  const request = new XMLHttpRequest();
  request.open("GET", name, false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`${name} cannot be loaded: go online once, then open the game again`);
  return new Uint8Array(request.response);
}

async function load() {
  const versions = await (await fetch("versions.json")).json();
  files = versions.files;
  const wanted = ["python/pyodide.asm.wasm.gz", "python/python_stdlib.zip.gz", "code/pbem.zip"];
  say("begin", { total: wanted.reduce((sum, name) => sum + files[name].size, 0) });
  const [wasm, library, core] = await Promise.all(wanted.map(checked));
  const ready = { "pyodide.asm.wasm": [wasm, "application/wasm"], "python_stdlib.zip": [library, "application/zip"] };
  const direct = globalThis.fetch;
  globalThis.fetch = (wanted, options) => {
    const [bytes, type] = ready[String(wanted.url ?? wanted).split("/").pop()] ?? [];
    return bytes ? Promise.resolve(new Response(inflated(bytes).body, { headers: { "Content-Type": type } })) : direct(wanted, options);
  };
  python = await loadPyodide({ indexURL: new URL("python/", self.location.href).href, env: { HOME: "/pbem" } });
  globalThis.fetch = direct;
  python.registerJsModule("pbem_noble", noble);
  python.registerJsModule("pbem_worker", { code, versions: JSON.stringify(versions) });
  python.unpackArchive(core, "zip", { extractDir: "/lib/pbem" });
}

// --- the home: read when this tab has the lock, written back after every change

const synced = (fromStorage) => new Promise((done, failed) => {
  python.FS.syncfs(fromStorage, (error) => (error ? failed(error) : done()));
});

function held() {
  return new Promise((got) => {
    const hold = (lock) => (lock === null ? got(false) : new Promise((done) => { release = done; got(true); }));
    navigator.locks.request(LOCK, { ifAvailable: true }, hold);
  });
}

async function turn() {
  if (await held()) return;
  say("elsewhere");
  await new Promise((go) => { channel.wanted = go; });
  channel.postMessage("hand over");
  await new Promise((got) => {
    navigator.locks.request(LOCK, () => new Promise((done) => { release = done; got(); }));
  });
}

const channel = new BroadcastChannel(LOCK);
channel.onmessage = async ({ data }) => {
  if (data !== "hand over" || !release) return;
  const given = last;
  last = new Promise(() => {});
  await given;
  release();
  say("gone");
};

async function begin(address) {
  const loading = load();
  await Promise.all([loading, turn()]);
  python.FS.mkdirTree(HOME);
  python.FS.mount(python.FS.filesystems.IDBFS, {}, HOME);
  await synced(true);
  const start = python.runPython("import sys; sys.path.insert(0, '/lib/pbem')\nfrom pbem.site.inside import start\nstart");
  desk = start(HOME, address);
  await synced(false);
  say("ready");
}

async function answer({ id, path, data }) {
  let told;
  try {
    told = JSON.parse(desk(path, JSON.stringify(data)));
    if (told.changed) await synced(false);
  } catch (error) {
    told = { status: 500, error: `something went wrong (${error.name})`, hint: "load the page again", rule: "" };
    console.error(error.message);
  }
  say("answer", { id, ...told });
}

onmessage = ({ data }) => {
  if (data.kind === "begin") begin(data.address).catch((error) => say("failed", { error: error.message }));
  else if (data.kind === "here") channel.wanted?.();
  else last = last.then(() => answer(data));
};
