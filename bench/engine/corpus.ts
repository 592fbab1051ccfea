import type { CountryCode } from "libphonenumber-js/max";
import { formatInternational, formatNational } from "../../test/engine.ts";
import { examples, googleAssignment } from "../../test/google-oracle.ts";
import { formatE164 } from "../../worker/phone/format.ts";
import { NO_COUNTRY_REGION, type PhoneNumber } from "../../worker/phone/number.ts";

/** A valid number in each task's input format, so that no contender has to convert. */
export interface Sample {
  readonly number: PhoneNumber;
  readonly e164: string;
  readonly international: string;
  /** In national format with its country, or in international format if there is none. */
  readonly dialed: string;
  readonly country: CountryCode | undefined;
}

const LEAST = 20_000;

/** Pseudo-random integers below a limit, the same in every run (the MINSTD generator). */
function randomIntegers(): (limit: number) => number {
  let state = 20_250_101;
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}

/**
 * At least 20,000 distinct numbers in random order: Google's example of each type in each region and of each calling
 * code without a country, plus valid variations of its last digits.
 */
export function corpus(): Sample[] {
  const random = randomIntegers();
  const all = examples();
  const found = new Map<string, Sample>();
  function add(number: PhoneNumber): void {
    const { valid, region } = googleAssignment(number);
    const e164 = formatE164(number);
    if (!valid || found.has(e164)) return;
    const country = region === null || region === NO_COUNTRY_REGION ? undefined : (region as CountryCode);
    const international = formatInternational(number);
    const dialed = country === undefined ? international : formatNational(number);
    found.set(e164, { number, e164, international, dialed, country });
  }
  for (const number of all) add(number);
  while (found.size < LEAST) {
    for (const number of all) {
      const changed = 1 + random(4);
      const kept = number.nationalNumber.slice(0, -changed);
      add({ ...number, nationalNumber: kept + String(random(10 ** changed)).padStart(changed, "0") });
    }
  }
  // Through JSON, like in requests: concatenated strings are slower to read.
  return JSON.parse(JSON.stringify(shuffled([...found.values()], random))) as Sample[];
}

function shuffled<T>(values: T[], random: (limit: number) => number): T[] {
  for (let last = values.length - 1; last > 0; last--) {
    const other = random(last + 1);
    [values[last], values[other]] = [values[other]!, values[last]!];
  }
  return values;
}
