import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import libphonenumber from "google-libphonenumber";
import type { Country } from "../../contract/countries.ts";
import { REGISTER_COUNTRIES, registerFile } from "../../contract/registers.ts";
import { NUMBER_TYPES, type NumberType } from "../../contract/result-values.ts";
import type { VerificationResult } from "../../contract/verification.ts";
import { openRegisters, type RegisterFiles } from "../../worker/phone/allocation.ts";
import { countryName } from "../../contract/country-names.ts";
import { openTables } from "../../worker/phone/geography.ts";
import { NODE_FIELDS, openPlanTable, readPlanTable, regionIndexOf, typeOf } from "../../worker/phone/plan-table.ts";
import { numberPortability } from "../../worker/phone/portability.ts";
import { createVerifier } from "../../worker/phone/verify.ts";
import { follow } from "./automaton.ts";
import { callingCodeIn, prefixesOf } from "./encode.ts";
import type { PackagePlans } from "./packages.ts";
import { prefixTableOf } from "./registers/compile.ts";

const { PhoneNumberFormat, PhoneNumberType, PhoneNumberUtil } = libphonenumber;
const google = PhoneNumberUtil.getInstance();

type Verify = (input: string) => VerificationResult;
type Known = { -readonly [Field in "carrier" | "line_type" | "location"]: boolean };

/** The numbers of one region and type that a node of an automaton leads to. */
interface Reached {
  /** An index into the plan's regions. */
  readonly region: number;
  readonly type: NumberType;
  /** Bit n is set if n more digits complete a number. */
  readonly lengths: number;
  /** Digits that complete one. */
  readonly suffix: string;
}

/** Reads what the nodes of a calling code lead to. */
export function reachIn(nodes: Uint16Array): (node: number) => readonly Reached[] {
  const known = new Map<number, readonly Reached[]>();
  return function reach(node: number): readonly Reached[] {
    const found = known.get(node);
    if (found !== undefined) return found;
    const all = new Map<string, Reached>();
    const [outcome = 0, ...targets] = nodes.subarray(node * NODE_FIELDS, (node + 1) * NODE_FIELDS);
    function add(reached: Reached): void {
      const name = `${reached.region} ${reached.type}`;
      const before = all.get(name);
      all.set(name, before === undefined ? reached : { ...before, lengths: before.lengths | reached.lengths });
    }
    if (typeOf(outcome) !== "unknown") {
      add({ region: regionIndexOf(outcome), type: typeOf(outcome), lengths: 1, suffix: "" });
    }
    for (const [digit, target] of targets.entries()) {
      // A dead node's targets are itself.
      if (target === node) continue;
      for (const { lengths, suffix, ...of } of reach(target)) {
        add({ ...of, lengths: lengths << 1, suffix: `${digit}${suffix}` });
      }
    }
    known.set(node, [...all.values()]);
    return known.get(node)!;
  };
}

/** A prefix that is dialed as it stands. The metadata has a pattern if there are several, and ~ for a dial tone. */
function dialed(prefix: string | 0 | undefined): string | null {
  return prefix && /^[\d~]+$/.test(prefix) ? prefix.replaceAll("~", "") : null;
}

/** Google's example of a type, if our plans agree with it, otherwise this number. */
function exampleOf(country: string, type: NumberType, other: string, verify: Verify) {
  const id = PhoneNumberType[type.toUpperCase() as keyof typeof PhoneNumberType];
  const example = google.getExampleNumberForType(country, id);
  const result = verify(example ? google.format(example, PhoneNumberFormat.E164) : "");
  const { number, local_format } =
    result.country_code === country && result.number_type === type ? result : verify(other);
  return { number: number!, local_format: local_format! };
}

/**
 * Every country with a numbering plan, from the tables in a folder, by country code. What is known comes from the
 * engine's results for a number of each prefix in its tables.
 */
export function compileCountries(folder: string, { metadata }: Pick<PackagePlans, "metadata">): Country[] {
  const text = (name: string) => readFileSync(join(folder, name), "utf8");
  const bytes = new Uint8Array(readFileSync(join(folder, "plans.bin"))).buffer;
  const tables = { carrier: text("carrier.jsonl"), location: text("location.jsonl") };
  // A new register whose first file was rejected has no table.
  const registerText = (file: string) => (existsSync(join(folder, file)) ? text(file) : "");
  const registers = Object.fromEntries(
    REGISTER_COUNTRIES.map((country) => [country, registerText(registerFile(country))]),
  ) as RegisterFiles;
  const verifyOn = createVerifier({
    plans: openPlanTable(bytes),
    ...openTables({ ...tables, timeZones: text("time-zones.jsonl") }),
    registers: openRegisters(registers),
  });
  const prefixTables = [...Object.values(tables), ...Object.values(registers).filter(Boolean).map(prefixTableOf)];
  // On no day is anything else known.
  const verify: Verify = (input) => verifyOn(input, undefined, "");
  const { head, nodesOf } = readPlanTable(bytes);
  const isCallingCode = (digits: string) => Object.hasOwn(head.plans, digits);
  const prefixes = Map.groupBy(prefixTables.flatMap(prefixesOf), (prefix) => callingCodeIn(prefix, isCallingCode));

  return Object.entries(head.plans)
    .flatMap(([callingCode, { assignmentRoot, regions }]) => {
      const nodes = nodesOf(callingCode);
      const reach = reachIn(nodes);
      const known = regions.map((): Known => ({ carrier: false, line_type: false, location: false }));

      function learn(number: string, { region, suffix }: Reached): void {
        const of = known[region];
        if (of === undefined || (of.carrier && of.line_type && of.location)) return;
        const result = verify(`+${number}${suffix}`);
        of.carrier ||= result.carrier !== null;
        of.line_type ||= result.line_type === "mobile";
        of.location ||= result.location !== null && result.location !== result.country_name;
      }
      for (const prefix of [callingCode, ...(prefixes.get(callingCode) ?? [])]) {
        const node = follow(nodes, assignmentRoot, prefix.slice(callingCode.length));
        for (const reached of reach(node)) learn(prefix, reached);
      }

      return regions.flatMap((code, region): Country[] => {
        const plan = metadata.countries[code];
        // San Marino's numbers in Italy's plan don't make it a country there.
        if (plan?.[0] !== callingCode) return [];
        const numbers = reach(assignmentRoot)
          .filter((reached) => reached.region === region)
          .toSorted((a, b) => NUMBER_TYPES.indexOf(a.type) - NUMBER_TYPES.indexOf(b.type))
          .map(({ type, lengths, suffix }) => ({
            number_type: type,
            lengths: [...lengths.toString(2)].toReversed().flatMap((bit, length) => (bit === "1" ? [length] : [])),
            example: exampleOf(code, type, `+${callingCode}${suffix}`, verify),
          }));
        return [
          {
            country_code: code,
            country_name: countryName(code)!,
            country_prefix: `+${callingCode}`,
            national_prefix: dialed(plan[5]),
            international_prefix: dialed(plan[12] || plan[1]),
            numbers,
            known: { ...known[region]!, number_portability: numberPortability(code)! },
          },
        ];
      });
    })
    .toSorted((a, b) => (a.country_code < b.country_code ? -1 : 1));
}
