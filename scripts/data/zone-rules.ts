import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodePrefixTable, type Prefixes } from "./encode.ts";

/** Our table of time zones: what each calling code's files in scripts/data/zones/ say. */
export interface ZoneRules {
  /** tzdb names by calling code and first national digits: "1850". */
  readonly byPrefix: ReadonlyMap<string, readonly string[]>;
  /** By country, for numbers without an area: "US". Other countries have all of tzdb's. */
  readonly byCountry: ReadonlyMap<string, readonly string[]>;
  /** By a text of the location table, "Knox, IN", or by an asterisk and the end of such texts, "*, IN". */
  readonly byPlace: ReadonlyMap<string, readonly string[]>;
}

/** tzdb's release by which our table was last checked, with its date. */
export const ZONE_TABLE = { source: "tzdb, by our table of area codes", release: "2026f", date: "2026-10-27" } as const;

export const ZONE_FILES = join(import.meta.dirname, "zones");

/**
 * Reads our table, by calling code. A row is prefixes, a country, or a place; its zones; and its source.
 * @throws Error with file and line
 */
export function readZoneRules(directory = ZONE_FILES): Map<string, ZoneRules> {
  const rules = new Map<string, Record<keyof ZoneRules, Map<string, readonly string[]>>>();
  for (const name of readdirSync(directory).toSorted()) {
    const callingCode = /^([0-9]+)-[a-z-]+\.tsv$/.exec(name)?.[1];
    if (callingCode === undefined) throw new Error(`${name} isn't named by calling code and country`);
    const ofCode = rules.get(callingCode) ?? { byPrefix: new Map(), byCountry: new Map(), byPlace: new Map() };
    rules.set(callingCode, ofCode);
    for (const [i, line] of readFileSync(join(directory, name), "utf8").trimEnd().split("\n").entries()) {
      if (line.startsWith("#")) continue;
      const [where, zones, source, ...more] = line.split("\t");
      if (!where || !zones || !source || more.length > 0) throw new Error(`${name}:${i + 1}: not three columns`);
      const kind = /^[0-9 ]+$/.test(where) ? "byPrefix" : /^[A-Z]{2}$/.test(where) ? "byCountry" : "byPlace";
      for (const key of kind === "byPrefix" ? where.split(" ") : [where]) {
        if (ofCode[kind].has(key)) throw new Error(`${name}:${i + 1}: ${key} is listed twice`);
        if (kind === "byPrefix" && !key.startsWith(callingCode))
          throw new Error(`${name}:${i + 1}: ${key} is elsewhere`);
        ofCode[kind].set(key, zones.split(" "));
      }
    }
  }
  return rules;
}

/**
 * The zones of each prefix of our table and of the location table, which is finer. A place in our table has its zones.
 * Any other has those that both its area code and its state allow; where these contradict, those of its state.
 */
export function zonesByPrefix(locationTable: string, rules = readZoneRules()): Prefixes {
  const locations = decodePrefixTable(locationTable);
  const prefixes = new Map<string, string>();
  for (const [callingCode, { byPrefix, byPlace }] of rules) {
    const located = [...locations.keys()].filter((prefix) => prefix.startsWith(callingCode));
    for (const prefix of [...byPrefix.keys(), ...located]) {
      const text = longest(prefix, locations) ?? "";
      const zones = byPlace.get(text) ?? shared(longest(prefix, byPrefix), zonesOfStates(text, byPlace));
      if (zones !== null) prefixes.set(prefix, zones.toSorted().join("&"));
    }
  }
  return prefixes;
}

/** The zones of the states or places in a text, "Knox/Hamlet, IN"; null unless our table knows them all. */
function zonesOfStates(text: string, byPlace: ZoneRules["byPlace"]): readonly string[] | null {
  const zones = text.split("/").map((part) => {
    const place = endOf(part) === "" ? part + endOf(text) : part;
    return byPlace.get(place) ?? byPlace.get(`*${endOf(place)}`);
  });
  return zones.includes(undefined) ? null : [...new Set(zones.flatMap((ofPart) => ofPart!))];
}

/** The state or province: ", IN" or " - PE"; empty if the text names none. */
function endOf(text: string): string {
  return /(?:, | - )[^,]+$/.exec(text)?.[0] ?? "";
}

function shared(ofArea: readonly string[] | null, ofStates: readonly string[] | null): readonly string[] | null {
  if (ofArea === null || ofStates === null) return ofArea ?? ofStates;
  const both = ofArea.filter((zone) => ofStates.includes(zone));
  return both.length > 0 ? both : ofStates;
}

function longest<T>(digits: string, byPrefix: ReadonlyMap<string, T>): T | null {
  for (let length = digits.length; length > 0; length--) {
    const found = byPrefix.get(digits.slice(0, length));
    if (found !== undefined) return found;
  }
  return null;
}
