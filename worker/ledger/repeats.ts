import { DAY_MS, HOUR_MS } from "../platform/time.ts";
import type { LedgerAccount, CountedParts, LedgerHost, Range } from "./account.ts";
import type { KeyedCall, Part } from "./part.ts";
import { createUsageSum } from "./usage-sum.ts";

/** Older parts are rejected: too little is remembered of their isolates to recognize a repetition. */
export const ACCEPTED_MS = 15 * DAY_MS;
/** How long sequence numbers are remembered: longer than a part is accepted, allowing for isolates' clock skew. */
const REMEMBERED_MS = ACCEPTED_MS + 2 * DAY_MS;
/** The most isolates and ids in the account's row. Then half the isolates, or all ids, move to a table. */
const MAX_ISOLATES = 500;
const MAX_IDS = 8_000;

type Host = Pick<LedgerHost, "sql" | "now">;

function rangesOf({ sql }: Host, { isolates }: Readonly<LedgerAccount>, isolate: string): readonly Range[] {
  const known = isolates[isolate];
  if (known !== undefined) return known.ranges;
  // An id starts with its isolate's creation time. The hour allows for clock skew.
  const born = Number.parseInt(isolate, 36) - HOUR_MS;
  const query = "SELECT body -> ?1 AS found FROM isolates WHERE newest >= ?2 AND found IS NOT NULL";
  const rows = sql.exec<{ found: string }>(`${query} ORDER BY newest DESC LIMIT 1`, `$."${isolate}"`, born).toArray();
  return rows.flatMap(({ found }) => (JSON.parse(found) as CountedParts).ranges);
}

/** Ascending ranges with another number. */
function withNumber(ranges: readonly Range[], added: number): Range[] {
  const joined: Range[] = [];
  for (const [first, last] of [...ranges, [added, added] as const].toSorted((a, b) => a[0] - b[0])) {
    const before = joined.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  return joined;
}

/** The ranges of a part's isolate with this part, or null if it was counted. */
export function rangesWith(
  host: Host,
  account: Readonly<LedgerAccount>,
  { isolate, seq }: Part,
): readonly Range[] | null {
  const ranges = rangesOf(host, account, isolate);
  return ranges.some(([first, last]) => first <= seq && seq <= last) ? null : withNumber(ranges, seq);
}

export function addRanges(host: Host, account: LedgerAccount, { isolate }: Part, ranges: readonly Range[]): void {
  // The isolate that was counted last comes last.
  delete account.isolates[isolate];
  account.isolates[isolate] = { ranges, at: host.now() };
  const isolates = Object.entries(account.isolates);
  if (isolates.length <= MAX_ISOLATES) return;
  const moved = isolates.splice(0, MAX_ISOLATES / 2);
  const body = JSON.stringify(Object.fromEntries(moved));
  host.sql.exec("INSERT INTO isolates (newest, body) VALUES (?1, ?2)", moved.at(-1)![1].at, body);
  account.isolates = Object.fromEntries(isolates);
}

function currentHour({ now }: Host): number {
  return Math.floor(now() / HOUR_MS);
}

function hasId(host: Host, { calls }: Readonly<LedgerAccount>, id: string): boolean {
  const hour = currentHour(host);
  if ((calls[id] ?? -1) >= hour) return true;
  const query = "SELECT 1 FROM calls WHERE prefix = substr(?1, 1, 2) AND hour >= ?2 AND instr(ids, ?1) LIMIT 1";
  return host.sql.exec(query, id, hour).toArray().length > 0;
}

/** What was not counted before: the sum of a part's entries, and its calls' ids with the hour in which they expire. */
export function newIn(host: Host, account: Readonly<LedgerAccount>, { entries }: Part) {
  const ids: LedgerAccount["calls"] = {};
  function isNew({ id, alias, hours }: KeyedCall): boolean {
    const all = alias === undefined ? [id] : [id, alias];
    const added = all.filter((each) => ids[each] === undefined && !hasId(host, account, each));
    for (const each of added) ids[each] = currentHour(host) + hours;
    return added.length === all.length;
  }
  const sum = createUsageSum();
  for (const { call, counts, uses } of entries) if (call === undefined || isNew(call)) sum.add({ counts, uses });
  return { entries: sum.entries, ids };
}

export function addIds(host: Host, account: LedgerAccount, ids: LedgerAccount["calls"]): void {
  Object.assign(account.calls, ids);
  if (Object.keys(account.calls).length <= MAX_IDS) return;
  host.sql.exec(
    `INSERT INTO calls SELECT substr(key, 1, 2), value, group_concat(key, ' ') FROM json_each(?1) WHERE value >= ?2
     GROUP BY 1, 2 ON CONFLICT DO UPDATE SET ids = ids || ' ' || excluded.ids`,
    JSON.stringify(account.calls),
    currentHour(host),
  );
  account.calls = {};
}

/** Forgets what can't be repeated any more. */
export function dropOldRepeats(host: Host, account: LedgerAccount): void {
  const oldest = host.now() - REMEMBERED_MS;
  const hour = currentHour(host);
  for (const [isolate, { at }] of Object.entries(account.isolates)) if (at < oldest) delete account.isolates[isolate];
  for (const [id, last] of Object.entries(account.calls)) if (last < hour) delete account.calls[id];
  host.sql.exec("DELETE FROM isolates WHERE newest < ?1", oldest);
  host.sql.exec("DELETE FROM calls WHERE hour < ?1", hour);
}
