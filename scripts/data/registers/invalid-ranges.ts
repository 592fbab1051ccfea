import { formatCount } from "../../../contract/format.ts";
import type { RegisterCountry } from "../../../contract/registers.ts";
import { openRegister, registerOf } from "../../../worker/phone/allocation.ts";
import type { readPlanTable } from "../../../worker/phone/plan-table.ts";
import { prefixesOf } from "../encode.ts";
import { numbersUnder, planRanges, WIDTH } from "../plan-ranges.ts";
import { prefixTableOf } from "./compile.ts";

type Plans = ReturnType<typeof readPlanTable>;

/** Numbers from the first to the last, both filled up to WIDTH. */
interface Range {
  readonly callingCode: string;
  readonly from: number;
  readonly to: number;
}

/**
 * The ranges that a register calls assigned, but in which the plan has no number, as lines: either is wrong.
 * "US: +13402130000 to +13402139999, 10,000 numbers"
 */
export function invalidRanges(country: RegisterCountry, file: string, plans: Plans): string[] {
  const { find } = openRegister(file);
  const starts = prefixesOf(prefixTableOf(file));
  const ranges: Range[] = [];
  for (const [callingCode, { regions }] of Object.entries(plans.head.plans)) {
    if (!regions.some((region) => registerOf(region) === country)) continue;
    const count = numbersUnder(plans.nodesOf(callingCode), regions);
    for (const { row, prefix, node } of planRanges(callingCode, plans, starts)) {
      if (find(row)?.status !== "assigned" || count(node).size > 0) continue;
      const [from, to] = [Number(prefix.padEnd(WIDTH, "0")), Number(prefix.padEnd(WIDTH, "9"))];
      const before = ranges.at(-1);
      if (before?.to === from - 1) ranges[ranges.length - 1] = { ...before, to };
      else ranges.push({ callingCode, from, to });
    }
  }
  return ranges.map(({ callingCode, from, to }) => {
    const digits = callingCode.length + longestNumber(callingCode, plans);
    const [first, last] = [from, to].map((number) => String(number).slice(0, digits)) as [string, string];
    return `${country}: +${first} to +${last}, ${formatCount(Number(last) - Number(first) + 1)} numbers`;
  });
}

/** How many digits the plan's longest national numbers have that fit in a register: Russia's plan has some of 14. */
function longestNumber(callingCode: string, plans: Plans): number {
  const { lengths } = plans.dialingOf(callingCode)[0]!;
  // A hyphen is a length of valid numbers.
  return lengths.lastIndexOf("-", WIDTH - callingCode.length);
}
