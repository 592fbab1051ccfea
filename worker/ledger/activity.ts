import { DAY_MS, MINUTE_MS } from "../platform/time.ts";
import type { Part, Sample } from "./part.ts";
import type { State } from "./state.ts";

/** How long calls are shown, in milliseconds. */
export const ACTIVITY_MS = 30 * DAY_MS;
/**
 * The last 500 failed and the last 500 successful calls, so neither evicts the other. They leave the state in chunks,
 * each overwriting the oldest of its kind.
 */
const CHUNK = 50;
const CHUNKS = 10;
const KINDS = ["rejected", "succeeded"] as const;
/** Remembered minutes with calls over a rate limit. */
const MAX_MINUTES = 120;
const PAGE = 50;

/** The parts of the ledger's host used here. */
interface Host {
  sql(query: string, ...bindings: (string | number)[]): readonly Readonly<Record<string, unknown>>[];
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/** Whether a call failed: an error inside a 200, such as an MCP tool's, is one too. */
function isRejected({ status, code }: Pick<Sample, "status" | "code">): boolean {
  return status >= 400 || code !== null;
}

/** Adds a call unless there is one of its kind, success or failure, in the same second. */
export function addSample(samples: Sample[], sample: Sample): void {
  const second = Math.floor(sample.at / 1000);
  const isOfSameKind = (other: Sample) =>
    Math.floor(other.at / 1000) === second && isRejected(other) === isRejected(sample);
  if (!samples.some(isOfSameKind)) samples.push(sample);
}

/** Adds the calls of a part: across isolates, one success and one failure per second. */
export function addActivity(host: Pick<Host, "sql">, own: State, { activity, limited }: Part): void {
  for (const sample of activity) {
    addSample(own.activity[isRejected(sample) ? "rejected" : "succeeded"].recent, sample);
  }
  for (const [place, kind] of KINDS.entries()) {
    const ring = own.activity[kind];
    if (ring.recent.length < CHUNK) continue;
    const newest = Math.max(...ring.recent.map(({ at }) => at));
    const query =
      "INSERT INTO activity (slot, newest, body) VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET newest = ?2, body = ?3";
    host.sql(query, place * CHUNKS + (ring.chunks % CHUNKS), newest, JSON.stringify(ring.recent));
    ring.chunks += 1;
    ring.recent = [];
  }
  for (const { minute, calls } of limited) own.limited[minute] = (own.limited[minute] ?? 0) + calls;
  const minutes = Object.keys(own.limited);
  for (const minute of minutes.slice(0, Math.max(0, minutes.length - MAX_MINUTES))) delete own.limited[Number(minute)];
}

/** Calls not yet moved to the table. */
export function recentActivity({ activity }: State): Sample[] {
  return KINDS.flatMap((kind) => activity[kind].recent);
}

export function dropOldActivity(host: Host, own: State): void {
  const oldest = host.now() - ACTIVITY_MS;
  host.sql("DELETE FROM activity WHERE newest < ?1", oldest);
  for (const kind of KINDS) own.activity[kind].recent = own.activity[kind].recent.filter(({ at }) => at >= oldest);
  for (const minute of Object.keys(own.limited)) {
    if (Number(minute) * MINUTE_MS < oldest) delete own.limited[Number(minute)];
  }
}

/** A query for calls. Times are in milliseconds since the Unix epoch, inclusive. */
export interface ActivityFilter {
  readonly keyId?: string | undefined;
  /** `402`, or `4xx`. */
  readonly status?: string | undefined;
  readonly code?: string | undefined;
  readonly requestId?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Only calls before this one. */
  readonly before?: string | undefined;
  /** How many; one page by default. */
  readonly limit?: number | undefined;
}

export interface ActivityPage {
  readonly calls: Sample[];
  /** Minutes with calls over a rate limit, newest first. */
  readonly limited: Part["limited"];
  /** The next `before`, if there are more calls. */
  readonly next: string | null;
}

/** Identifies a call's position in time order. */
function placeOf({ at, requestId }: Sample): string {
  return `${String(at).padStart(15, "0")}.${requestId}`;
}

/** The calls that match a filter, newest first. */
export function readActivity(host: Host, own: State, filter: ActivityFilter): ActivityPage {
  const { keyId, status, code, requestId, from = 0, to = Infinity, before, limit = PAGE } = filter;
  const oldest = Math.max(from, host.now() - ACTIVITY_MS);
  const chunks = host.sql("SELECT body FROM activity").map(({ body }) => JSON.parse(body as string) as Sample[]);
  const found = [...chunks.flat(), ...recentActivity(own)]
    .map((sample) => ({ sample, place: placeOf(sample) }))
    .filter(({ sample, place }) => {
      if (sample.at < oldest || sample.at > to || (before !== undefined && place >= before)) return false;
      if (keyId !== undefined && sample.key !== keyId) return false;
      if (requestId !== undefined && sample.requestId !== requestId) return false;
      if (code !== undefined && sample.code !== code) return false;
      return status === undefined || String(sample.status).startsWith(status.replace("xx", ""));
    })
    .toSorted((a, b) => (a.place < b.place ? 1 : -1));
  const shown = found.slice(0, limit);
  return {
    calls: shown.map(({ sample }) => sample),
    limited: Object.entries(own.limited)
      .map(([minute, calls]) => ({ minute: Number(minute), calls }))
      .filter(({ minute }) => (minute + 1) * MINUTE_MS > oldest && minute * MINUTE_MS <= to)
      .toReversed(),
    next: found.length > limit ? shown.at(-1)!.place : null,
  };
}
