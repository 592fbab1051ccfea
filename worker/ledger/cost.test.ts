import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fakeD1, openLedger } from "../../test/ledgers.ts";
import { countOf, NOON, partOf } from "../../test/usage.ts";
import { sampleOf } from "../../test/metered-isolates.ts";
import { seededRandom } from "../../test/seeded.ts";
import { DAY_MS, utcDay } from "../platform/time.ts";
import type { Entry } from "./part.ts";

/** Cloudflare's prices in USD per million. */
const PRICES = { call: 0.15, row: 1 };

/** Per verification: a call is one of a ledger, alarms included, and a row one in a ledger or D1. */
interface Cost {
  readonly calls: number;
  readonly rows: number;
}

/** An account whose ledger gets parts while time passes. */
function createAccount(isolates: number, countries: number) {
  const random = seededRandom(7);
  const sequences = new Map<string, number>();
  const spent = { calls: 0, d1: 0 };
  let now = NOON;
  const db = fakeD1(async (query) => {
    if (!query.startsWith("SELECT")) spent.d1 += 1;
    return [{ metered_at: NOON }];
  });
  const opened = openLedger({ now: () => now, db });

  return {
    async pass(ms: number): Promise<void> {
      const until = now + ms;
      while (opened.alarm !== null && opened.alarm > now && opened.alarm <= until) {
        now = opened.alarm;
        spent.calls += 1;
        await opened.ledger.alarm();
      }
      now = until;
    },

    /** Records a part of an isolate, which lives for six hours, with a sample of its calls. */
    async record(entries: readonly Entry[]): Promise<void> {
      const isolate = `${(now - (now % (DAY_MS / 4))).toString(36)}.${Math.floor(random() * isolates)}`;
      const seq = (sequences.get(isolate) ?? 0) + 1;
      sequences.set(isolate, seq);
      spent.calls += 1;
      opened.ledger.record(
        partOf("usr_1", [], { at: now, isolate, seq, entries: [...entries], activity: [sampleOf(now)] }),
      );
      await opened.settled();
    },

    /** Entries of single numbers in random countries. */
    entries: (numbers: number, hasKeys = false): Entry[] =>
      Array.from({ length: numbers }, () => ({
        counts: [countOf(1, 0, { country: `A${String.fromCharCode(65 + random() * countries)}`, day: utcDay(now) })],
        uses: [],
        ...(hasKeys && {
          call: {
            id: Math.floor(random() * 2 ** 48)
              .toString(16)
              .padStart(12, "0")
              .repeat(2),
            hours: 48,
          },
        }),
      })),

    /** What it cost since then, per verification. */
    costSince: (before: Cost, verifications: number): Cost => ({
      calls: (spent.calls - before.calls) / verifications,
      rows: (opened.rowsWritten + spent.d1 - before.rows) / verifications,
    }),
    get spent(): Cost {
      return { calls: spent.calls, rows: opened.rowsWritten + spent.d1 };
    },
  };
}

/** The cost of an account with this many verifications per second, without a limit. */
async function costOfBusy(perSecond: number, isolates: number, countries = 5, hasKeys = false): Promise<Cost> {
  // What meter.test.ts tests: a window starts with a call, and is long enough for 20 parts a second.
  const seconds = Math.min(Math.max(isolates / 20, 2), 10);
  const numbers = 1 + (perSecond / isolates) * seconds;
  const account = createAccount(isolates, countries);
  // So many parts fill the ids that the account's row has.
  const parts = hasKeys ? Math.ceil(8_000 / numbers) : 200;
  await account.record(account.entries(numbers));
  const before = account.spent;
  for (let part = 0; part < parts; part++) {
    await account.pass((1000 * numbers) / perSecond);
    await account.record(account.entries(numbers, hasKeys));
  }
  return account.costSince(before, parts * numbers);
}

/** The cost of an account with lone calls, after some days. */
async function costOfSmall(perDay: number, days: number, after: number): Promise<Cost> {
  const account = createAccount(40, 5);
  async function live(forDays: number): Promise<void> {
    for (let made = 0; made < forDays * perDay; made++) {
      await account.pass(DAY_MS / perDay);
      await account.record(account.entries(1));
    }
  }
  await live(after);
  const before = account.spent;
  await live(days);
  return account.costSince(before, days * perDay);
}

function dollars({ calls, rows }: Cost): number {
  return calls * PRICES.call + rows * PRICES.row;
}

/** The cells of a table, without their padding. */
function cellsOf(line: string): string {
  return line
    .split("|")
    .map((cell) => cell.trim())
    .join("|");
}

/** With one significant digit. */
function rounded(value: number): string {
  return String(Number(value.toPrecision(1)));
}

test(
  "a million verifications cost what docs/scale.md says, and no more than their ceiling",
  { timeout: 300_000 },
  async () => {
    const busy = await costOfBusy(100, 20);
    const many = await costOfBusy(1_000, 200);
    const rowsOfIds = (await costOfBusy(1_000, 200, 5, true)).rows - many.rows;
    const loads: readonly (readonly [load: string, isolates: number, cost: Cost, ceiling: number])[] = [
      ["one account, 1/s", 2, await costOfBusy(1, 2), 4],
      ["one account, 100/s", 20, busy, 0.6],
      ["the same, in 50 countries", 20, await costOfBusy(100, 20, 50), 1.1],
      ["the same in five, with Idempotency-Keys", 20, { ...busy, rows: busy.rows + rowsOfIds }, dollars(busy) + 0.05],
      ["one account, 1,000/s", 200, many, 0.6],
      ["10,000 accounts, one per minute each", 40, await costOfSmall(1_440, 1, 1), 4],
      ["1,000,000 accounts, ten per day each", 40, await costOfSmall(10, 31, 14 * 31), 4],
    ];
    const lines = readFileSync("docs/scale.md", "utf8").split("\n").map(cellsOf);
    for (const [load, isolates, cost, ceiling] of loads) {
      expect(dollars(cost), load).toBeLessThan(ceiling);
      const figures = [isolates, rounded(cost.calls), rounded(cost.rows), `$${rounded(dollars(cost))}`];
      expect(lines).toContain(`|${[load, ...figures].join("|")}|`);
    }
  },
);
