/**
 * What metering costs at scale, from the code's own windows and Cloudflare's prices: `npm run scale`. docs/scale.md has the table, and
 * what breaks first.
 */

/** US dollars for a million, Cloudflare's documentation as of 22 November 2026, beyond what Workers Paid includes. */
const PRICE = { request: 0.3, queueOperation: 0.4, ledgerCall: 0.15, rowWritten: 1, gigabyteSecond: 12.5 } as const;

/** As in worker/ledger/recorder.ts and wrangler.toml. */
const WINDOW_S = 2;
const BATCH_MESSAGES = 100;
const BATCH_WAIT_S = 2;
/** What a call of a ledger takes, measured on the local runtime, in seconds; an object is billed for 128 MB while it works. */
const LEDGER_CALL_S = 0.0015;
const LEDGER_GB = 0.128;
/** Rows for each id of a call when ids are moved out of the state: 128 for 8,000, deleted once. */
const ROWS_BY_ID = (2 * 128) / 8_000;
/** Rows of a ledger's day: the alarm, the state twice, the totals in D1, and a count for each key, mode and country. */
const ROWS_A_DAY = 4 + 5;
/** Ids that a ledger keeps in its state: an SDK's are remembered two hours at most, callers' own 48. */
const IDS_IN_STATE = 8_000;

export interface Load {
  readonly name: string;
  readonly accounts: number;
  /** Verifications a second of all accounts together. */
  readonly rate: number;
  /** Isolates that serve them. */
  readonly isolates: number;
  /** How many hours ids of calls are remembered: 0 without Idempotency-Keys, 2 with those of SDKs, 49 with callers' own. */
  readonly idHours: number;
}

/** What happens for a million verifications, in millions. */
export interface Cost {
  readonly queueOperations: number;
  readonly ledgerCalls: number;
  readonly rowsWritten: number;
  /** US dollars, beside those of the requests themselves. */
  readonly dollars: number;
}

/** How many different ones of `kinds` are met by `tries` at random. */
function distinct(kinds: number, tries: number): number {
  return kinds === 1 ? Math.min(1, tries) : kinds * (1 - Math.exp(-tries / kinds));
}

export function costOf({ accounts, rate, isolates, idHours }: Load): Cost {
  // A message an isolate and window in which something was counted, closed early at 100 entries.
  const inWindow = (rate / isolates) * WINDOW_S;
  const entries = idHours > 0 ? inWindow : distinct(accounts, inWindow);
  const busy = inWindow < 1 ? 1 - Math.exp(-inWindow) : 1;
  const messages = (isolates / WINDOW_S) * Math.max(busy, entries / 100);
  // A call for each account of a delivery, which has at most 100 messages.
  const deliveries = Math.max(Math.min(messages, 1 / BATCH_WAIT_S), messages / BATCH_MESSAGES);
  const calls = deliveries * distinct(accounts, rate / deliveries);
  const idsOfAccount = (rate / accounts) * 3_600 * idHours;
  const ids = idsOfAccount > IDS_IN_STATE ? rate * ROWS_BY_ID : 0;
  const days = (accounts * ROWS_A_DAY) / 86_400;
  const rows = Math.min(calls, rate) + ids + days;
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
      name: `one account, ${rate.toLocaleString("en-US")}/s`,
      accounts: 1,
      rate,
      isolates: Math.max(2, Math.ceil(rate / 5 ** (rate > 1_000 ? 2 : 1))),
      idHours,
    })),
  ),
  ...[0, SDK_HOURS].flatMap((idHours) => [
    { name: "10,000 accounts, one a minute each", accounts: 10_000, rate: 167, isolates: 40, idHours },
    { name: "1,000,000 accounts, ten a day each", accounts: 1_000_000, rate: 116, isolates: 40, idHours },
    { name: "10,000 accounts, 10,000/s", accounts: 10_000, rate: 10_000, isolates: 400, idHours },
  ]),
];

const KEYS: Readonly<Record<number, string>> = { 0: "none", [SDK_HOURS]: "SDKs'", [OWN_HOURS]: "callers' own" };

/** The table of docs/scale.md. */
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
    "a million",
  ];
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

if (import.meta.main) console.log(scaleTable());
