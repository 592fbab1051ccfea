import type { ActivityQuery } from "../../contract/activity.ts";
import type { KeyMode } from "../../contract/limits.ts";
import { SANDBOX_FAILURES } from "../../contract/sandbox.ts";
import { DAY_MS, MINUTE_MS } from "../platform/time.ts";
import type { LedgerAccount, LedgerHost } from "./account.ts";
import type { Part, Sample } from "./part.ts";

/** How long calls are shown, in milliseconds. */
export const ACTIVITY_MS = 30 * DAY_MS;
/**
 * The last 500 failed and the last 500 successful calls, so neither evicts the other. They leave the account's row in
 * chunks, each overwriting the oldest of its kind.
 */
const CHUNK = 50;
const CHUNKS = 10;
const KINDS = ["failed", "successful"] as const;
/** Remembered minutes with calls over a rate limit. */
const MAX_MINUTES = 120;
const PAGE = 50;
/** How many calls a digest shows. */
const LATEST = 5;

type Host = Pick<LedgerHost, "sql" | "now">;

/** A call with an error inside a 200, such as an MCP tool's, has failed too. */
function kindOf({ status, code }: Sample): (typeof KINDS)[number] {
  return status >= 400 || code !== null ? "failed" : "successful";
}

/** Adds a call unless there is one of its kind in the same second. */
export function addSample(samples: Sample[], sample: Sample): void {
  const second = Math.floor(sample.at / 1000);
  const isAlike = (other: Sample) => Math.floor(other.at / 1000) === second && kindOf(other) === kindOf(sample);
  if (!samples.some(isAlike)) samples.push(sample);
}

/** Adds the calls of a part: across isolates, one success and one failure per second. */
export function addActivity({ sql }: Host, account: LedgerAccount, { activity, limited }: Part): void {
  for (const sample of activity) addSample(account[kindOf(sample)].samples, sample);
  for (const [place, kind] of KINDS.entries()) {
    const recent = account[kind];
    if (recent.samples.length < CHUNK) continue;
    const newest = Math.max(...recent.samples.map(({ at }) => at));
    const query = "INSERT INTO activity VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET newest = ?2, samples = ?3";
    sql.exec(query, place * CHUNKS + (recent.chunks % CHUNKS), newest, JSON.stringify(recent.samples));
    account[kind] = { samples: [], chunks: recent.chunks + 1 };
  }
  for (const { minute, calls } of limited) account.limited[minute] = (account.limited[minute] ?? 0) + calls;
  for (const minute of Object.keys(account.limited).slice(0, -MAX_MINUTES)) delete account.limited[Number(minute)];
}

/** Calls that are not in a chunk yet. */
export function recentActivity({ failed, successful }: Readonly<LedgerAccount>): Sample[] {
  return [...failed.samples, ...successful.samples];
}

export function dropOldActivity({ sql, now }: Host, account: LedgerAccount): void {
  const oldest = now() - ACTIVITY_MS;
  sql.exec("DELETE FROM activity WHERE newest < ?1", oldest);
  for (const recent of [account.failed, account.successful])
    recent.samples = recent.samples.filter(({ at }) => at >= oldest);
  for (const minute of Object.keys(account.limited).map(Number)) {
    if (minute * MINUTE_MS < oldest) delete account.limited[minute];
  }
}

/** A query for calls, as the API's, with times in milliseconds since the Unix epoch, inclusive. */
export interface ActivityFilter extends Omit<ActivityQuery, "from" | "to"> {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** How many; one page by default. */
  readonly limit?: number | undefined;
}

export interface SamplePage {
  readonly calls: Sample[];
  /** Minutes with calls over a rate limit, newest first. */
  readonly limited: Part["limited"];
  /** The next `before`, if there are more calls. */
  readonly next: string | null;
}

/** Identifies a call's position in time order. */
function placeOf({ at, request_id: id }: Sample): string {
  return `${String(at).padStart(15, "0")}.${id}`;
}

/** All calls since a time, newest first, with their positions. */
function samplesSince({ sql }: Host, account: Readonly<LedgerAccount>, oldest: number) {
  const chunks = sql.exec<{ samples: string }>("SELECT samples FROM activity").toArray();
  const earlier = chunks.flatMap(({ samples }) => JSON.parse(samples) as Sample[]);
  return [...earlier, ...recentActivity(account)]
    .filter(({ at }) => at >= oldest)
    .map((sample) => ({ sample, place: placeOf(sample) }))
    .toSorted((a, b) => (a.place < b.place ? 1 : -1));
}

const SANDBOX_CODES: ReadonlySet<string> = new Set(SANDBOX_FAILURES.map(({ name }) => name));

/** What 95 of 100 took at most; null without any. */
function p95Of(durations: readonly number[]): number | null {
  return durations.toSorted((a, b) => a - b)[Math.ceil(0.95 * durations.length) - 1] ?? null;
}

/** The last calls of a mode, or of both, and what all of its sampled calls say. */
export function digestOf(host: Host, account: Readonly<LedgerAccount>, mode: KeyMode | undefined) {
  const calls = samplesSince(host, account, host.now() - ACTIVITY_MS)
    .map(({ sample }) => sample)
    .filter((sample) => mode === undefined || sample.mode === mode);
  const codes = calls.flatMap(({ code }) => (code === null || SANDBOX_CODES.has(code) ? [] : [code]));
  // The newest of those that are equally frequent: the sort keeps their order.
  const [top] = [...Map.groupBy(codes, (code) => code)].toSorted(([, a], [, b]) => b.length - a.length);
  return {
    sampled: calls.length,
    p95_ms: p95Of(calls.map(({ duration_ms: took }) => took)),
    top_error: top === undefined ? null : { code: top[0], count: top[1].length },
    latest: calls.slice(0, LATEST),
  };
}
export type Digest = ReturnType<typeof digestOf>;

/** The calls that match a filter, newest first. */
export function readActivity(host: Host, account: Readonly<LedgerAccount>, filter: ActivityFilter): SamplePage {
  const { key_id, status, code, request_id, from = 0, to = Infinity, before, limit = PAGE } = filter;
  const oldest = Math.max(from, host.now() - ACTIVITY_MS);
  const found = samplesSince(host, account, oldest).filter(({ sample, place }) => {
    if (sample.at > to || (before !== undefined && place >= before)) return false;
    if (key_id !== undefined && sample.key_id !== key_id) return false;
    if (request_id !== undefined && sample.request_id !== request_id) return false;
    if (code !== undefined && sample.code !== code) return false;
    return status === undefined || String(sample.status).startsWith(status.replace("xx", ""));
  });
  const shown = found.slice(0, limit);
  return {
    calls: shown.map(({ sample }) => sample),
    limited: Object.entries(account.limited)
      .map(([minute, calls]) => ({ minute: Number(minute), calls }))
      .filter(({ minute }) => (minute + 1) * MINUTE_MS > oldest && minute * MINUTE_MS <= to)
      .toReversed(),
    next: found.length > limit ? shown.at(-1)!.place : null,
  };
}
