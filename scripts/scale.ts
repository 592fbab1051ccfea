/**
 * What metering costs at scale, computed from the code's own windows and Cloudflare's prices: `npm run scale`.
 * docs/scale.md has the table, and what breaks first.
 */

import { formatCount } from "../contract/format.ts";

/**
 * US dollars per million, from Cloudflare's documentation as of November 22, 2026, beyond what Workers Paid includes.
 */
const PRICE = { request: 0.3, queueOperation: 0.4, ledgerCall: 0.15, rowWritten: 1, gigabyteSecond: 12.5 } as const;

/** Same as in worker/ledger/recorder.ts and wrangler.toml. */
const WINDOW_S = 2;
const BATCH_MESSAGES = 100;
const BATCH_WAIT_S = 2;
/**
 * Duration of a ledger call in seconds, measured on the local runtime; an object is billed for 128 MB while it works.
 */
const LEDGER_CALL_S = 0.0015;
const LEDGER_GB = 0.128;
/** Rows per call id when ids are moved out of the state: 128 for 8,000, deleted once. */
const ROWS_BY_ID = (2 * 128) / 8_000;
/** An account's sampled calls per second, and the rows that a hundred of them cost. */
const SAMPLES_A_SECOND = 1;
const ROWS_BY_SAMPLE = 1 / 100;
/**
 * A ledger's rows per day: the alarm, the state twice, the totals in D1, and a count for each key, mode, and country.
 */
const ROWS_A_DAY = 4 + 5;
/** Ids that a ledger keeps in its state: an SDK's are remembered for at most two hours, callers' own for 48. */
const IDS_IN_STATE = 8_000;

export interface Load {
  readonly name: string;
  readonly accounts: number;
  /** Verifications per second of all accounts together. */
  readonly rate: number;
  /** Isolates serving them. */
  readonly isolates: number;
  /** How many hours call ids are remembered: 0 without Idempotency-Keys, 2 with the SDKs', 49 with callers' own. */
  readonly idHours: number;
}

/** What happens per million verifications, in millions. */
export interface Cost {
  readonly queueOperations: number;
  readonly ledgerCalls: number;
  readonly rowsWritten: number;
  /** US dollars, in addition to the requests themselves. */
  readonly dollars: number;
}

/** The expected number of distinct `kinds` in `tries` random draws. */
function distinct(kinds: number, tries: number): number {
  return kinds === 1 ? Math.min(1, tries) : kinds * (1 - Math.exp(-tries / kinds));
}

export function costOf({ accounts, rate, isolates, idHours }: Load): Cost {
  // One message per isolate and window with any counts, closed early at 100 entries.
  const inWindow = (rate / isolates) * WINDOW_S;
  const entries = idHours > 0 ? inWindow : distinct(accounts, inWindow);
  const busy = inWindow < 1 ? 1 - Math.exp(-inWindow) : 1;
  const messages = (isolates / WINDOW_S) * Math.max(busy, entries / 100);
  // One call per account in a delivery, which has at most 100 messages.
  const deliveries = Math.max(Math.min(messages, 1 / BATCH_WAIT_S), messages / BATCH_MESSAGES);
  const calls = deliveries * distinct(accounts, rate / deliveries);
  const idsOfAccount = (rate / accounts) * 3_600 * idHours;
  const ids = idsOfAccount > IDS_IN_STATE ? rate * ROWS_BY_ID : 0;
  const days = (accounts * ROWS_A_DAY) / 86_400;
  const samples = Math.min(rate, accounts * SAMPLES_A_SECOND) * ROWS_BY_SAMPLE;
  const rows = Math.min(calls, rate) + ids + samples + days;
  const perMillion = (perSecond: number) => perSecond / rate;
  const cost = {
    queueOperations: perMillion(3 * messages),
    ledgerCalls: perMillion(calls + accounts / 86_400),
    rowsWritten: perMillion(rows),
  };
  const requests = perMillion(deliveries);
  const dollars =
    cost.queueOperations * PRICE.queueOperation +
    cost.ledgerCalls * (PRICE.ledgerCall + LEDGER_CALL_S * LEDGER_GB * PRICE.gigabyteSecond) +
    cost.rowsWritten * PRICE.rowWritten +
    requests * PRICE.request;
  return { ...cost, dollars };
}

const SDK_HOURS = 2;
const OWN_HOURS = 49;

export const LOADS: readonly Load[] = [
  ...[1, 100, 1_000, 10_000].flatMap((rate) =>
    [0, SDK_HOURS, OWN_HOURS].map((idHours) => ({
      name: `one account, ${formatCount(rate)}/s`,
      accounts: 1,
      rate,
      isolates: Math.max(2, Math.ceil(rate / 5 ** (rate > 1_000 ? 2 : 1))),
      idHours,
    })),
  ),
  ...[0, SDK_HOURS].flatMap((idHours) => [
    { name: "10,000 accounts, one per minute each", accounts: 10_000, rate: 167, isolates: 40, idHours },
    { name: "1,000,000 accounts, ten per day each", accounts: 1_000_000, rate: 116, isolates: 40, idHours },
    { name: "10,000 accounts, 10,000/s", accounts: 10_000, rate: 10_000, isolates: 400, idHours },
  ]),
];

const KEYS: Readonly<Record<number, string>> = { 0: "none", [SDK_HOURS]: "SDKs'", [OWN_HOURS]: "callers' own" };

function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

/** The table of metering costs. */
export function scaleTable(): string {
  const rows = LOADS.map((load) => {
    const { queueOperations, ledgerCalls, rowsWritten, dollars } = costOf(load);
    const figures = [queueOperations, ledgerCalls, rowsWritten].map((figure) => figure.toFixed(4));
    return [load.name, KEYS[load.idHours]!, String(load.isolates), ...figures, `$${dollars.toFixed(2)}`];
  });
  const head = [
    "load",
    "Idempotency-Keys",
    "isolates",
    "queue operations",
    "ledger calls",
    "rows written",
    "per million",
  ];
  return formatTable(head, rows);
}

if (import.meta.main) console.log(scaleTable());
