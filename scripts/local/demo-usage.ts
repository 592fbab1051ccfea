import { eq } from "drizzle-orm";
import { KEY_MODES } from "../../contract/limits.ts";
import type { KeyMode } from "../../contract/limits.ts";
import { usageDaily } from "../../schema.ts";
import type { Database } from "../../worker/platform/db.ts";

/** How many days before today the demo account has been busy. */
const DAYS = 75;
const DAY_MS = 86_400_000;

/** Where its numbers come from: parts of a hundred, and how many of each hundred are valid. */
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

/** Verifications of a day: fewer at weekends, slowly more over the weeks, a little uneven, and the same on every machine. */
function verificationsOn(day: number, mode: KeyMode, now: number): number {
  const weekday = new Date(now - day * DAY_MS).getUTCDay();
  const quiet = weekday === 0 || weekday === 6 ? 0.45 : 1;
  const growth = 1 - (day / DAYS) * 0.5;
  const uneven = 1 + 0.22 * Math.sin(day * 2.7) + 0.13 * Math.sin(day * 0.9);
  return Math.round(BUSY[mode] * quiet * growth * uneven);
}

/**
 * Gives a demo account that has never been used some weeks of sample usage, so that its reports have something to show. Only days
 * before today: the trial's quota begins with the account, and stays untouched.
 */
export async function seedDemoUsage(db: Database, userId: string, now: number): Promise<void> {
  const used = await db.select({ day: usageDaily.day }).from(usageDaily).where(eq(usageDaily.userId, userId)).get();
  if (used !== undefined) return;
  const rows = KEY_MODES.flatMap((mode) =>
    Array.from({ length: DAYS }, (_, at) => at + 1).flatMap((before) => {
      const day = new Date(now - before * DAY_MS).toISOString().slice(0, 10);
      const total = verificationsOn(before, mode, now);
      return COUNTRIES.flatMap(([countryCode, share, valid], at) => {
        const count = Math.round((total * share) / 100);
        // Rounded up or down by the day, so that small countries fail now and then.
        const success = Math.floor((count * valid) / 100 + ((before * 7 + at * 3) % 10) / 10);
        return [
          { userId, mode, day, countryCode, outcome: "success" as const, count: success },
          { userId, mode, day, countryCode, outcome: "failure" as const, count: count - success },
        ].filter((row) => row.count > 0);
      });
    }),
  );
  // Six values a row, and at most 100 to a statement.
  const statements = Array.from({ length: Math.ceil(rows.length / 16) }, (_, at) =>
    db.insert(usageDaily).values(rows.slice(at * 16, at * 16 + 16)),
  );
  const [first, ...others] = statements;
  if (first !== undefined) await db.batch([first, ...others]);
}
