// The primitives of pbem by the noble libraries: bytes in, bytes out, undefined for what is refused.
// noble.py beside this file calls each of them; the same vectors hold for it and for native.py.
import { ed25519, x25519 as curve, _map_to_curve_elligator2_curve25519 as elligator2 } from "@noble/curves/ed25519.js";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { scrypt as scryptOf } from "@noble/hashes/scrypt.js";
import { chacha20poly1305 } from "@noble/ciphers/chacha.js";
import { cbc, ctr, gcm } from "@noble/ciphers/aes.js";
import bcrypt from "bcrypt-pbkdf";

const { Point } = ed25519;
const { Fp, Fn } = Point;

const refusing = (work) => (...parts) => {
  try {
    return work(...parts);
  } catch {
    return undefined;
  }
};

function number(bytes) {
  let found = 0n;
  for (let at = bytes.length - 1; at >= 0; at--) found = (found << 8n) | BigInt(bytes[at]);
  return found;
}

function joined(...parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

// --- points that were read or made lately, so that a deck is not decoded again for every step of a proof

const MOST = 4096;
const known = new Map();
const checked = new WeakSet();

function kept(name, point) {
  if (known.size >= MOST) known.delete(known.keys().next().value);
  known.set(name, point);
  return point;
}

function decoded(bytes) {
  const name = String.fromCharCode(...bytes);
  return known.get(name) ?? kept(name, Point.fromBytes(bytes, false));
}

function encoded(point) {
  const bytes = point.toBytes();
  kept(String.fromCharCode(...bytes), point);
  return bytes;
}

function ofGroup(bytes) {
  const point = decoded(bytes);
  if (!checked.has(point)) {
    if (point.is0() || !point.isTorsionFree()) throw new Error("not of the group");
    checked.add(point);
  }
  return point;
}

function made(point) {
  if (point.is0()) throw new Error("zero");
  checked.add(point);
  return encoded(point);
}

// --- signatures and exchange

export const ed25519Public = refusing((seed) => ed25519.getPublicKey(seed));
export const ed25519Sign = refusing((seed, message) => ed25519.sign(message, seed));

// The R that a signature must begin with: noble's own `verify` allows a cofactor, and OpenSSL does not.
export const ed25519Expected = refusing((key, s, r, message) => {
  const challenge = Fn.create(number(sha512(joined(r, key, message))));
  return Point.BASE.multiplyUnsafe(number(s)).subtract(decoded(key).multiplyUnsafe(challenge)).toBytes();
});

export const x25519Public = refusing((secret) => curve.getPublicKey(secret));
export const x25519 = refusing((secret, key) => curve.getSharedSecret(secret, key));

// --- keys and ciphers

export const hkdfSha256 = refusing((secret, salt, info, length) => hkdf(sha256, secret, salt, info, length));
export const scrypt = refusing((password, salt, N, r, p, dkLen) => scryptOf(password, salt, { N, r, p, dkLen }));
export const chacha20poly1305Encrypt = refusing((key, nonce, text, known) => chacha20poly1305(key, nonce, known).encrypt(text));
export const chacha20poly1305Decrypt = refusing((key, nonce, text, known) => chacha20poly1305(key, nonce, known).decrypt(text));
export const aes256GcmDecrypt = refusing((key, nonce, text) => gcm(key, nonce).decrypt(text));
export const aes256Ctr = refusing((key, counter, data) => ctr(key, counter).decrypt(data));
export const aes256CbcDecrypt = refusing((key, iv, data) => cbc(key, iv, { disablePadding: true }).decrypt(data));

export const bcryptPbkdf = refusing((password, salt, length, rounds) => {
  const key = new Uint8Array(length);
  const failed = bcrypt.pbkdf(password, password.length, salt, salt.length, key, length, rounds);
  return failed ? undefined : key;
});

// --- the group of edwards25519

export const checkedPoint = refusing((bytes) => ofGroup(bytes).toBytes());
export const multiplyBase = refusing((scalar) => made(Point.BASE.multiply(Fn.create(number(scalar)))));
export const multiply = refusing((scalar, point) => made(ofGroup(point).multiply(Fn.create(number(scalar)))));
export const add = refusing((p, q) => encoded(decoded(p).add(decoded(q))));
export const subtract = refusing((p, q) => encoded(decoded(p).subtract(decoded(q))));

// As libsodium maps it: the last bit is the sign of x, the other 255 bits are the field's element.
export const fromUniform = refusing((bytes) => {
  const sign = bytes[31] & 0x80;
  const { xMn, xMd } = elligator2(Fp.create(number(bytes) & ((1n << 255n) - 1n)));
  const encoding = Fp.toBytes(Fp.div(Fp.sub(xMn, xMd), Fp.add(xMn, xMd)));
  encoding[31] |= sign;
  return made(Point.fromBytes(encoding, false).multiplyUnsafe(8n));
});
