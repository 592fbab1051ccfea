const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The largest multiple of 62 in a byte: higher values would favor the first characters. */
const FAIR = 248;

/** Cryptographically random characters of 0-9, A-Z, and a-z, each equally likely. */
export function randomBase62(length: number): string {
  const codes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const bytes = crypto.getRandomValues(new Uint8Array(2 * length));
    // By index: an iterator takes twice as long.
    for (let at = 0; at < bytes.length && filled < length; at++) {
      if (bytes[at]! < FAIR) codes[filled++] = BASE62.charCodeAt(bytes[at]! % 62);
    }
  }
  return new TextDecoder().decode(codes);
}

/** Random characters for ids, which are not secret. Secrets get fresh bytes. */
let pool = "";
let used = 0;

function pooledBase62(length: number): string {
  if (used + length > pool.length) {
    pool = randomBase62(4_000);
    used = 0;
  }
  used += length;
  return pool.slice(used - length, used);
}

/** A non-negative integer in base 62, left-padded with zeros. */
export function toBase62(value: number, length: number): string {
  let text = "";
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = BASE62[rest % 62] + text;
  return text.padStart(length, "0");
}

/** A new identifier such as `usr_4fK…`: 20 random characters, about 119 bits. */
export function newId(prefix: "req" | "usr" | "key" | "tok" | "reg" | "ses" | "psk" | "evt"): string {
  // Joined, because JSON.stringify is slower for text built with `+`.
  return [prefix, pooledBase62(20)].join("_");
}
