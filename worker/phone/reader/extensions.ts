/**
 * Words for "extension", which stand before its digits: `+49 30 1234 App. 56`. Each is for the calling codes where people
 * write it, or for all.
 */
const EXTENSION_WORDS: readonly (readonly [callingCodes: readonly string[] | "*", words: string])[] = [
  // libphonenumber's own, and English
  ["*", "e?xt(?:ensi(?:on|o|ón))?n?s?|anexo|int|option|opt|press|dial"],
  [["1", "63"], "local|loc"],
  // German
  ["*", "app(?:arat)?|durchwahl|dw|klappe|nebenstelle|nst|intern"],
  [["43", "49", "41", "423"], "kl"],
  // French, Portuguese, Spanish, Italian
  ["*", "poste|ramal|ramais|r|extensão|interno"],
  // Dutch, Polish, Czech and Slovak, Hungarian, Romanian
  ["*", "toestel|tst|binnenlijn|lok|wewn(?:ętrzny)?|wew|linka|klapka|mellék|interior"],
  // Swedish, Danish and Norwegian, Finnish, Turkish, Vietnamese
  ["*", "anknytning|ankn|lokal|linje|ekst|alanumero|alanro|dahili|máy lẻ"],
  // Russian and Ukrainian, Greek
  ["*", "доб(?:авочный|авочний)?|доп|внутр(?:енний|ішній)?|вн|εσωτ(?:ερικό)?"],
  // Hebrew, Arabic and Persian, Thai
  ["*", "שלוחה|פנימי|تحويلة|داخلی|ต่อ|กด"],
  // Chinese, Japanese, Korean
  ["*", "分机|分機|转|轉|内線|内线|内線番号|内|내선"],
];

/** All separators before a word. Searches begin at the first one only, which keeps their time linear. */
const BEFORE = String.raw`(?<![ ,;-])(?:(?<=^|[\s\d)\].])|[ ,;-])[ ,;-]*(?:[([] *)?`;
const AFTER = String.raw`[ .:#-]*(?:n(?:[ro]|umber)?\.? *)?`;
const END = String.raw`[ )\]#]*$`;
const EXTENSION = String.raw`(\d{1,9})(?:(?:[ /,&]|or|oder|und|and|et|ou|u\.|e|y|[xX])+(\d{1,6}))?`;

const patterns = new Map<string, RegExp>();

/** Matches an extension word and what follows it up to the end: its extension, and a second one. */
function wordAtEnd(callingCode: string | undefined): RegExp {
  const key = callingCode ?? "";
  let pattern = patterns.get(key);
  if (pattern === undefined) {
    const words = EXTENSION_WORDS.filter(([codes]) => codes === "*" || codes.includes(key)).map(([, list]) => list);
    const word = String.raw`(?:(?<!\p{L})(?:${words.join("|")})(?!\p{L})|\*|(?<=\d)[pw](?=\d))`;
    pattern = new RegExp(`${BEFORE}${word}${AFTER}${EXTENSION}${END}`, "iu");
    patterns.set(key, pattern);
  }
  return pattern;
}

/** After signs that alone are the grammar's business. */
const TWO_EXTENSIONS = /(?<=\d) *[x#] *(\d{1,6}) *(?:\/|or|,) *(\d{1,6})$/i;
/** China's usual form: area code, number, extension. */
const CHINESE_EXTENSION = /(?<=^[ (]*(?:\+?86[ -])?0?\d{2,3}[ )-]*\d{7,8})-(\d{1,6})$/;

function chineseExtension(text: string, callingCode: string | undefined): RegExpExecArray | null {
  return callingCode === "86" ? CHINESE_EXTENSION.exec(text) : null;
}

/** A star is a mark only after a whole number: several group one. */
const STAR_AFTER_NUMBER = /^[^*]*\d(?:[^*\d]?\d){5}[^*\d]*\*[^*]*$/;

/** An extension at the end of a text, and a second one if there are two; null if nothing but the grammar's signs mark one. */
export function findExtension(text: string, callingCode: string | undefined) {
  const composed = text.normalize("NFC");
  const match =
    wordAtEnd(callingCode).exec(composed) ?? TWO_EXTENSIONS.exec(composed) ?? chineseExtension(composed, callingCode);
  if (match === null || (match[0].includes("*") && !STAR_AFTER_NUMBER.test(composed))) return null;
  return { rest: composed.slice(0, match.index), extension: match[1]!, second: match[2] ?? null };
}
