import type { Country } from "../../contract/countries.ts";
import { REGISTER_RELEASES } from "../../contract/data.ts";
import type { NumberType } from "../../contract/result-values.ts";
import type { VerificationResult } from "../../contract/verification.ts";
import { registerOf } from "../../worker/phone/allocation.ts";
import { NODE_FIELDS, readPlanTable, regionIndexOf, typeOf } from "../../worker/phone/plan-table.ts";

/** How many mobile numbers and how many landlines of each country are verified. */
const SAMPLE = 500;

/** They are evenly spread over this many digits after the calling code. Further ones would make long numbers count most. */
const SPREAD = 7;

interface Measure {
  readonly types: readonly NumberType[];
  isKnown(result: VerificationResult): boolean;
}

const MOBILE: readonly NumberType[] = ["mobile", "fixed_line_or_mobile"];
const LANDLINE: readonly NumberType[] = ["fixed_line", "fixed_line_or_mobile"];

const MEASURES = {
  carrier: { types: MOBILE, isKnown: ({ carrier }) => carrier !== null },
  line_type: { types: MOBILE, isKnown: ({ line_type }) => line_type !== null },
  location: {
    types: LANDLINE,
    isKnown: ({ location, country_name }) => location !== null && location !== country_name,
  },
  time_zone: { types: LANDLINE, isKnown: ({ time_zones }) => time_zones?.length === 1 },
} as const satisfies Record<string, Measure>;

/** What is known of a country's numbers. */
export interface Coverage extends Pick<Country, "country_code" | "country_name" | "country_prefix"> {
  /** Of how many of the measured numbers it's known, from 0 to 1, with two digits; null if the plan permits none. */
  readonly shares: Readonly<Record<keyof typeof MEASURES, number | null>>;
  /** The register of assigned numbers, its date, and the last day on which it calls numbers unassigned. */
  readonly register: { readonly country: string; readonly as_of: string; readonly unassigned_until: string } | null;
}

/** Numbers of a region and some types, evenly spread over the first digits; empty if the plan permits none. */
function evenlySpread(nodes: Uint16Array, root: number, region: number, types: readonly NumberType[]): string[] {
  const counts = new Map<number, number>();

  function read(node: number) {
    const [outcome = 0, ...targets] = nodes.subarray(node * NODE_FIELDS, (node + 1) * NODE_FIELDS);
    const isEnd = types.includes(typeOf(outcome)) && regionIndexOf(outcome) === region;
    // A dead node's targets are itself.
    return { isEnd, targets: targets.map((target) => (target === node ? null : target)) };
  }

  /** How many numbers end at a node or lead beyond it, counting those that differ in later digits once. */
  function count(node: number | null, left: number): number {
    if (node === null) return 0;
    const key = node * (SPREAD + 1) + left;
    const known = counts.get(key);
    if (known !== undefined) return known;
    const { isEnd, targets } = read(node);
    const behind = targets.map((target) => count(target, Math.max(left - 1, 0)));
    const all = behind.reduce((sum, each) => sum + each, Number(isEnd));
    counts.set(key, left === 0 ? Math.min(all, 1) : all);
    return counts.get(key)!;
  }

  /** The digits of the number at an index of those. */
  function digitsAt(node: number, index: number, left: number): string {
    const { isEnd, targets } = read(node);
    let rest = index - Number(isEnd);
    if (rest < 0) return "";
    for (const [digit, target] of targets.entries()) {
      const behind = count(target, Math.max(left - 1, 0));
      if (rest < behind) return `${digit}${digitsAt(target!, rest, Math.max(left - 1, 0))}`;
      rest -= behind;
    }
    throw new RangeError(`There is no number ${index}`);
  }

  const total = count(root, SPREAD);
  const wanted = Math.min(total, SAMPLE);
  return Array.from({ length: wanted }, (_, index) =>
    digitsAt(root, Math.floor(((index + 0.5) * total) / wanted), SPREAD),
  );
}

/** Measures what is known of the numbers of countries, with the engine and its numbering plans. */
export function measureCoverage(
  countries: readonly Country[],
  plans: ArrayBuffer,
  verify: (number: string) => VerificationResult,
): Coverage[] {
  const { head, nodesOf } = readPlanTable(plans);
  return countries.map(({ country_code, country_name, country_prefix }) => {
    const callingCode = country_prefix.slice(1);
    const { assignmentRoot, regions } = head.plans[Number(callingCode)]!;
    const results = (types: readonly NumberType[]) =>
      evenlySpread(nodesOf(callingCode), assignmentRoot, regions.indexOf(country_code), types).map((digits) =>
        verify(`${country_prefix}${digits}`),
      );
    const samples = new Map([MOBILE, LANDLINE].map((types) => [types, results(types)]));
    const shares = Object.fromEntries(
      Object.entries(MEASURES).map(([field, { types, isKnown }]) => {
        const sample = samples.get(types)!;
        const share = sample.filter(isKnown).length / sample.length;
        return [field, sample.length === 0 ? null : Math.round(share * 100) / 100];
      }),
    ) as Coverage["shares"];
    const country = registerOf(country_code);
    const release = country && REGISTER_RELEASES[country];
    const register = release && { country: country!, as_of: release.date, unassigned_until: release.unassigned_until };
    return { country_code, country_name, country_prefix, shares, register };
  });
}
