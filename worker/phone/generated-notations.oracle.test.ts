import { expect, test } from "vitest";
import {
  examplesOfRegion,
  google,
  googleAssignment,
  googleFormats,
  googleParse,
  written,
} from "../../test/google-oracle.ts";
import { plans, verify } from "../../test/google-release.ts";
import { longOrShort } from "../../test/long.ts";
import { type Random, randomIntegers } from "../../test/messy-input.ts";
import { MAX_E164_DIGITS, type PhoneNumber } from "./number.ts";
import { readText } from "./reader/read-text.ts";
import type { RuleName } from "./reader/reading.ts";

const SEED = 20_261_129;
const NUMBERS = longOrShort(2000, 200);
const COUNTRIES = (
  "US CA MX BR AR CL CO PE VE EC UY PY BO CR PA DO GT CU JM DE AT CH FR BE NL LU IT ES PT GB IE PL CZ SK HU RO BG GR TR RU UA BY " +
  "KZ SE NO DK FI EE LV LT IS HR SI RS MT CY IL SA AE EG IR IQ MA TN NG KE ZA IN PK BD LK TH VN MY SG ID PH CN HK TW JP KR AU NZ GE"
).split(" ");

/** A number with an extension, its groups in the national format and after the calling code, and what the letters of a template stand for. */
interface Sample {
  readonly number: PhoneNumber;
  readonly country: string;
  readonly groups: readonly string[];
  readonly rest: readonly string[];
  readonly parts: Readonly<Record<string, () => string>>;
  pick<T>(choices: readonly T[]): T;
}

type Notation = readonly [name: string, write: (sample: Sample) => string];

// In a template, $T is the trunk prefix, $I the international prefix dialed in the country, $C the calling code, $D the
// digits of the national number, $N its groups, $A the area code or first group of the national format, $S its others,
// $R and $Q those of the international format, $X the number in a usual notation, and $E an extension.
const USUAL =
  "+$C$D|$A $S|$T$D|+$C $N|$T $N|($T) $N|($T)$N|$T-$N|$T/$N|+$C (0)$N|+$C (0) $N|+$C(0)$N|+$C ($T) $N|+$C ($T)$N|" +
  "(+$C) ($T)$N|+$C-(0)-$N|+$C $T $N|+$C$T$D|00$C $N|00 $C $N|00$C$D|00-$C-$N|(00$C) $N|(00)$C $N|00$C (0)$N|" +
  "00$C/$N|00$C.$N|$I $C $N|$I$C$D|$I-$C-$N|($I) $C $N|$C $N|$C$D|$C-$N|($C) $N|$C (0)$N|$C/$N|$C.$N|+$C/$N|+$C.$N|" +
  "(+$C) $N|(+$C)$N|[+$C] $N|+($C) $N|+ $C $N|++$C $N|+$C - $N|＋$C $N|$A/$S|($A)$S|($A) $S|($A)-$S|($A)/$S|[$A] $S|" +
  "$A-$S|$A.$S|$A–$S|($A $S)|+$C/$R/$Q|+$C ($R) $Q|+$C($R)$Q|+$C $R/$Q|+$C ($R)/$Q";
const BEFORE =
  "Tel.$X|Tel. $X|Tel: $X|Tel.: $X|Tel $X|TEL $X|Phone: $X|Phone $X|Phone (office): $X|T $X|T: $X|T. $X|T$X|Fax: $X|Fax $X|" +
  "Telefax $X|F: $X|☎ $X|☎️ $X|📞$X|Mobile: $X|Mob. $X|M $X|Cell: $X|Handy $X|Móvil: $X|Cel. $X|Portable : $X|GSM $X|Mobil $X|" +
  "Tlf. $X|Ph. $X|WhatsApp: $X|call us: $X|No. $X|n° $X|Nr. $X|#$X|# $X|тел. $X|моб. $X|电话：$X|電話: $X|휴대폰 $X|Τηλ. $X|โทร. $X|" +
  "هاتف: $X|טלפון: $X|Tel 1: $X|1) $X|1. $X|(1) $X|2 - $X|- $X|• $X|* $X|: $X|, $X|a) $X|24/7: $X|Ext $X|office - $X|\t$X|\n$X";
const AFTER =
  "$X (home)|$X Fax|$X-Fax|$X mobile|$X (mobile)|$X privat|$X (privat)|$X (Büro)|$X.|$X,|$X*|$X;|$X!|$X)|$X *|$X (M)|$X M|$X h|" +
  "$X - home|$X, Fax|$X [cell]|$X моб.|$X (моб.)|$X、|$X:|$X (24h)|$X (9-17h)|$X 24/7|$X (0,20 €/min)|$X (2024)|$X…|$X\n|$X. Tel";
