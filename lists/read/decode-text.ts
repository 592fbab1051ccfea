/** The encodings of files that aren't Unicode, as both the detector and browsers know them. */
const ENCODINGS = [
  "windows-1252",
  "windows-1250",
  "windows-1251",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "windows-1257",
  "iso-8859-2",
  "koi8-r",
  "tis-620",
  "shift_jis",
  "euc-jp",
  "gb18030",
  "big5",
  "euc-kr",
];
/** The most common of them, chosen unless another is clearly likelier: few accents tell little. */
const USUAL = { encoding: "windows-1252", share: 0.8 };
/** How many bytes the detector reads, from the first that isn't ASCII. */
const SAMPLE_BYTES = 100_000;

/** Which half of the 16-bit units is zero, as in ASCII text: null for neither. */
function utf16Without(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  const start = bytes.subarray(0, 4096);
  const zeros = [0, 0];
  for (const [at, byte] of start.entries()) if (byte === 0) zeros[at % 2]! += 1;
  const [even = 0, odd = 0] = zeros;
  const most = start.length / 4;
  if (odd > most && even === 0) return "utf-16le";
  return even > most && odd === 0 ? "utf-16be" : null;
}

/** Text in UTF-8; a few damaged characters become U+FFFD. Null if it is another encoding. */
function utf8Of(bytes: Uint8Array): string | null {
  const text = new TextDecoder().decode(bytes);
  const damaged = text.match(/\uFFFD/g)?.length ?? 0;
  // Other encodings hardly ever have the byte sequences of a UTF-8 character.
  return damaged === 0 || (text.match(/[^\0-\x7F\uFFFD]/gu)?.length ?? 0) > damaged ? text : null;
}

/** The likeliest encoding of a text that isn't Unicode. Loads the detector, which is large. */
async function detect(bytes: Uint8Array): Promise<string> {
  const { detectAll } = await import("jschardet");
  const first = bytes.findIndex((byte) => byte > 0x7f);
  const sample = bytes.subarray(first, first + SAMPLE_BYTES);
  const [best, ...others] = detectAll(sample, { detectEncodings: ENCODINGS, minimumThreshold: 0 });
  const usual = others.find(({ encoding }) => encoding?.toLowerCase() === USUAL.encoding);
  if (!best?.encoding || (usual && usual.confidence >= best.confidence * USUAL.share)) return USUAL.encoding;
  return best.encoding;
}

/** A file's text: UTF-8 or UTF-16, with or without BOM, else the likeliest encoding. Null if it is not text. */
export async function decodeText(bytes: Uint8Array): Promise<string | null> {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes.subarray(0, 4096).includes(0)) {
    const encoding = utf16Without(bytes);
    return encoding === null ? null : new TextDecoder(encoding).decode(bytes);
  }
  return utf8Of(bytes) ?? new TextDecoder(await detect(bytes)).decode(bytes);
}
