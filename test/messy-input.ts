import type { PhoneNumber } from "../worker/phone/number.ts";

/** An input and the country it claims to be from. */
export interface MessyInput {
  readonly input: string;
  readonly country: string | undefined;
}

export type Random = (limit: number) => number;

const SEPARATORS = [
  "",
  "",
  " ",
  " ",
  "-",
  ".",
  "/",
  " - ",
  "(",
  ") ",
  "\u00A0",
  "\u2013",
  "\u200B",
  "~",
  "*",
  "\u3000",
  "\u202F",
  "\u2009",
  "x",
];
const PLUS_SIGNS = ["+", "+", "+", "\uFF0B", "++", "+ ", ""];
const ZEROS = [0x30, 0x30, 0x30, 0xff10, 0x0660, 0x06f0, 0x0966];
const BEFORE = [
  "",
  "",
  "",
  " ",
  "tel:",
  "Tel. ",
  "Phone (office): ",
  "\u202A",
  "<",
  "call ",
  "#",
  "a1 ",
  "tel:+",
  "\n",
];
const AFTER = [
  "",
  "",
  "",
  " ",
  ".",
  ")",
  " (home)",
  "\u202C",
  " x",
  ";isub=12",
  " / 5",
  "#",
  ", 2",
  "\u0000",
  "/x9",
  " ab",
];
// Often empty.
const EXTENSIONS = (
  "|||| ext. 0123| ext 12|x45| x 6|#7|;ext=123| extension: 9| extn 44| доб. 5| anexo 6|,,12#|, 3|;4| int 8| - 12#|~8|" +
  " ext. \u0661\u0662| e\u0301xt 1| \uFF45\uFF58\uFF54 5| x1234567890| ext 12345678901234567890"
).split("|");
const NATIONAL_PREFIXES = ["0", "1", "8", "06", "0 15 ", "(0)", "90", "044", "9"];
const INTERNATIONAL_PREFIXES = ["00", "011", "0011", "8~10", "0015", "010", "001", "+00", "+011 ", "119"];
const CONTEXTS = [
  ";phone-context=+",
  ";phone-context=",
  ";phone-context=example.com",
  ";phone-context=-",
  ";ext=3;phone-context=+",
];
/** The separators that may introduce an extension. */
const RUN_SEPARATORS = [" ", "\u00A0", "\t", ",", "-"];
const KEYPAD = ["0", "1", "A", "d", "G", "J", "m", "P", "T", "w"];

/** Pseudo-random integers below a limit, the same in every run (the MINSTD generator). */
export function randomIntegers(seed: number): Random {
  let state = seed;
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}

/** A number as people and systems write, copy, and mangle it: several habits combined in random order. */
export function messyInput(number: PhoneNumber, countries: readonly string[], random: Random): MessyInput {
  const pick = <T>(choices: readonly T[]) => choices[random(choices.length)]!;
  const sometimes = (oneIn: number) => random(oneIn) === 0;

  const digits = mangled(number.nationalNumber, random);
  const national = separated(sometimes(12) ? spelled(digits, random) : digits, random);
  const context = sometimes(15) ? pick(CONTEXTS) : "";
  const forms = [
    () =>
      pick(PLUS_SIGNS) +
      number.callingCode +
      pick(SEPARATORS) +
      (sometimes(8) ? pick(NATIONAL_PREFIXES) : "") +
      national,
    () => pick(INTERNATIONAL_PREFIXES) + pick(SEPARATORS) + number.callingCode + national,
    () => pick(NATIONAL_PREFIXES) + national,
    () => national,
  ];
  const written = pick([forms[0]!, forms[0]!, ...forms])();
  const end = context.endsWith("+") ? context + number.callingCode : context;
  const input = pick(BEFORE) + inDigitsFrom(pick(ZEROS), written) + pick(EXTENSIONS) + end + pick(AFTER);
  return {
    input: sometimes(6) ? spacedOut(input, random) : input,
    country: sometimes(2) ? pick(countries) : undefined,
  };
}

/** With a run of 9 to 32 separators somewhere, most of them repeated. */
function spacedOut(text: string, random: Random): string {
  const at = random(text.length + 1);
  let separator = RUN_SEPARATORS[random(RUN_SEPARATORS.length)]!;
  let run = "";
  for (let left = 9 + random(24); left > 0; left--) {
    run += separator;
    if (random(6) === 0) separator = RUN_SEPARATORS[random(RUN_SEPARATORS.length)]!;
  }
  return text.slice(0, at) + run + text.slice(at);
}

/** Mostly unchanged; otherwise with a digit that is wrong, missing, or extra. */
function mangled(digits: string, random: Random): string {
  const at = random(digits.length);
  const other = String(random(10));
  const ways = [
    digits,
    digits,
    digits,
    digits.slice(0, at) + other + digits.slice(at + 1),
    digits.slice(0, at) + digits.slice(at + 1),
    digits.slice(0, at) + other + digits.slice(at),
    digits.slice(0, at),
  ];
  return ways[random(ways.length)]!;
}

function separated(digits: string, random: Random): string {
  const habit = SEPARATORS[random(SEPARATORS.length)]!;
  let text = "";
  for (const digit of digits) {
    text += digit;
    if (random(4) === 0) text += random(6) === 0 ? SEPARATORS[random(SEPARATORS.length)]! : habit;
  }
  return text;
}

function spelled(digits: string, random: Random): string {
  const from = random(digits.length + 1);
  return digits.slice(0, from) + digits.slice(from).replaceAll(/\d/g, (digit) => KEYPAD[Number(digit)]!);
}

function inDigitsFrom(zero: number, text: string): string {
  return zero === 0x30 ? text : text.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
}
