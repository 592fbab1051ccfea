import type { LineTypeSource } from "./result-values.ts";

/** A country's public register of who was given which numbers. */
export interface RegisterRow {
  /** Whose numbers it has: the country, and territories with a code of their own. */
  readonly regions: readonly string[];
  /** Those numbers, as in "a register of …". */
  readonly numbers: string;
  /** The publisher, with its address, and the documents. */
  readonly source: string;
  /** The terms of use; "terms not verified" until someone has read them. */
  readonly terms: string;
  /** What has to be said under the license that is expected. */
  readonly attribution?: string;
  /** For how many months after its date it says that a number is unassigned, because new ranges are assigned in the meantime. */
  readonly months: number;
  /**
   * Where a number's line type comes from, if the plan can't tell: the register's own word, or what kind of company
   * holds it. Null if the register has neither.
   */
  readonly lineTypes: LineTypeSource | null;
  /** Until this day, at most 90 days ahead, nobody needs to hear that it has ended: "2027-02-01". */
  readonly ended_known?: string;
}

/**
 * The registers by country. Each has a reader in scripts/data/registers, reviewed holders in scripts/data/holders, and
 * a table in worker/phone/data, under its code in lowercase.
 */
export const REGISTERS = {
  US: {
    regions: ["US", "PR", "GU", "VI", "AS", "MP"],
    numbers: "the United States and its territories",
    source: "North American Numbering Plan Administrator (https://www.nanpa.com), central office codes and blocks",
    terms:
      "public reports, and blocks of March 7, 2023, as carried by Number::Phone 3.9001 for Perl (https://metacpan.org/dist/Number-Phone); terms of both not verified",
    months: 6,
    lineTypes: "original_allocation",
  },
  CA: {
    regions: ["CA"],
    numbers: "Canada",
    source: "Canadian Numbering Administrator (https://cnac.ca), central office codes",
    terms: "public report, terms not verified",
    months: 3,
    lineTypes: "original_allocation",
  },
  MX: {
    regions: ["MX"],
    numbers: "Mexico",
    source: "Instituto Federal de Telecomunicaciones (https://sns.ift.org.mx), Plan Nacional de Numeración",
    terms: "public register, terms not verified",
    months: 6,
    lineTypes: "numbering_plan",
  },
  FR: {
    regions: ["FR", "GP", "BL", "MF", "MQ", "GF", "RE", "YT"],
    numbers: "France (with Guadeloupe, Martinique, French Guiana, Réunion, and Mayotte)",
    source: "ARCEP (https://www.arcep.fr), MAJNUM, GELNUM, MAJRIO, and identifiants_CE",
    terms: "terms not verified",
    attribution: `Licence Ouverte 2.0 is expected, which asks for "Source: ARCEP" and the table's date`,
    months: 3,
    lineTypes: null,
  },
  GB: {
    regions: ["GB", "GG", "JE", "IM"],
    numbers: "the United Kingdom (except landlines)",
    source: "Ofcom (https://www.ofcom.org.uk), National Telephone Numbering Plan, lists S3, S5, S7, S8, and S9",
    terms: "terms not verified",
    attribution:
      'The Open Government Licence 3.0 is expected, which asks for "Contains public sector information licensed under the Open Government Licence v3.0"',
    months: 3,
    lineTypes: null,
  },
  RU: {
    regions: ["RU"],
    numbers: "Russia (mobile numbers)",
    source: "Ministry of Digital Development of Russia (https://opendata.digital.gov.ru), DEF-9xx",
    terms: "public register, terms not verified",
    months: 6,
    lineTypes: null,
  },
} as const satisfies Record<string, RegisterRow>;

export type RegisterCountry = keyof typeof REGISTERS;
export const REGISTER_COUNTRIES = Object.keys(REGISTERS) as readonly RegisterCountry[];

/**
 * Whether a register is past its last day for calling numbers unassigned.
 * @param today in UTC, "2026-11-26"
 */
export function hasEnded({ unassigned_until }: { readonly unassigned_until: string }, today: string): boolean {
  return today > unassigned_until;
}

/** A register's table in worker/phone/data: "allocation-us.jsonl". */
export function registerFile(country: RegisterCountry): `allocation-${Lowercase<RegisterCountry>}.jsonl` {
  return `allocation-${country.toLowerCase() as Lowercase<RegisterCountry>}.jsonl`;
}
