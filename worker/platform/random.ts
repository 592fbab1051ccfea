const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The largest multiple of 62 in a byte: higher values would favor the first characters. */
const FAIR = 248;

/** Cryptographically random characters of 0-9, A-Z, and a-z, each equally likely. */
export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(2 * length))) {
      if (byte < FAIR && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

/** A non-negative integer in base 62, left-padded with zeros. */
export function toBase62(value: number, length: number): string {
  let text = "";
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = BASE62[rest % 62] + text;
  return text.padStart(length, "0");
}

/** A new identifier such as `usr_4fK…`: 20 random characters, about 119 bits. */
export function newId(prefix: "req" | "usr" | "key" | "tok" | "reg" | "ses" | "psk" | "evt"): string {
  return `${prefix}_${randomBase62(20)}`;
}
