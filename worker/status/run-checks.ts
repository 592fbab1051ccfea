import type { KVNamespace } from "@cloudflare/workers-types";
import { sql } from "drizzle-orm";
import type { Component } from "../../contract/checks.ts";
import { users } from "../../schema.ts";
import type { Database } from "../platform/db.ts";
import { sleep, within } from "../platform/time-limit.ts";
import { failureText, logLine } from "../platform/log.ts";
import { storeChecks } from "./checks.ts";
import type { Check } from "./checks.ts";

/** How long D1 and KV may take, in milliseconds. Callers wait far less, but a check must tell slow from dead. */
const TIMEOUT_MS = 5_000;

/** The parts of the service that are checked. */
interface Parts {
  readonly db: Database;
  readonly edge: KVNamespace;
  /** How long each of some verifications took, in milliseconds. Rejects if one fails. */
  verify(): Promise<readonly number[]>;
}

/** Measures an operation on a part, whose times it may return, sorted. */
async function measure(
  component: Component,
  at: number,
  work: () => Promise<readonly number[] | null>,
): Promise<Check> {
  const started = Date.now();
  try {
    const times = await work();
    if (times === null) return { component, at, successful: true, latencyMs: Date.now() - started };
    const percentile = (share: number) => times[Math.ceil(share * times.length) - 1]!;
    return { component, at, successful: true, latencyMs: percentile(0.5), p95Ms: percentile(0.95) };
  } catch (error) {
    logLine("warn", "status_check_failed", { component, message: failureText(error) });
    return { component, at, successful: false, latencyMs: null };
  }
}

async function readSomething(db: Database): Promise<null> {
  const query = db
    .select({ one: sql`1` })
    .from(users)
    .limit(1);
  await within(query, TIMEOUT_MS, sleep);
  return null;
}

async function readAndWrite(kv: KVNamespace): Promise<null> {
  await within(kv.get("status"), TIMEOUT_MS, sleep);
  await within(kv.put("status", "checked", { expirationTtl: 86_400 }), TIMEOUT_MS, sleep);
  return null;
}

/**
 * Checks verification with calls, D1 with a read, and KV with a read and a write, and stores the results in D1. While D1
 * takes none, that time counts as not measured.
 * @param at when the run began, in milliseconds since the Unix epoch
 * @throws whatever D1 throws when it rejects the checks
 */
export async function runChecks({ db, edge, verify }: Parts, at: number): Promise<null> {
  const checks = [
    await measure("verification", at, async () => (await verify()).toSorted((a, b) => a - b)),
    ...(await Promise.all([
      measure("database", at, () => readSomething(db)),
      measure("key_store", at, () => readAndWrite(edge)),
    ])),
  ];
  await within(storeChecks(db, checks), TIMEOUT_MS, sleep);
  return null;
}
