// The site without a network: all its files, kept under the digest of this version.
// A newer version waits until the player says so; nothing changes in the middle of a game.
const VERSION = "@digest@";
const MINE = `pbem ${registration.scope} `;

const integrity = (hex) => `sha256-${btoa(String.fromCharCode(...hex.match(/../g).map((byte) => parseInt(byte, 16))))}`;

async function install() {
  const versions = await (await fetch("versions.json", { cache: "no-store" })).json();
  if (versions.digest !== VERSION) throw new Error("the host is changing the site");
  const cache = await caches.open(MINE + VERSION);
  const listed = Object.entries(versions.files).map(([name, { sha256 }]) => [name, { integrity: integrity(sha256), cache: "no-cache" }]);
  for (const [name, options] of [...listed.filter(([name]) => name !== "_headers"), ["versions.json", { cache: "no-cache" }]]) {
    const answer = await fetch(name, options);
    if (!answer.ok) throw new Error(`${name} is not there`);
    await cache.put(name === "index.html" ? "./" : name, answer);
  }
}

async function clean() {
  for (const name of await caches.keys()) if (name.startsWith(MINE) && name !== MINE + VERSION) await caches.delete(name);
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(clean()));
addEventListener("message", ({ data }) => { if (data === "use it") skipWaiting(); });
addEventListener("fetch", (event) => {
  const { url, method } = event.request;
  if (method !== "GET" || !url.startsWith(registration.scope)) return;
  const name = url.slice(registration.scope.length).split(/[?#]/)[0];
  const wanted = name === "index.html" ? "./" : name || "./";
  event.respondWith(caches.open(MINE + VERSION).then((cache) => cache.match(wanted)).then((kept) => kept ?? fetch(event.request)));
});
