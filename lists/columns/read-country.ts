import { COUNTRIES, COUNTRY_CODES } from "../../contract/country-names.ts";
import { countryOfCode } from "./calling-codes.ts";
import { wordsOf } from "./header-words.ts";

/** A country as its ISO 3166-1 alpha-2 code; null for a text that names none, or more than one. */
export type CountryReader = (text: string) => string | null;

/** What people write that no language's list of names has. */
const NICKNAMES: Readonly<Record<string, string>> = {
  AE: "uae|الإمارات|الامارات|الإمارات العربية",
  AT: "oesterreich",
  BN: "brunei darussalam",
  CD: "drc|dr congo|congo dr|congo dem rep|democratic republic of congo|democratic republic of the congo|congo the democratic republic of the",
  CG: "republic of congo|republic of the congo|congo rep",
  CH: "confoederatio helvetica|swiss",
  CI: "ivory coast",
  CN: "prc|p r china|mainland china|中国大陆|中國大陸|中华人民共和国",
  CV: "cabo verde",
  CZ: "czech republic|cesko",
  DE: "brd|bundesrepublik deutschland",
  DK: "daenemark",
  FM: "micronesia",
  GB: "uk|united kingdom of great britain and northern ireland|great britain|britain|england|scotland|wales|northern ireland|großbritannien|grossbritannien|grande bretagne|gran bretagna|gran bretana|gra bretanha|groot brittannie|wielka brytania|великобритания|england and wales",
  HK: "hong kong sar",
  HR: "cro",
  IE: "eire|republic of ireland|roi|rep of ireland",
  KG: "kyrgyz republic",
  KP: "dprk|korea north|n korea|democratic people s republic of korea|korea democratic people s republic of|korea dem rep",
  KR: "korea|republic of korea|korea republic of|korea south|korea rep|s korea|rok|한국",
  LA: "lao pdr|lao people s democratic republic",
  LY: "libyan arab jamahiriya",
  MK: "macedonia|fyrom|former yugoslav republic of macedonia",
  MM: "burma",
  NL: "holland|hollande|holanda|hollanda|olanda",
  NZ: "n zealand|aotearoa",
  PS: "palestine|state of palestine|palestine state of",
  RO: "rumaenien",
  RU: "russian federation|рф|российская федерация",
  SA: "ksa|k s a|saudi|السعودية|السعوديه|kingdom of saudi arabia",
  SH: "saint helena ascension and tristan da cunha",
  SI: "slo",
  SK: "slovak republic",
  SY: "syrian arab republic",
  SZ: "swaziland",
  TL: "east timor",
  TR: "turkey|tuerkei",
  TW: "republic of china|taiwan province of china|taiwan roc|r o c|中華民國",
  US: "usa|america|united states of america|u s of a|estados unidos da america|estados unidos de america|eua|eeuu|ee uu|e u a|etats unis d amerique|vereinigte staaten von amerika|amerika|сша",
  VA: "holy see|vatican",
  VG: "virgin islands british|bvi",
  VI: "virgin islands u s|virgin islands us|usvi",
  VN: "viet nam",
  ZA: "s africa|rsa|south afrika|republic of south africa",
};

/** The letters on cars, which some lists of customers have. */
const CAR_LETTERS: Readonly<Record<string, string>> = {
  A: "AT",
  B: "BE",
  D: "DE",
  E: "ES",
  F: "FR",
  H: "HU",
  I: "IT",
  L: "LU",
  N: "NO",
  P: "PT",
  S: "SE",
};

/** The letters of which flags are made, such as 🇩🇪. */
const FLAG_LETTER = /[\u{1F1E6}-\u{1F1FF}]/gu;
const FLAG_A = 0x1f1e6;

/** `Federal Republic of`, in front of a name. */
const FORM = /^(?:[a-z]+ )*(?:republic|kingdom|state|states|commonwealth|union) of (?:the )?/;

/** A name as words, the same for `St. Lucia` and `Saint Lucia`, `U.S.A.` and `USA`. */
function nameOf(text: string): string {
  return wordsOf(text.replaceAll(".", "").replaceAll("&", " and "))
    .replace(/^the | the$/, "")
    .replaceAll(/\bst\b/g, "saint");
}

/** A name, and its parts if it has parentheses: Myanmar (Burma). */
function namesIn(text: string): string[] {
  const parts = text.includes("(") ? [text, ...text.split(/[()]/)] : [text];
  return parts.map(nameOf).filter((name) => name !== "");
}

/** The languages with names of countries: with two letters, and in each country's script. */
function allLanguages(): string[] {
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  const countries = COUNTRY_CODES.map((code) => {
    const { language, script } = new Intl.Locale(`und-${code}`).maximize();
    return `${language}-${script}`;
  });
  const tags = [...letters.flatMap((first) => letters.map((second) => first + second)), ...countries];
  return Intl.DisplayNames.supportedLocalesOf([...new Set(tags)]);
}

