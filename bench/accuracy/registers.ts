import { REGISTER_COUNTRIES, registerFile } from "../../contract/registers.ts";
import type { RegisterCountry } from "../../contract/registers.ts";
import { prefixesOf } from "../../scripts/data/encode.ts";
import { prefixTableOf } from "../../scripts/data/registers/compile.ts";
import { prefixTable } from "../../test/engine.ts";
import { seededRandom } from "../../test/seeded.ts";
import { openRegister } from "../../worker/phone/allocation.ts";

const SAMPLES = 500;
/** How many digits a number has after its calling code, where that isn't one of a number of ten digits. */
const NINE_DIGITS = /^(?:33|262|590|594|596)/;
const CALLING_CODE = /^(?:1|7|33|44|52|262|590|594|596)/;

/** Numbers of a register's ranges, one each, in random ranges with a seed. */
interface Sample {
  readonly country: RegisterCountry;
  readonly as_of: string;
  /** In E.164. Fewer than wanted if the register has few free ranges, and none if it names none. */
  readonly assigned: readonly string[];
  readonly free: readonly string[];
}

function sampleOf(country: RegisterCountry): Sample {
  const random = seededRandom(1);
  const file = prefixTable(registerFile(country));
  const { as_of, find } = openRegister(file);
  const prefixes = prefixesOf(prefixTableOf(file)).filter((prefix) => CALLING_CODE.test(prefix));
  const found = { assigned: new Set<string>(), unassigned: new Set<string>(), unknown: new Set<string>() };
  for (let tries = 0; tries < SAMPLES * 100; tries++) {
    const prefix = prefixes[Math.floor(random() * prefixes.length)]!;
    const length = CALLING_CODE.exec(prefix)![0].length + (NINE_DIGITS.test(prefix) ? 9 : 10);
    const rest = Math.max(0, length - prefix.length);
    const digits =
      prefix +
      String(Math.floor(random() * 10 ** rest))
        .padStart(rest, "0")
        .slice(0, rest);
    const status = find(digits)?.status ?? "unknown";
    if (digits.length === length && found[status].size < SAMPLES) found[status].add(`+${digits}`);
  }
  return { country, as_of, assigned: [...found.assigned], free: [...found.unassigned] };
}

/** Of every register in the repository. */
export function registerSamples(): Sample[] {
  return REGISTER_COUNTRIES.map(sampleOf);
}
