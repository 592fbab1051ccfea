import { KEY_MODES } from "../../contract/limits.ts";
import type { KeyMode } from "../../contract/limits.ts";
import type { Count, Part, Sample } from "../../worker/ledger/part.ts";
import { DAY_MS, utcDay } from "../../worker/platform/time.ts";

/** How many days of activity the demo account has, before today. */
export const DEMO_DAYS = 75;

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

const BUSY: Readonly<Record<KeyMode, number>> = { test: 24, live: 60 };

/**
 * Verifications on a day: fewer on weekends, growing slowly over the weeks, slightly uneven, and the same on every
 * machine.
 */
function verificationsOn(day: number, mode: KeyMode, now: number): number {
  const weekday = new Date(now - day * DAY_MS).getUTCDay();
  const quiet = weekday === 0 || weekday === 6 ? 0.45 : 1;
  const growth = 1 - (day / DEMO_DAYS) * 0.5;
  const uneven = 1 + 0.22 * Math.sin(day * 2.7) + 0.13 * Math.sin(day * 0.9);
  return Math.round(BUSY[mode] * quiet * growth * uneven);
}

/** Calls with the account's test key, in rotation. */
const CALLS: readonly (readonly [operation: string, status: number, code: string | null, country: string | null])[] = [
  ["verify", 200, null, "BR"],
  ["verify", 200, null, "US"],
  ["verify", 400, "REJECTED_SUBSCRIBER_ABSENT", "BR"],
  ["verifyBatch", 200, null, null],
  ["verify", 200, null, "GB"],
  ["verify", 400, "VALIDATION_FAILED", null],
  ["quota", 200, null, null],
];

/** Three days of calls, the newest a few minutes ago. */
function demoCalls(testKey: string, now: number): Sample[] {
  return Array.from({ length: 40 }, (_, back) => {
    const [operation, status, code, country] = CALLS[back % CALLS.length]!;
    const numbers = operation === "verify" && code !== "VALIDATION_FAILED" ? 1 : operation === "verifyBatch" ? 25 : 0;
    const at = now - 240_000 - Math.round(back * 6_400_000 * (0.6 + 0.4 * Math.sin(back)));
    return {
      at,
      requestId: `req_sample${(7 * (back + 41) ** 6).toString(36)}`,
      key: testKey,
      operation,
      status,
      code,
      country,
      numbers,
      duration: 4 + ((back * 7) % 23),
      colo: null,
    };
  });
}

/**
 * A few weeks of sample usage for an unused demo account, so its reports have something to show. Only days before
 * today, outside any subscription, so the trial's quota stays untouched. The calls in its activity are not counted.
 * @param testKey the id of its test key
 */
export function demoUsage(userId: string, testKey: string, now: number): Part {
  const counts = KEY_MODES.flatMap((mode) =>
    Array.from({ length: DEMO_DAYS }, (_, at) => at + 1).flatMap((before) => {
      const total = verificationsOn(before, mode, now);
      return COUNTRIES.map(([country, share, valid], at): Count => {
        const count = Math.round((total * share) / 100);
        // Rounded up or down by day, so that small countries fail now and then.
        const successful = Math.min(count, Math.floor((count * valid) / 100 + ((before * 7 + at * 3) % 10) / 10));
        const day = utcDay(now - before * DAY_MS);
        return { startedAt: 0, key: "sample", mode, day, country, successful, failed: count - successful };
      });
    }),
  );
  return {
    user: userId,
    isolate: "0.sample",
    seq: 1,
    at: now,
    entries: [{ counts: counts.filter(({ successful, failed }) => successful + failed > 0), uses: [] }],
    activity: demoCalls(testKey, now),
    limited: [],
  };
}
