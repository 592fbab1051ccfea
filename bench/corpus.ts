import { verify } from "../test/engine.ts";
import { examples } from "../test/google-oracle.ts";
import { seededRandom, shuffled } from "../test/seeded.ts";
import { formatE164 } from "../worker/phone/format.ts";

const SAMPLES = 20_000;

/** A valid number in E.164 and in the national format of its country. */
export interface Sample {
  readonly e164: string;
  readonly national: string;
  readonly country: string;
}

/** Valid numbers of every type in every country, in random order: Google's examples with other last digits. */
export function corpus(): Sample[] {
  const random = seededRandom(1);
  const found = new Map<string, Sample>();
  while (found.size < SAMPLES) {
    for (const example of examples()) {
      const number = formatE164(example);
      const changed = Math.floor(random() * 5);
      const digits = String(Math.floor(random() * 10 ** changed)).padStart(changed, "0");
      const {
        valid,
        number: e164,
        local_format: national,
        country_code: country,
      } = verify(changed === 0 ? number : number.slice(0, -changed) + digits);
      if (valid && country !== null) found.set(e164!, { e164: e164!, national: national!, country });
    }
  }
  return shuffled([...found.values()], random);
}
