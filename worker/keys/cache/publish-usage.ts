import { and, isNull } from "drizzle-orm";
import { apiKeys } from "../../../schema.ts";
import { failureText, logLine } from "../../platform/log.ts";
import { newest } from "./decide.ts";
import { readEdge, writeEdge } from "./edge.ts";
import { hasQuota, isOneOf, keyRow, selectKeys } from "./find-keys.ts";
import type { Publishing } from "./publish.ts";
import type { KeyRecord, Tombstone } from "./record.ts";
import { sleep } from "../../platform/time-limit.ts";

/** With three calls to KV each, 600 of the 1,000 that an invocation has. */
const MAX_KEYS = 200;
/** By so much of the limit the use in KV may be behind, … */
const TOLERATED_SHARE = 0.01;
/** … for so many milliseconds. */
const TOLERATED_MS = 30_000;

/** The share of its quota that a key's account has used: 0 for no limit. */
function shareUsed({ quota }: KeyRecord): number {
  return quota === null || quota.limit === null ? 0 : quota.used / quota.limit;
}

/**
 * Whether the use of an account has to be written to KV, which takes one write a second for each key. At most a hundredth of the
 * quota or half a minute is left out, and the moment when the quota is used up never is.
 */
function isUsageWorthWriting(record: KeyRecord, seen: KeyRecord | Tombstone | null): boolean {
  if (seen === null) return true;
  if (seen.revoked || newest(seen, record) !== record) return false;
  const [before, after] = [shareUsed(seen), shareUsed(record)];
  if (after === before || (before >= 1 && after >= 1)) return false;
  return after >= 1 || Math.abs(after - before) >= TOLERATED_SHARE || record.asOf - seen.asOf >= TOLERATED_MS;
}

export interface PublishedUsage {
  readonly written: number;
  readonly failed: number;
  /** Keys whose accounts had more to publish than one call may: the next one does. */
  readonly left: number;
}

/**
 * Brings the use of accounts in the KV records of their live keys up to date, when events of theirs have just been counted. Plans
 * without a limit are left out. Rows and versions stay as they are: of two records of a version the later look at D1 holds. Never
 * rejects: what fails is made good by the next call, or by the next comparison of the record with D1.
 * @param userIds accounts with newly counted successful live verifications
 */
export async function publishUsage(io: Publishing, userIds: readonly string[]): Promise<PublishedUsage> {
  if (userIds.length === 0) return { written: 0, failed: 0, left: 0 };
  const wait = io.sleep ?? sleep;

  async function publish(hash: string, record: KeyRecord): Promise<"written" | "spared" | "failed"> {
    try {
      if (!isUsageWorthWriting(record, await readEdge(io.edge, hash, wait))) return "spared";
      await writeEdge(io.edge, hash, record, wait);
      return "written";
    } catch (error) {
      logLine("warn", "usage_not_published", { message: failureText(error) });
      return "failed";
    }
  }

  try {
    const selected = await selectKeys(io.db).where(
      and(isOneOf(apiKeys.userId, userIds), isNull(apiKeys.revokedAt), hasQuota),
    );
    const keys = selected
      .map((row) => keyRow(row, io.now))
      .flatMap(({ hash, sighting }) => (sighting.revoked ? [] : [{ hash, record: sighting }]))
      // Those that are nearest to their limit first.
      .toSorted((a, b) => shareUsed(b.record) - shareUsed(a.record));
    const chosen = keys.slice(0, MAX_KEYS);
    const outcomes = await Promise.all(chosen.map(({ hash, record }) => publish(hash, record)));
    return {
      written: outcomes.filter((outcome) => outcome === "written").length,
      failed: outcomes.filter((outcome) => outcome === "failed").length,
      left: keys.length - chosen.length,
    };
  } catch (error) {
    logLine("warn", "usage_not_published", { message: failureText(error) });
    return { written: 0, failed: 0, left: 0 };
  }
}
