import { KEY_MODES } from "../../contract/limits.ts";
import type { KeyMode } from "../../contract/limits.ts";
import type { Count, Part, Sample } from "../../worker/ledger/part.ts";
import { DAY_MS, utcDay } from "../../worker/platform/time.ts";

/** How many days of activity the demo account has, before today: live, it began later and fits the trial's quota. */
export const DEMO_DAYS: Readonly<Record<KeyMode, number>> = { test: 75, live: 24 };

/** The countries of its numbers: their share in percent, and the percentage of valid numbers. */
const COUNTRIES: readonly (readonly [code: string, share: number, valid: number])[] = [
  ["BR", 38, 96],
  ["US", 21, 91],
  ["GB", 14, 94],
  ["PT", 9, 97],
  ["AO", 7, 88],
  ["FR", 5, 95],
  ["KE", 4, 90],
  ["ZZ", 2, 0],
];

const BUSY: Readonly<Record<KeyMode, number>> = { test: 24, live: 30 };

/**
 * Verifications on a day: fewer on weekends, growing slowly over the weeks, slightly uneven, and the same on every
 * machine.
 */
function verificationsOn(day: number, mode: KeyMode, now: number): number {
  const weekday = new Date(now - day * DAY_MS).getUTCDay();
  const quiet = weekday === 0 || weekday === 6 ? 0.45 : 1;
  const growth = 1 - (day / DEMO_DAYS.test) * 0.5;
  const uneven = 1 + 0.22 * Math.sin(day * 2.7) + 0.13 * Math.sin(day * 0.9);
  // Today isn't over.
  const elapsed = day === 0 ? (now % DAY_MS) / DAY_MS : 1;
  return Math.round(BUSY[mode] * quiet * growth * uneven * elapsed);
}

/** Calls with the account's keys, in rotation. Only test keys get the sandbox's failures. */
const CALLS: readonly (readonly [
  mode: KeyMode,
  operation: string,
  status: number,
  code: string | null,
  country: string | null,
  numbers: number,
  fields: string[],
])[] = [
  ["live", "verify", 200, null, "BR", 1, ["number"]],
  ["live", "verify", 200, null, "US", 1, ["number", "country"]],
  ["test", "verify", 400, "REJECTED_SUBSCRIBER_ABSENT", "BR", 1, ["number"]],
  ["test", "verifyBatch", 200, null, null, 25, ["numbers", "country"]],
  ["live", "verify", 200, null, "GB", 1, ["number", "accept_types"]],
  ["live", "verify", 400, "VALIDATION_FAILED", null, 0, ["number", "accept_types"]],
  ["test", "verify", 400, "INVALID_JSON", null, 0, []],
  ["live", "quota", 200, null, null, 0, []],
];

/** When the newest call was. */
function lastCallAt(now: number): number {
  return now - 240_000;
}

/** Three days of calls, the newest a few minutes ago. */
function demoCalls(keys: KeyIds, now: number): Sample[] {
  return Array.from({ length: 40 }, (_, back) => {
    const [mode, operation, status, code, country, numbers, fields] = CALLS[back % CALLS.length]!;
    const at = lastCallAt(now) - Math.round(back * 6_400_000 * (0.6 + 0.4 * Math.sin(back)));
    return {
      at,
      request_id: `req_sample${(7 * (back + 41) ** 6).toString(36)}`,
      key_id: keys[mode],
      mode,
      operation,
      status,
      code,
      country,
      numbers,
      fields,
      duration_ms: 4 + ((back * 7) % 23),
      data_center: null,
    };
  });
}

/** The ids of its two keys. */
export type KeyIds = Readonly<Record<KeyMode, string>>;

/**
 * A few weeks of sample usage for an unused demo account, so its reports have something to show.
 * @param startedAt when its trial started, in milliseconds since the Unix epoch
 */
export function demoUsage(userId: string, keys: KeyIds, startedAt: number, now: number): Part {
  const counts = KEY_MODES.flatMap((mode) =>
    Array.from({ length: DEMO_DAYS[mode] + 1 }, (_, before) => before).flatMap((before) => {
      const total = verificationsOn(before, mode, now);
      return COUNTRIES.map(([country, share, valid], at): Count => {
        const count = Math.round((total * share) / 100);
        // Rounded up or down by day, so that small countries fail now and then.
        const successful = Math.min(count, Math.floor((count * valid) / 100 + ((before * 7 + at * 3) % 10) / 10));
        const day = utcDay(now - before * DAY_MS);
        const key = keys[mode];
        return { startedAt, key, root: key, mode, day, country, successful, failed: count - successful };
      });
    }),
  );
  return {
    user: userId,
    isolate: "0.sample",
    seq: 1,
    at: lastCallAt(now),
    entries: [{ counts: counts.filter(({ successful, failed }) => successful + failed > 0), uses: [] }],
    activity: demoCalls(keys, now),
    limited: [],
  };
}
