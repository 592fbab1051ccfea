import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ADDRESS_CALLS_PER_MINUTE } from "../../contract/limits.ts";
import { PLANS, TEST_LIMITS } from "../../contract/plans.ts";
import { DAY_MS, MINUTE_MS } from "../platform/time.ts";
import { RARE_EXCHANGE_REQUESTS } from "./rate/limiter.ts";
import { LOCATION_CALLS_PER_MINUTE } from "./rate/location.ts";
import { LIMITS } from "./table.ts";
import type { Limit } from "./table.ts";

/** Cloudflare's prices in USD per million, without those of the requests. */
const PRICES = { cpu: 0.02, d1Read: 0.001, d1: 1, kvRead: 0.5, kv: 5, ledger: 0.15, queue: 1.2 };

/** What a call uses: milliseconds of CPU, rows or keys read and written, calls of a ledger, and messages. */
type Use = Partial<typeof PRICES>;

/** What the exchange between isolates adds to each call: a write, and a read of eight keys. */
const EXCHANGED = { kv: 1 / RARE_EXCHANGE_REQUESTS, kvRead: 8 / RARE_EXCHANGE_REQUESTS };

const ANY_ADDRESS = LIMITS.documentsInLocation;

/** Each kind of call: its limits, and what one used on the local runtime, with its database and ledger in its CPU time. */
const KINDS: readonly (readonly [kind: string, use: Use, account: Limit | null, address: Limit | null])[] = [
  ["a session's calls", { cpu: 4.5, d1Read: 10, ledger: 1, ...EXCHANGED }, LIMITS.callsPerAccount, ANY_ADDRESS],
  ["its changes, besides", { cpu: 7, d1Read: 16, d1: 6, kv: 1 }, LIMITS.changesPerAccount, LIMITS.changesPerAddress],
  ["passwords", { cpu: 130, d1Read: 109, d1: 20 }, LIMITS.rightPasswordPerAccount, LIMITS.anyPasswordPerAddress],
  ["registrations", { cpu: 128, d1Read: 54, d1: 19, queue: 1 }, null, LIMITS.registerPerAddress],
  ["requests for an email", { cpu: 15, d1Read: 49, d1: 12, queue: 1 }, null, LIMITS.mailPerAddress],
  ["links in emails", { cpu: 130, d1Read: 20, d1: 20 }, null, LIMITS.tokenPerAddress],
  ["the demo", { cpu: 4, d1Read: 3, d1: 2 }, null, LIMITS.demoPerAddress],
  ["calls of these that are rejected", { cpu: 4, d1Read: 50 }, null, ANY_ADDRESS],
  ["documents and the sandbox", { cpu: 3.1 }, null, ANY_ADDRESS],
  [
    "calls that a key may not make",
    { cpu: 3.8, kv: 2 * EXCHANGED.kv, kvRead: 2 * EXCHANGED.kvRead },
    null,
    LIMITS.refusalsPerAddress,
  ],
  [
    "unknown keys",
    { cpu: 3.8, d1Read: 1, ...EXCHANGED, kvRead: 2 + EXCHANGED.kvRead },
    null,
    LIMITS.unknownKeysPerAddress,
  ],
];

function dollarsPerDay(use: Use, rule: Limit | null): number {
  if (rule === null) return 0;
  const each = Object.entries(use).reduce((sum, [unit, used]) => sum + used * PRICES[unit as keyof Use], 0);
  return (each * rule.max * (DAY_MS / rule.window)) / 1_000_000;
}

/** With one significant digit. */
function rounded(value: number): string {
  return String(Number(value.toPrecision(1)));
}

function shown(use: Use, rule: Limit | null): string {
  if (rule === null) return "";
  const minutes = rule.window / MINUTE_MS;
  const period = minutes === 1 ? "minute" : "hour";
  return `${rule.max} per ${period}: $${rounded(dollarsPerDay(use, rule))}`;
}

/** The cells of a table, without their padding. */
function cellsOf(line: string): string {
  return line
    .split("|")
    .map((cell) => cell.trim())
    .join("|");
}

test("no account and no address can cost a dollar a day, and docs/scale.md says what they can", () => {
  const lines = readFileSync("docs/scale.md", "utf8").split("\n").map(cellsOf);
  for (const [kind, use, account, address] of KINDS) {
    const figures = [rounded(use.cpu!), use.d1 ?? 0, use.kv ?? 0, use.ledger ?? 0].join("|");
    expect(lines).toContain(`|${kind}|${figures}|${shown(use, account)}|${shown(use, address)}|`);
  }
  const sums = [2, 3].map((who) =>
    KINDS.reduce((sum, kind) => sum + dollarsPerDay(kind[1], kind[who] as Limit | null), 0),
  );
  expect(lines).toContain(`|together|||||${sums.map((sum) => `$${rounded(sum)}`).join("|")}|`);
  expect(Math.max(...sums)).toBeLessThan(1);
});

test("every plan allows at least a request for each call of a location's limiter", () => {
  for (const { requestsPerMinute } of [TEST_LIMITS, ...Object.values(PLANS)]) {
    expect(requestsPerMinute).toBeGreaterThanOrEqual(LOCATION_CALLS_PER_MINUTE);
  }
});

test.each([
  ["ADDRESS_BACKSTOP", ADDRESS_CALLS_PER_MINUTE],
  ["ACCOUNT_BACKSTOP", LOCATION_CALLS_PER_MINUTE],
])("wrangler.toml has the platform's limit of %s, in each environment", (name, limit) => {
  const binding = new RegExp(`"${name}"[^}]*simple = \\{ limit = (\\d+), period = 60 \\}`, "g");
  const limits = [...readFileSync("wrangler.toml", "utf8").matchAll(binding)];
  expect(limits.map(([, each]) => Number(each))).toStrictEqual([limit, limit, limit]);
});
