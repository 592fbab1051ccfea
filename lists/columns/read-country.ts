import { COUNTRIES, COUNTRY_CODES } from "../../contract/country-names.ts";
import { wordsOf } from "./header-words.ts";

/** A country as its ISO 3166-1 alpha-2 code; null for a text that names none, or more than one. */
export type CountryReader = (text: string) => string | null;

/** What people write that no language's list of names has. */
const NICKNAMES: Readonly<Record<string, string>> = {
  AE: "uae",
  BN: "brunei darussalam",
  CD: "drc|dr congo|congo dr|democratic republic of congo|democratic republic of the congo|congo the democratic republic of the",
  CG: "republic of congo|republic of the congo",
  CI: "ivory coast",
  CN: "prc",
  CZ: "czech republic",
  FM: "micronesia",
  GB: "uk|great britain|britain|england|scotland|wales|northern ireland|großbritannien|grossbritannien|grande bretagne|gran bretana|gran bretagna|gra bretanha|groot brittannie|wielka brytania|великобритания",
  KP: "dprk|democratic people s republic of korea|korea democratic people s republic of",
  KR: "korea|republic of korea|korea republic of|korea south",
  LA: "lao pdr|lao people s democratic republic",
  MK: "macedonia",
  NL: "holland",
  PS: "palestine",
  RU: "russian federation",
  SH: "saint helena ascension and tristan da cunha",
  SY: "syrian arab republic",
  SZ: "swaziland",
  TL: "east timor",
  TR: "turkey",
  TW: "republic of china|taiwan province of china",
  US: "usa|america|united states of america|estados unidos da america|estados unidos de america|сша",
  VA: "holy see|vatican",
  VG: "virgin islands british",
  VI: "virgin islands u s|virgin islands us",
};

/** `Federal Republic of`, in front of a name. */
const FORM = /^(?:[a-z]+ )*(?:republic|kingdom|state|states|commonwealth|union) of (?:the )?/;

/** A name as words, the same for `St. Lucia` and `Saint Lucia`, `U.S.A.` and `USA`. */
function nameOf(text: string): string {
  return wordsOf(text.replaceAll(".", "").replaceAll("&", " and "))
    .replace(/^the /, "")
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

/** Alpha-2 and alpha-3, in capital or small letters. */
function readCode(text: string): string | null {
  const code = text.toUpperCase();
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
    const [, written, code] = /^(.+?) ?\(([A-Za-z]{2,3})\)$/.exec(text) ?? [];
    // Germany (DE)
    if (written !== undefined && lookUp(nameOf(written)) === (readCode(code!) ?? lookUp(nameOf(code!)))) {
      return lookUp(nameOf(written));
    }
    const [head, tail = ""] = text.split(/[(,]/, 2);
    const name = nameOf(text);
    return (
      lookUp(name) ??
      // Iran (Islamic Republic of); Moldova, Republic of.
      (/\bof(?: the)?\W*$/i.test(tail) ? lookUp(nameOf(head!)) : null) ??
      (FORM.test(name) ? lookUp(name.replace(FORM, "")) : null)
    );
  }

  function read(text: string): string | null {
    // `Nga` is Russia in Vietnamese, `NGA` Nigeria's code.
    if (/^\p{Lu}\p{Ll}{2}$/u.test(text)) return readName(text) ?? readCode(text);
    return readCode(text) ?? readName(text);
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
