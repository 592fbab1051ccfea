/**
 * libphonenumber's grammar of a text with one number (phonenumberutil.js of 9.0.40, Apache-2.0): what the rules leave is
 * read by it. Accepts ASCII, fullwidth, Arabic-Indic, and Eastern Arabic-Indic digits. Unlike libphonenumber, accepts every
 * Unicode space.
 */

/** What a text says to dial. */
export interface Dialed {
  /** ASCII. */
  readonly digits: string;
  /** Whether a plus sign stands before them. */
  readonly hasPlus: boolean;
  /** In ASCII digits, or null. */
  readonly extension: string | null;
}

/** At least three digits, and only these separators: there is no extension, second number, or text to look for. */
const PLAIN = /^\(?\d(?:[ ().-]*\d){2,}$/;
const SEPARATORS = /[ ().-]+/g;

/** Null if the text contains no number. */
export function readDialed(text: string): Dialed | null {
  if (PLAIN.test(text)) return { digits: text.replace(SEPARATORS, ""), hasPlus: false, extension: null };
  const candidate = extractNumber(text);
  if (!isViable(candidate)) return null;
  const { rest, extension } = splitExtension(candidate);
  return { digits: toDigits(rest), hasPlus: hasLeadingPlus(rest), extension };
}

/**
 * Unicode spaces (Zs) that PUNCTUATION lacks. U+202F appears in French numbers, U+2007 and U+2009 in typeset ones.
 */
const OTHER_SPACES = /[\u1680\u2000-\u200A\u202F\u205F]/g;

const DIGITS = "0-9\uFF10-\uFF19\u0660-\u0669\u06F0-\u06F9";
const PLUS = "+\uFF0B";
const PUNCTUATION =
  "-x\u2010-\u2015\u2212\u30FC\uFF0D-\uFF0F \u00A0\u00AD\u200B\u2060\u3000()\uFF08\uFF09\uFF3B\uFF3D.\\[\\]/~\u2053\u223C\uFF5E";

/** An extension's digits. The more ambiguous its marker, the fewer are allowed. */
function extensionDigits(longest: number): string {
  return `([${DIGITS}]{1,${longest}})`;
}

const BETWEEN = "[ \u00A0\\t,-]*";
/** All separators before a marker. Searches begin at the first one only, which keeps their time linear. */
const BEFORE = "(?<![ \u00A0\\t,])[ \u00A0\\t,]*";
/** After these markers, digits are always an extension. */
const NAMED_EXTENSION = [
  `;ext=${extensionDigits(20)}`,
  `${BEFORE}(?:e?xt(?:ensi(?:o\u0301?|\u00F3))?n?|\uFF45?\uFF58\uFF54\uFF4E?|\u0434\u043E\u0431|anexo)[:\\.\uFF0E]?${BETWEEN}${extensionDigits(20)}#?`,
  `${BEFORE}(?:[x\uFF58#\uFF03~\uFF5E]|int|\uFF49\uFF4E\uFF54)[:\\.\uFF0E]?${BETWEEN}${extensionDigits(9)}#?`,
  `[- ]+${extensionDigits(6)}#`,
];
const EXTENSION = [
  ...NAMED_EXTENSION,
  `[ \u00A0\\t]*(?:,{2}|;)[:\\.\uFF0E]?${BETWEEN}${extensionDigits(15)}#?`,
  `[ \u00A0\\t]*(?:,)+[:\\.\uFF0E]?${BETWEEN}${extensionDigits(9)}#?`,
].join("|");

const NAMED_EXTENSION_AT_END = new RegExp(`(?:${[...NAMED_EXTENSION, ",,.*"].join("|")})$`, "i");
const EXTENSION_AT_END = new RegExp(`(?:${EXTENSION})$`, "i");
const VIABLE = new RegExp(
  `^[${DIGITS}]{2}$|^[${PLUS}]*(?:[${PUNCTUATION}*]*[${DIGITS}]){3}[${PUNCTUATION}*A-Za-z${DIGITS}]*(?:${EXTENSION})?$`,
  "i",
);
const START = new RegExp(`[${PLUS}${DIGITS}]`);
/** Searches begin only where such a run does, which keeps their time linear. */
const UNWANTED_END = new RegExp(`(?<=^|[${DIGITS}A-Za-z#])[^${DIGITS}A-Za-z#]+$`);
const SECOND_NUMBER = /[\\/] *x/;
const LEADING_PLUS = new RegExp(`^[${PLUS}]+`);
const VANITY = /[A-Za-z](?:[^A-Za-z]*[A-Za-z]){2}/;
/** The keypad digits for the letters A to Z (ITU-T E.161). */
const KEYPAD = "22233344455566677778889999";

const CONTEXT_DIGIT = `[${DIGITS}.()-]`;
const GLOBAL_CONTEXT = new RegExp(`^\\+${CONTEXT_DIGIT}*[${DIGITS}]${CONTEXT_DIGIT}*$`);
const ALPHANUMERIC = `A-Za-z${DIGITS}`;
const LABEL_END = `(?:[-${ALPHANUMERIC}]*[${ALPHANUMERIC}])?`;
const DOMAIN_CONTEXT = new RegExp(`^(?:[${ALPHANUMERIC}]${LABEL_END}\\.)*[A-Za-z]${LABEL_END}\\.?$`);
const PHONE_CONTEXT = ";phone-context=";

/**
 * Extracts the part of an input that may be a phone number: from the first digit or plus sign to the last digit, letter,
 * or #, excluding a second number. For a `tel:` URI (RFC 3966), the number with its global context in front. Empty if
 * there is none.
 */
export function extractNumber(input: string): string {
  const text = input.replace(OTHER_SPACES, " ");
  const number = text.includes(PHONE_CONTEXT) ? extractFromUri(text) : extractFromText(text);
  const subaddress = number.indexOf(";isub=");
  return shortenSeparators(subaddress > 0 ? number.slice(0, subaddress) : number);
}

/**
 * Shortens runs of a separator to two, which are equivalent. Two commas mark a longer extension than one. In longer runs,
 * the extension patterns would take cubic time.
 */
function shortenSeparators(text: string): string {
  return text.replace(/([ \u00A0\t,-])\1{2,}/g, "$1$1");
}

/** Whether a text looks like a phone number with an optional extension: two digits, or at least three with punctuation. */
export function isViable(text: string): boolean {
  return VIABLE.test(text);
}

/** Splits a viable number into the number and its extension, in ASCII digits, or null if there is none. */
export function splitExtension(text: string): { readonly rest: string; readonly extension: string | null } {
  const match = EXTENSION_AT_END.exec(text);
  if (match !== null) {
    const rest = text.slice(0, match.index);
    const extension = match.slice(1).find((group) => group);
    if (extension !== undefined && isViable(rest)) return { rest, extension: keepDigits(extension, false) };
  }
  return { rest: text, extension: null };
}

/** A text without the extension that a word, `x`, `#`, or two commas introduce. */
export function withoutNamedExtension(text: string): string {
  return text.replace(NAMED_EXTENSION_AT_END, "");
}

/** Whether the number starts with a plus sign, ASCII or fullwidth. */
export function hasLeadingPlus(text: string): boolean {
  return LEADING_PLUS.test(text);
}

export function stripLeadingPlus(text: string): string {
  return text.replace(LEADING_PLUS, "");
}

const DIGITS_ONLY = /^\d+$/;

/** The ASCII digits of a number. With three or more letters, it's a vanity number, and letters become keypad digits. */
export function toDigits(text: string): string {
  return DIGITS_ONLY.test(text) ? text : keepDigits(text, VANITY.test(text));
}

function keepDigits(text: string, lettersToo: boolean): string {
  let digits = "";
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0x30 && code <= 0x39) digits += text[index];
    else if (code >= 0xff10 && code <= 0xff19) digits += code - 0xff10;
    else if (code >= 0x0660 && code <= 0x0669) digits += code - 0x0660;
    else if (code >= 0x06f0 && code <= 0x06f9) digits += code - 0x06f0;
    else if (lettersToo && code < 0x80) digits += KEYPAD[(code | 0x20) - 0x61] ?? "";
  }
  return digits;
}

function extractFromText(text: string): string {
  const start = text.search(START);
  if (start < 0) return "";
  const number = text.slice(start).replace(UNWANTED_END, "");
  const second = number.search(SECOND_NUMBER);
  return second < 0 ? number : number.slice(0, second);
}

function extractFromUri(text: string): string {
  const contextAt = text.indexOf(PHONE_CONTEXT);
  const context = text.slice(contextAt + PHONE_CONTEXT.length).split(";", 1)[0]!;
  const isGlobal = GLOBAL_CONTEXT.test(context);
  if (!isGlobal && !DOMAIN_CONTEXT.test(context)) return "";
  const scheme = text.indexOf("tel:");
  if (scheme > contextAt) return "";
  const number = text.slice(scheme < 0 ? 0 : scheme + "tel:".length, contextAt);
  // A domain as context describes where the number is dialed, not what to dial.
  return isGlobal ? context + number : number;
}