const AROUND =
  '<$X>|[$X]|($X)|{$X}|"$X"|\'$X\'|„$X“|«$X»|`$X`|\'$X|="$X"|*$X*|**$X**|_$X_| $X |\u202A$X\u202C|\u202D$X\u202C|\u200E$X|' +
  "\u200F$X|\u2066$X\u2069|\u2068$X\u2069|\uFEFF$X|\u200B$X|$X\u200B|tel:$X|tel://$X|callto:$X|sms:$X|TEL:$X|TEL;TYPE=CELL:$X|" +
  "TEL;TYPE=work,voice;VALUE=uri:tel:$X|item1.TEL;type=pref:$X|whatsapp:$X|Mobile <$X>|Max Mustermann <$X>|<tel:$X>|" +
  '<a href="tel:$X">|[Tel. $X]|(Tel: $X)';
const ADDRESSES =
  "tel:+$C-$N|sip:+$C$D@example.com|sips:+$C$D@example.com;user=phone|sip:+$C$D|sms:+$C$D?body=hi|https://wa.me/$C$D|wa.me/+$C$D|" +
  "https://api.whatsapp.com/send?phone=$C$D|whatsapp://send?phone=+$C$D|$C$D@s.whatsapp.net|$C$D@c.us|tel:$D;phone-context=+$C|" +
  "tel:$T$D;phone-context=example.com|tel:%2B$C$D|&#43;$C$D|&#x2B;$C$D|&plus;$C $N|%2B$C$D|%2B$C $N|tel:+$C$D;isub=12|+$C+$R+$Q";
const SIGNS = "x$E| x$E| x $E|X$E|#$E| #$E| # $E|;ext=$E|;$E|,,$E|,$E|, $E| - $E#| ~$E| *$E|ext$E| ext.$E";
const EXTENSION_WORDS =
  "ext.|ext|ext:|Ext.|EXT|extension|extension:|extn.|App.|Apparat|DW|Durchwahl|Nst.|poste|p.|Poste :|ramal|Ramal:|r.|int.|int|" +
  "interno|anexo|Anexo:|tst.|toestel|wewn.|linka|mellék|interior|ankn.|lokal|alanro|dahili|доб.|доб|вн.|внутр.|εσωτ.|שלוחה|تحويلة|" +
  "ต่อ|内線|分机|转|分機|내선|máy lẻ|option|opt.|press|w";
const PLACES = ["$X $W $E", "$X, $W $E", "$X ($W $E)", "$X [$W $E]", "$X $W$E", "$X,$W $E"];
const SEPARATORS =
  "| |  |\u00A0|\u2009|\u202F|\u3000|.|-|–|\u2010|\u2011|\u2212|/| - | – | / |~|*|\t|\n|\u200B|\u200E|\u2060|\u00AD|&nbsp;";

/** Groups of a format; of one without any, the first three digits and the others. */
const GROUPS = /(?<=^|^\+\d+ )\d{3}(?=\d+$)|\d+/g;

function filled(template: string, { parts }: Sample): string {
  return template.replaceAll(/\$([A-Z])/g, (_, letter: string) => parts[letter]!()).replace("()", "");
}

/** In groups of a size, counted from either end; a calling code is its own. */
function regrouped(number: string, size: number, { pick }: Sample): readonly string[] {
  return number.match(new RegExp(`\\+\\d+|\\d{1,${size}}${pick(["", `(?=(?:\\d{${size}})*$)`])}`, "g"))!;
}

/** One of these templates, at random. */
function oneOf(name: string, templates: readonly string[]): Notation {
  return [name, (sample) => filled(sample.pick(templates), sample)];
}

/** The name has an `$E` if the number has an extension. */
const NOTATIONS: readonly Notation[] = [
  ...`${USUAL}|${BEFORE}|${AFTER}|${AROUND}|${ADDRESSES}`.split("|").map((template) => oneOf(template, [template])),
  ...BEFORE.split("|").map((label) =>
    oneOf(`${label} and another`, `${AFTER}|${AROUND}`.replaceAll("$X", label).split("|")),
  ),
  ...SIGNS.split("|").map((sign) => oneOf(sign, [`$X${sign}`, `Tel. $X${sign}`])),
  ...EXTENSION_WORDS.split("|").map((word) =>
    oneOf(
      `${word} $E`,
      PLACES.map((place) => place.replace("$W", word)),
    ),
  ),
  ...SEPARATORS.split("|").flatMap((sign): Notation[] => [
    [`groups, "${sign}"`, ({ groups }) => groups.join(sign)],
    [`+ and groups, "${sign}"`, ({ number, rest }) => [`+${number.callingCode}`, ...rest].join(sign)],
    ...[2, 3, 4].flatMap((size): Notation[] => [
      [`national by ${size}, "${sign}"`, (sample) => regrouped(filled("$T$D", sample), size, sample).join(sign)],
      [`+ and by ${size}, "${sign}"`, (sample) => regrouped(filled("+$C $D", sample), size, sample).join(sign)],
    ]),
  ]),
  ...["０", "٠", "۰", "०", "๐"].map((zero): Notation => {
    const digit = (ascii: string) => String.fromCodePoint(zero.codePointAt(0)! + Number(ascii));
    return [`digits from ${zero}`, (sample) => filled("$X", sample).replaceAll(/\d/g, digit)];
  }),
];