/** The countries by their names in some languages. A name of two countries has null. */
function namesFrom(languages: readonly string[]): Map<string, string | null> {
  const found = new Map<string, string | null>();
  for (const language of languages) {
    for (const style of ["long", "short"] as const) {
      const names = new Intl.DisplayNames(language, { type: "region", style, fallback: "none" });
      for (const code of COUNTRY_CODES) {
        for (const name of namesIn(names.of(code) ?? "")) {
          const other = found.get(name);
          found.set(name, other === undefined || other === code ? code : null);
        }
      }
    }
  }
  return found;
}

function nicknames(): Map<string, string> {
  return new Map(Object.entries(NICKNAMES).flatMap(([code, names]) => names.split("|").map((name) => [name, code])));
}

const BY_ALPHA_3 = new Map<string, string>(Object.entries(COUNTRIES).map(([code, [alpha3]]) => [alpha3, code]));

/** Alpha-2 and alpha-3, in capital or small letters, and letters on cars. */
function readCode(text: string): string | null {
  const code = text.toUpperCase();
  if (code.length === 1) return CAR_LETTERS[text] ?? null;
  if (/^[A-Z]{2}$/.test(code)) return COUNTRY_CODES.includes(code) ? code : null;
  return BY_ALPHA_3.get(code) ?? null;
}

/**
 * Reads a country's ISO code, or its name in English, the reader's languages, or any other that the runtime knows.
 * @param languages the reader's, as BCP 47 tags; unknown ones have no names
 */
export function createCountryReader(languages: readonly string[] = []): CountryReader {
  const own = Intl.DisplayNames.supportedLocalesOf(["en", ...languages.filter(isTag)]);
  // Another language's names take a third of a second, so only once something else has been read in vain.
  const sources = [nicknames, () => namesFrom(own), () => namesFrom(allLanguages())];
  const lists: ReadonlyMap<string, string | null>[] = [];

  function lookUp(name: string): string | null {
    for (const [at, source] of sources.entries()) {
      lists[at] ??= source();
      const code = lists[at].get(name);
      if (code !== undefined) return code;
    }
    return null;
  }

  function readName(text: string): string | null {
    const [head, tail = ""] = text.split(/[(,]/, 2);
    const name = nameOf(text);
    return (
      lookUp(name) ??
      // Iran (Islamic Republic of); Moldova, Republic of; Egypt, Arab Rep.
      (/\bof(?: the)?\W*$|\brep\W*$/i.test(tail) ? lookUp(nameOf(head!)) : null) ??
      (FORM.test(name) ? lookUp(name.replace(FORM, "")) : null)
    );
  }

  function readWhole(text: string): string | null {
    // `Nga` is Russia in Vietnamese, `NGA` Nigeria's code.
    if (/^\p{Lu}\p{Ll}{2}$/u.test(text)) return readName(text) ?? readCode(text);
    return readCode(text) ?? readName(text);
  }

  /** The country of a text in parts: `DE - Germany`, `Germany (+49)`, `de-DE`. Null if they name different ones. */
  function readParts(text: string): string | null {
    const [, region] = /^[a-z]{2,3}[-_](?:[A-Z][a-z]{3}[-_])?([A-Z]{2})$/.exec(text) ?? [];
    if (region !== undefined) return readCode(region);
    const parts = text.split(
      /\s+[-–—]\s+|[-–—](?=[A-Z]{2,3}$)|(?<=^[A-Z]{2,3})[-–—]|[:|/()[\]]|(?=\+)|(?<=\+\d{1,3})\s/,
    );
    const named = parts.map((part) => part.trim()).filter((part) => part !== "");
    if (named.length < 2) return null;
    // +1 is Canada's too, so a name says more.
    const names = named.filter((part) => /\p{L}/u.test(part));
    const found = new Set(names.length === 0 ? named.map((part) => countryOfCode(part, true)) : names.map(readWhole));
    const [only = null] = found;
    return found.size === 1 ? only : null;
  }

  /** The last part of a place, such as `Berlin, Germany`: a name, since its codes may be a state's. */
  function readPlace(text: string): string | null {
    const [, last] = /^[^,]*\p{L}[^,]*(?:,[^,]+)*,\s*([^,]+)$/u.exec(text) ?? [];
    return last === undefined || last.trim().length < 4 ? null : readName(last.trim());
  }

  function read(text: string): string | null {
    const letters = text.replaceAll(FLAG_LETTER, (letter) =>
      String.fromCodePoint(letter.codePointAt(0)! - FLAG_A + 65),
    );
    const [, flag, rest = ""] = /^([A-Z]{2})\s*(.*)$/.exec(letters === text ? "" : letters) ?? [];
    if (flag !== undefined) return readCode(flag) ?? (rest === "" ? null : read(rest));
    return countryOfCode(text, false) ?? readWhole(text) ?? readParts(text) ?? readPlace(text);
  }

  return (text) => {
    const trimmed = text.trim();
    return trimmed === "" ? null : read(trimmed);
  };
}

function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
