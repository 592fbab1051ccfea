import { lt } from "drizzle-orm";
import { emailTokens, signInAttempts } from "../schema.ts";
import { openDatabase } from "./db.ts";
import type { Bindings } from "./env.ts";
import { syncOutbox } from "./keys/cache/outbox.ts";
import { sleep, within } from "./keys/cache/time-limit.ts";
import { sendExpiryNotices, sendMissedQuotaNotices } from "./subscriptions/notices.ts";
import { failureText, logLine } from "./log.ts";
import { countOperations, purgeCounts } from "./operations/counters.ts";
import { recordRun } from "./operations/cron-runs.ts";
import type { Run } from "./operations/cron-runs.ts";
import type { JobName } from "./operations/jobs.ts";
import { purgeChecks } from "./status/history.ts";
import { runChecks } from "./status/run-checks.ts";
import { purgeUsageEvents } from "./usage/purge.ts";

type ScheduleBindings = Pick<Bindings, "DB" | "EDGE" | "MAIL" | "USAGE">;

/** How long a mail's token stays after it has expired, so that following an old link says so. Milliseconds. */
export const TOKEN_GRACE = 7 * 86_400_000;

/** How long D1 is waited for to note a run, in milliseconds. */
const NOTE_MS = 5_000;

/** Deletes rows that have outlived their use. */
async function cleanUp({ DB }: ScheduleBindings, now: number): Promise<object> {
  const db = openDatabase(DB);
  const usage_events = await purgeUsageEvents(db, now);
  const status_checks = await purgeChecks(db, now);
  await db.batch([
    db.delete(emailTokens).where(lt(emailTokens.expiresAt, now - TOKEN_GRACE)),
    db.delete(signInAttempts).where(lt(signInAttempts.windowEndsAt, now)),
  ]);
  await purgeCounts(db, now);
  return { usage_events, status_checks };
}

/** Tells owners what they have not been told yet: a quota nearly used up, a trial about to end. */
async function sendNotices({ DB, MAIL: mail }: ScheduleBindings, now: number): Promise<object> {
  const db = openDatabase(DB);
  // One that fails must not hold the other up.
  const [quota, expiry] = await Promise.allSettled([
    sendMissedQuotaNotices({ db, mail, now }),
    sendExpiryNotices({ db, mail, now }),
  ]);
  if (quota.status === "rejected") throw quota.reason;
  if (expiry.status === "rejected") throw expiry.reason;
  return { quota: quota.value, expiry: expiry.value };
}

/** Writes the keys to KV whose last change has not arrived there. */
async function repairKeys({ DB, EDGE: kv }: ScheduleBindings, now: number): Promise<object | null> {
  const db = openDatabase(DB);
  const repairs = await syncOutbox({ kv, db, now });
  await countOperations(db, { kv_repaired: repairs.repaired, kv_refused: repairs.failed }, now);
  return repairs.repaired + repairs.failed === 0 ? null : { ...repairs };
}

/** What runs when, by the crons of wrangler.toml. Running a job twice, or not for a while, does no harm. */
export const JOBS: Readonly<
  Record<string, readonly [name: JobName, run: (env: ScheduleBindings, now: number) => Promise<object | null>]>
> = {
  "* * * * *": ["kv_repairs", repairKeys],
  "*/5 * * * *": ["status_checks", runChecks],
  "7 * * * *": ["notices", sendNotices],
  "17 * * * *": ["clean_up", cleanUp],
};

/**
 * The crons of the version before that have changed, and what they are now. A deployment sets its crons after its version has begun to
 * run, so this one is called by those of the one before for a while, or until the next deployment when it stops there.
 */
const FORMER_CRONS: Readonly<Record<string, string>> = { "17 3 * * *": "17 * * * *" };

/** Notes the run where operators and the status page look. A run that cannot be noted has run all the same. */
async function note(env: ScheduleBindings, run: Run): Promise<void> {
  try {
    await within(recordRun(openDatabase(env.DB), run), NOTE_MS, sleep);
  } catch (error) {
    logLine("warn", "cron_run_not_recorded", { job: run.job, message: failureText(error) });
  }
}

/**
 * Runs the job of a cron expression.
 * @throws whatever the job throws, after logging it, so that the platform records a failed run.
 */
export async function runSchedule(cron: string, env: ScheduleBindings, now: number): Promise<void> {
  // Only a trigger by hand names none: it means all.
  if (cron === "") {
    for (const each of Object.keys(JOBS)) await runSchedule(each, env, now);
    return;
  }
  const job = JOBS[FORMER_CRONS[cron] ?? cron];
  if (job === undefined) throw new Error(`No job belongs to the cron expression ${cron}`);
  const [name, run] = job;
  const started = Date.now();
  let ok = false;
  try {
    const done = await run(env, now);
    ok = true;
    if (done !== null) logLine("info", name, { ...done });
  } catch (error) {
    logLine("error", `${name}_failed`, { message: failureText(error) });
    throw error;
  } finally {
    await note(env, { job: name, startedAt: now, durationMs: Date.now() - started, ok });
  }
}
