import { and, eq, gt, inArray, isNull, lt, notExists } from "drizzle-orm";
import { UNVERIFIED_DAYS } from "../contract/limits.ts";
import { emailTokens, sessions, signInAttempts, subscriptions, trialClaims, users } from "../schema.ts";
import { dropOldEvents } from "./accounts/security-events.ts";
import { SESSION_IDLE_MS } from "./accounts/sessions.ts";
import type { Isolate } from "./io.ts";
import { timeOwnVerifications } from "./own-verifications.ts";
import type { Serve } from "./own-verifications.ts";
import type { Database } from "./platform/db.ts";
import { syncOutbox } from "./key-cache/outbox.ts";
import { DAY_MS } from "./platform/time.ts";
import { sleep, within } from "./platform/time-limit.ts";
import { sendExpiryNotices } from "./subscriptions/notices.ts";
import { claimGrantedTrials } from "./subscriptions/trial-claims.ts";
import { parseTrialSecret, usageMaxAge } from "./platform/config.ts";
import { failureText, logLine } from "./platform/log.ts";
import { checkCapacity } from "./operations/capacity.ts";
import { countOperations, purgeCounts } from "./operations/counters.ts";
import { recordRun } from "./operations/cron-runs.ts";
import type { Run } from "./operations/cron-runs.ts";
import { CRONS } from "./operations/jobs.ts";
import type { JobName } from "./operations/jobs.ts";
import { purgeRuns } from "./status/history.ts";
import { runChecks } from "./status/run-checks.ts";

/** How long an email's token is kept after it expires, so an old link can say that it expired. Milliseconds. */
export const TOKEN_GRACE = 7 * DAY_MS;

/** How long D1 may take to record a run, in milliseconds. */
const RECORD_MS = 5_000;

/** The most accounts one run erases, to keep the statement short. */
const MOST_ERASED = 1_000;

/**
 * Erases accounts with an unverified address, unless a link to it still works. They have neither keys nor usage, which
 * need a subscription; accounts that got one from an operator stay.
 */
function eraseUnverified(db: Database, now: number) {
  const due = db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        isNull(users.verifiedAt),
        lt(users.createdAt, now - UNVERIFIED_DAYS * DAY_MS),
        notExists(db.select().from(subscriptions).where(eq(subscriptions.userId, users.id))),
        notExists(
          db
            .select()
            .from(emailTokens)
            .where(and(eq(emailTokens.userId, users.id), isNull(emailTokens.usedAt), gt(emailTokens.expiresAt, now))),
        ),
      ),
    )
    .orderBy(users.createdAt)
    .limit(MOST_ERASED);
  return db.delete(users).where(inArray(users.id, due)).returning({ id: users.id });
}

/** Deletes expired rows, and measures the remaining capacity. */
async function cleanUp(isolate: Isolate, now: number): Promise<object> {
  const { env } = isolate;
  const db = isolate.db();
  const { mailPerDay } = isolate.config();
  await checkCapacity({ db, usageQueue: env.USAGE_QUEUE, maxAge: usageMaxAge(env), mailPerDay }, now);
  const status_runs = await purgeRuns(db, now);
  const [erased] = await db.batch([
    eraseUnverified(db, now),
    db.delete(emailTokens).where(lt(emailTokens.expiresAt, now - TOKEN_GRACE)),
    db.delete(signInAttempts).where(lt(signInAttempts.windowEndsAt, now)),
    dropOldEvents(db, now),
    db.delete(trialClaims).where(lt(trialClaims.expiresAt, now)),
    // Also covers sessions that ended some other way.
    db.delete(sessions).where(lt(sessions.lastUsedAt, now - SESSION_IDLE_MS)),
  ]);
  await purgeCounts(db, now);
  return { status_runs, unverified_accounts: erased.length };
}

/** Emails owners of trials that are about to end, and claims trials that operators have granted. */
async function lookAfterTrials(isolate: Isolate, now: number): Promise<object> {
  const { env } = isolate;
  const db = isolate.db();
  await claimGrantedTrials({ db, now, secret: parseTrialSecret(env) });
  return { expiry: await sendExpiryNotices({ db, mail: env.MAIL, now }) };
}

/** Writes changed keys to KV. */
async function syncKeys(isolate: Isolate, startedAt: number): Promise<object | null> {
  const db = isolate.db();
  const synced = await syncOutbox({ edge: isolate.env.EDGE, db, now: isolate.now });
  await countOperations(db, { kv_written: synced.written, kv_rejected: synced.failed }, startedAt);
  return synced.written + synced.failed === 0 ? null : { ...synced };
}

/** Checks the parts of the service. */
function check(isolate: Isolate, now: number, serve: Serve): Promise<null> {
  const parts = { db: isolate.db(), edge: isolate.env.EDGE, verify: () => timeOwnVerifications(isolate, serve) };
  return runChecks(parts, now);
}

/** Returns what to log, or null for nothing. */
type Job = (isolate: Isolate, startedAt: number, serve: Serve) => Promise<object | null>;

/** Running a job twice, or skipping runs, does no harm. */
const JOBS: Readonly<Record<JobName, Job>> = {
  kv_sync: syncKeys,
  status_checks: check,
  notices: lookAfterTrials,
  clean_up: cleanUp,
};

/** Records the run for operators and the status page. If recording fails, the run still counts as run. */
async function record(db: Database, run: Run): Promise<void> {
  try {
    await within(recordRun(db, run), RECORD_MS, sleep);
  } catch (error) {
    logLine("warn", "cron_run_not_recorded", { job: run.job, message: failureText(error) });
  }
}

/**
 * Runs the job of a cron expression.
 * @param serve this isolate's API
 * @throws whatever the job throws, after logging it, so that the platform records a failed run
 */
export async function runSchedule(cron: string, isolate: Isolate, serve: Serve): Promise<void> {
  // Only a manual trigger has none: it means all.
  if (cron === "") {
    for (const each of Object.keys(CRONS)) await runSchedule(each, isolate, serve);
    return;
  }
  const name = CRONS[cron];
  if (name === undefined) throw new Error(`No job belongs to the cron expression ${cron}`);
  const { now } = isolate;
  const startedAt = now();
  let ok = false;
  try {
    const done = await JOBS[name](isolate, startedAt, serve);
    ok = true;
    if (done !== null) logLine("info", name, { ...done });
  } catch (error) {
    logLine("error", `${name}_failed`, { message: failureText(error) });
    throw error;
  } finally {
    await record(isolate.db(), { job: name, startedAt, durationMs: now() - startedAt, ok });
  }
}
