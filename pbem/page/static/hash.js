"use strict";
// SHA-256, HMAC and the protocol's encoding, so that dice can be checked wherever the file is opened:
// crypto.subtle is missing on plain http under a name.
const Chance = (() => {
  const K = new Uint32Array(64);
  const FIRST = new Uint32Array(8);
  (() => {
    let found = 0;
    const frac = (x) => ((x - Math.floor(x)) * 4294967296) >>> 0;
    for (let n = 2; found < 64; n++) {
      let prime = true;
      for (let d = 2; d * d <= n; d++) if (n % d === 0) { prime = false; break; }
      if (!prime) continue;
      if (found < 8) FIRST[found] = frac(Math.sqrt(n));
      K[found++] = frac(Math.cbrt(n));
    }
  })();

  function sha256(message) {
    const length = message.length;
    const padded = new Uint8Array(((length + 8 >> 6) + 1) << 6);
    padded.set(message);
    padded[length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setUint32(padded.length - 8, Math.floor(length / 536870912));
    view.setUint32(padded.length - 4, (length << 3) >>> 0);
    const h = FIRST.slice(), w = new Uint32Array(64);
    for (let at = 0; at < padded.length; at += 64) {
      for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + 4 * i);
      for (let i = 16; i < 64; i++) {
        const a = w[i - 15], b = w[i - 2];
        const s0 = (a >>> 7 | a << 25) ^ (a >>> 18 | a << 14) ^ (a >>> 3);
        const s1 = (b >>> 17 | b << 15) ^ (b >>> 19 | b << 13) ^ (b >>> 10);
        w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
      }
      let [a, b, c, d, e, f, g, k] = h;
      for (let i = 0; i < 64; i++) {
        const s1 = (e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7);
        const t1 = (k + s1 + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
        const s0 = (a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10);
        const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        k = g; g = f; f = e; e = (d + t1) | 0; d = c; c = b; b = a; a = (t1 + t2) | 0;
      }
      h[0] += a; h[1] += b; h[2] += c; h[3] += d; h[4] += e; h[5] += f; h[6] += g; h[7] += k;
    }
    const out = new Uint8Array(32), made = new DataView(out.buffer);
    h.forEach((value, i) => made.setUint32(4 * i, value));
    return out;
  }

  function hmac(key, message) {
    const inner = new Uint8Array(64 + message.length).fill(0x36, 0, 64);
    const outer = new Uint8Array(96).fill(0x5c, 0, 64);
    for (let i = 0; i < key.length; i++) { inner[i] ^= key[i]; outer[i] ^= key[i]; }
    inner.set(message, 64);
    outer.set(sha256(inner), 64);
    return sha256(outer);
  }

  const text = new TextEncoder();
  const hex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
  function unhex(written) {
    const out = new Uint8Array(written.length / 2);
    for (let i = 0; i < out.length; i++) out[i] = parseInt(written.substr(2 * i, 2), 16);
    return out;
  }
  function join(parts) {
    const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) { out.set(part, at); at += part.length; }
    return out;
  }
  function lp(part) {
    const bytes = part instanceof Uint8Array ? part : text.encode(String(part));
    const out = new Uint8Array(4 + bytes.length);
    new DataView(out.buffer).setUint32(0, bytes.length);
    out.set(bytes, 4);
    return out;
  }
  const encode = (label, ...parts) => join([lp("pbem/v2/" + label), ...parts.map(lp)]);
  const digest = (label, ...parts) => sha256(encode(label, ...parts));
  const keyed = (secret, label, ...parts) => hmac(secret, encode(label, ...parts));

  // The first value below the bound among the whole groups of just enough bits.
  function integer(seed, request, index, bound) {
    if (bound === 1) return 0;
    let width = 0;
    while (2 ** width < bound) width++;
    for (let block = 0; ; block++) {
      const bits = keyed(seed, "integer", request, index, block);
      for (let at = 0; at + width <= 256; at += width) {
        let value = 0;
        for (let i = at; i < at + width; i++) value = value * 2 + ((bits[i >> 3] >> (7 - (i & 7))) & 1);
        if (value < bound) return value;
      }
    }
  }

  return { sha256, hmac, digest, keyed, integer, hex, unhex, join, lp, text };
})();
