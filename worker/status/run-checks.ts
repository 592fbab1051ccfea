import type { KVNamespace, Queue } from "@cloudflare/workers-types";
import { sql } from "drizzle-orm";
import type { Component } from "../../contract/checks.ts";
import { users } from "../../schema.ts";
import type { Database } from "../platform/db.ts";
import { sleep, within } from "../platform/time-limit.ts";
import { failureText, logLine } from "../platform/log.ts";
import { storeCheck, storeChecks } from "./checks.ts";
import type { Check } from "./checks.ts";
import { checkQueue } from "./probe.ts";
import type { ProbeMessage } from "./probe.ts";
import { readSnapshot, writeSnapshot } from "./snapshot.ts";

/** How long D1 and KV may take, in milliseconds. Callers wait far less, but a check must tell slow from dead. */
const TIMEOUT_MS = 5_000;

/** The parts of the service that are checked. */
interface Parts {
  readonly db: Database;
  readonly edge: KVNamespace;
  readonly usage: Pick<Queue<ProbeMessage>, "send">;
  /** How long each of some verifications took, in milliseconds. Rejects if one fails. */
  verify(): Promise<readonly number[]>;
}

function noteFailure(component: Component, error: unknown): void {
  logLine("warn", "status_check_failed", { component, message: failureText(error) });
}

/** Measures an operation on a part, and returns the check and the operation's value. */
async function measure<Value>(
  component: Component,
  at: number,
  work: () => Promise<Value>,
): Promise<{ readonly check: Check; readonly value: Value | null }> {
  const started = Date.now();
  try {
    const value = await within(work(), TIMEOUT_MS, sleep);
    return { check: { component, at, successful: true, latencyMs: Date.now() - started }, value };
  } catch (error) {
    noteFailure(component, error);
    return { check: { component, at, successful: false, latencyMs: null }, value: null };
  }
}

function failedNow(check: Check): Check {
  return { ...check, successful: false, latencyMs: null };
}

/** The value below which this share of the times lie, which are sorted. */
function percentile(times: readonly number[], share: number): number {
  return times[Math.ceil(share * times.length) - 1]!;
}

/** Times verifications. Each is limited in time by the API itself. */
async function checkVerification(verify: Parts["verify"], at: number): Promise<Check> {
  const check = { component: "verification", at } as const;
  try {
    const times = (await verify()).toSorted((a, b) => a - b);
    return { ...check, successful: true, latencyMs: percentile(times, 0.5), p95Ms: percentile(times, 0.95) };
  } catch (error) {
    noteFailure("verification", error);
    return { ...check, successful: false, latencyMs: null, p95Ms: null };
  }
}

/** A read counts as successful only if the write that follows it succeeds too. */
async function alsoWrites(check: Check, write: () => Promise<void>): Promise<Check> {
  if (!check.successful) return check;
  try {
    await within(write(), TIMEOUT_MS, sleep);
    return check;
  } catch (error) {
    noteFailure(check.component, error);
    return failedNow(check);
  }
}

/** Best effort: keeps what waits for D1 in KV. A failure is reported, and hides nothing else. */
async function keep(work: Promise<void>): Promise<void> {
  try {
    await within(work, TIMEOUT_MS, sleep);
  } catch (error) {
    logLine("warn", "status_not_kept", { message: failureText(error) });
  }
}

async function readSomething(db: Database): Promise<void> {
  await db
    .select({ one: sql`1` })
    .from(users)
    .limit(1);
}

/**
 * Checks verification with calls, D1 and KV, each with a timed read and a write, and the queue with a message that must
 * come back; then stores the results. What D1 rejects waits in KV for the next run; if both are down it is lost, and that time counts as not
 * measured.
 * @param at when the run began, in milliseconds since the Unix epoch
 * @throws whatever D1 throws when it rejects the checks
 */
export async function runChecks({ db, edge: kv, usage, verify }: Parts, at: number): Promise<null> {
  const verification = await checkVerification(verify, at);
  const [edge, d1] = await Promise.all([
    measure("key_store", at, () => readSnapshot(kv, "unwritten")),
    measure("database", at, () => readSomething(db)),
  ]);
  const database = await alsoWrites(d1.check, () => storeCheck(db, d1.check));
  const queue = await checkQueue(usage, db, at, database.successful);
  const others = queue === null ? [verification] : [verification, queue];
  const keyStore = await alsoWrites(edge.check, () => writeSnapshot(kv, "latest", [database, edge.check, ...others]));
  const waiting = edge.value ?? [];
  try {
    await within(storeChecks(db, [...waiting, database, keyStore, ...others]), TIMEOUT_MS, sleep);
  } catch (error) {
    // If the waiting ones are unknown, these would overwrite them.
    if (edge.value !== null) {
      await keep(writeSnapshot(kv, "unwritten", [...waiting, failedNow(database), keyStore, ...others]));
    }
    throw error;
  }
  if (waiting.length > 0) await keep(writeSnapshot(kv, "unwritten", []));
  return null;
}