/** A valid number: an example with its last digits, up to six, at random. */
function sampleOf(random: Random): Sample {
  const pick = <T>(choices: readonly T[]): T => choices[random(choices.length)]!;
  const country = pick(COUNTRIES);
  const { callingCode, nationalNumber: example } = pick(examplesOfRegion(country));
  const kept = example.slice(0, -random(7) || undefined);
  const digits = kept + Array.from({ length: example.length - kept.length }, () => random(10)).join("");
  const number = { callingCode, nationalNumber: digits, extension: null };
  const { valid, region } = googleAssignment(number);
  if (!valid || region !== country || callingCode.length + digits.length > MAX_E164_DIGITS) return sampleOf(random);
  const { national, international } = googleFormats(number);
  const dialed = national.replaceAll(/\D/g, "");
  const groups = national.match(GROUPS)!;
  const [, ...rest] = international.match(GROUPS)!;
  const abroad = google.getExampleNumber(callingCode === "44" ? "FR" : "GB")!;
  const dialOut = google.formatOutOfCountryCallingNumber(abroad, country).match(/\d+/g)![0];
  const extension = String(random(10 ** random(5)));
  const joined = (from: readonly string[]) => from.join(pick([" ", " ", "-", "", ".", "\u00A0"]));
  const parts = {
    T: () => (dialed.endsWith(digits) ? dialed.slice(0, -digits.length) : ""),
    I: () => dialOut,
    C: () => callingCode,
    D: () => digits,
    N: () => joined(rest),
    A: () => groups[0]!,
    S: () => joined(groups.slice(1)),
    R: () => rest[0]!,
    Q: () => joined(rest.slice(1)),
    X: () => filled(pick(USUAL.split("|").slice(0, pick([4, 100]))), sample),
    E: () => extension,
  };
  const sample: Sample = { number: { ...number, extension }, country, groups, rest, parts, pick };
  return sample;
}

/** Words after a number, in which Google finds keypad digits. */
const WORDS = /[^\p{L}\d]+\p{L}{3,}[^\p{L}\d]*$/u;

/** Where a rule differs from Google on purpose. */
const MEANT: readonly (readonly [rule: RuleName, notation: RegExp, reason: string])[] = [
  ["spreadsheet", /,0$/, "a spreadsheet's decimal, no extension"],
  ["several", /\/ ?\d{1,2}\D*$/, "a last group after a slash is another number's end"],
  ["several", / ~\d{1,4}$/, "a wave dash in Korea, Japan, and Taiwan starts a range"],
  ["masked", /…/, "an ellipsis stands for more digits"],
  ["masked", /^\W*\*{3}.*\*{2}$/s, "stars on both sides hide digits"],
];

// The long form takes about two minutes.
test("what Google reads as the number that was written is read as that number", { timeout: 900_000 }, () => {
  const random = randomIntegers(SEED);
  const differences = new Map<string, string[]>();
  const meant = new Map<string, number>();
  const right = new Map(NOTATIONS.map(([name]) => [name, 0]));
  let compared = 0;
  for (let index = 0; index < NUMBERS; index++) {
    const sample = sampleOf(random);
    for (const [name, write] of NOTATIONS) {
      const input = write(sample);
      const hints = [sample.country, sample.country, undefined, sample.pick(COUNTRIES)];
      const country = input.includes("+") ? sample.pick(hints) : sample.country;
      const expected = written(name.includes("$E") ? sample.number : { ...sample.number, extension: null });
      const { valid, country_prefix, national_number, extension, reason: refusal } = verify(input, country);
      const got = valid
        ? written({ callingCode: country_prefix!.slice(1), nationalNumber: national_number!, extension })
        : refusal!;
      if (got === expected) right.set(name, right.get(name)! + 1);
      const isGoogles = [input, input.replace(WORDS, "")].some((text) => googleParse(text, country) === expected);
      compared += Number(isGoogles);
      if (got === expected || !isGoogles) continue;
      const { rules } = readText(input, country, plans);
      const reason = MEANT.find(([rule, pattern]) => rules.includes(rule) && pattern.test(input))?.[2];
      const kind = `${name}: ${rules.join(", ")}`;
      const difference = `${JSON.stringify(input)} (${country}): ${got}, not ${expected}`;
      if (reason !== undefined) meant.set(reason, (meant.get(reason) ?? 0) + 1);
      else differences.set(kind, [...(differences.get(kind) ?? []), difference]);
    }
  }
  const seldom = [...right].filter(([, count]) => count < 0.9 * NUMBERS).map(([name]) => name);
  console.log(
    `Seed ${SEED}: ${NUMBERS} numbers in ${NOTATIONS.length} notations, ${compared} inputs that Google reads; ` +
      `meant: ${JSON.stringify([...meant])}; read in fewer than 9 of 10: ${seldom.join("; ")}`,
  );
  // The short form has too few Korean extensions for one of them.
  expect(meant.size).toBeGreaterThanOrEqual(longOrShort(MEANT.length, MEANT.length - 1));
  expect(compared).toBeGreaterThan(longOrShort(700_000, 70_000));
  expect(seldom.length).toBeLessThan(NOTATIONS.length / 5);
  expect([...differences].map(([kind, inputs]) => [kind, inputs.length, ...inputs.slice(0, 3)])).toEqual([]);
});
