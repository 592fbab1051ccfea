import { INVISIBLE } from "../../../contract/invisible.ts";

/**
 * Removes what surrounds a number in links, contact files, and chats, and what can't be seen. What remains is the text
 * that a person would read as the number.
 */

/** Dashes that libphonenumber doesn't know, such as the one of half-width Japanese. */
const DASHES = /[\p{Pd}\u207B\uFF70]/gu;
/** UTF-8 read as Latin-1 or Windows-1252: a no-break space and a dash. */
const MOJIBAKE: readonly (readonly [RegExp, string])[] = [
  [/Â(?=[\u00A0 ])/g, ""],
  [/â€[\u0090-\u0095‘’“”]/g, "-"],
];
/** HTML's entities for characters that numbers have. */
const ENTITY = /&(?:#(\d{1,4})|#x([\da-f]{1,4})|(nbsp|plus|lpar|rpar|amp));/gi;
const NAMED_ENTITIES: Readonly<Record<string, string>> = { nbsp: " ", plus: "+", lpar: "(", rpar: ")", amp: "&" };
/** Signs in full width. */
const FULL_WIDTH = /[（）：＃＊＋，；～]/g;
/** Marks of bold and code around a text, as chats have them. */
const MARKED = /^\s*([*_`~]{1,2})([^*_`~]+)\1\s*$/;
/** An encoded plus sign before digits, or plus signs in place of spaces after one. */
const ENCODED_PLUS = /^%2B(?=[\d ])/i;
const PLUS_AS_SPACE = /^\+\d{1,3}(?:\+\d+){2,}$/;
const LINE_BREAKS = /[\r\n\v\f\u0085\u2028\u2029]+/g;
/** Digits of every script but ASCII. */
const FOREIGN_DIGITS = /[^\P{Nd}0-9]/gu;
const DIGIT = /\p{Nd}/u;

/** A contact in WhatsApp's protocol, possibly on one of its devices. Groups (@g.us) and hidden numbers (@lid) differ. */
const WHATSAPP_CONTACT = /^(\d{7,15})(?::\d+)?@(?:s\.whatsapp\.net|c\.us)$/i;
/** Its links, whose numbers are international too. */
const WHATSAPP_LINK =
  /^(?:(?:https?:\/\/)?(?:wa\.me\/|(?:api|web)\.whatsapp\.com\/send\/?\?phone=)|whatsapp:\/\/send\/?\?phone=)\+?(\d{6,15})(?:[/?&].*)?$/i;
/** Only a global number. `sip:1001@…` is a user of a server. */
const SIP = /^sips?:(\+[^@;]+)(?:[@;].*)?$/i;
const LINK = /^(?:tel|sips?|callto|sms|whatsapp):/i;
/** What a link says besides the number: ?body=hi. */
const QUERY = /\?.*$/s;
/** A property of a vCard, with its parameters or group. */
const VCARD = /^(?:(?:[\w-]+\.)?tel;[^:]*|[\w-]+\.tel):(.*)$/is;
/** vCard and some exports escape separators. */
const ESCAPED = /\\([,;])/g;

/** The text of a number as a person reads it, with ASCII digits and line breaks as `\n`. */
export function unwrap(input: string): string {
  const readable = repaired(input).replace(INVISIBLE, "").replace(LINE_BREAKS, "\n").replace(/\t/g, " ");
  const text = readable.replace(FOREIGN_DIGITS, toAscii).replace(DASHES, "-").trim();
  const [, contact] = WHATSAPP_CONTACT.exec(text) ?? WHATSAPP_LINK.exec(text) ?? [];
  if (contact !== undefined) return `+${contact}`;
  const value = (VCARD.exec(text)?.[1] ?? text).replace(ESCAPED, "$1");
  const decoded = LINK.test(value) ? percentDecoded(value.replace(QUERY, "")) : value;
  return SIP.exec(decoded)?.[1] ?? decoded;
}

/** A text without the traces of a wrong encoding, of HTML, and of addresses. */
function repaired(input: string): string {
  const text = MOJIBAKE.reduce((left, [pattern, replacement]) => left.replace(pattern, replacement), input)
    .replace(ENTITY, (_, decimal?: string, hex?: string, name?: string) =>
      name === undefined
        ? String.fromCharCode(decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal))
        : NAMED_ENTITIES[name.toLowerCase()]!,
    )
    .replaceAll("\u301C", "~")
    .replace(FULL_WIDTH, (sign) => sign.normalize("NFKC"))
    .replace(ENCODED_PLUS, "+");
  const [, , bold = text] = MARKED.exec(text) ?? [];
  if (bold !== text) return repaired(bold);
  return PLUS_AS_SPACE.test(text) ? `+${text.slice(1).replaceAll("+", " ")}` : text;
}

/** Digits seen so far, in ASCII. */
const asciiDigits = new Map<string, string>();

function toAscii(digit: string): string {
  let ascii = asciiDigits.get(digit);
  if (ascii === undefined) asciiDigits.set(digit, (ascii = String(valueOf(digit))));
  return ascii;
}

/** A script's digits 0 to 9 follow each other, at times after another set of ten. */
function valueOf(digit: string): number {
  const plain = digit.normalize("NFKC");
  if (plain >= "0" && plain <= "9") return Number(plain);
  const code = digit.codePointAt(0)!;
  let before = 0;
  while (DIGIT.test(String.fromCodePoint(code - before - 1))) before++;
  return before % 10;
}

function percentDecoded(link: string): string {
  try {
    return decodeURIComponent(link);
  } catch {
    return link;
  }
}
