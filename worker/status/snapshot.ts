import type { KVNamespace } from "@cloudflare/workers-types";
import * as v from "valibot";
import { COMPONENTS } from "../../contract/checks.ts";
import type { Check } from "./checks.ts";

/** The checks in KV: those of the last run, shown while D1 is down, and those that D1 has not stored. */
type Name = "latest" | "unwritten";

/** In seconds: the last run's results are meaningless after a day; what D1 has not stored may wait for a week. */
const LIFETIME: Readonly<Record<Name, number>> = { latest: 86_400, unwritten: 7 * 86_400 };

/** The most checks that wait for D1: those of a day. */
const MOST_WAITING = COMPONENTS.length * 288;

const Checks: v.GenericSchema<unknown, Check[]> = v.array(
  v.object({
    component: v.picklist(COMPONENTS),
    at: v.number(),
    successful: v.boolean(),
    latencyMs: v.nullable(v.number()),
    p95Ms: v.optional(v.nullable(v.number())),
  }),
);

/** @returns an empty list if there are none, or none that can be read */
export async function readSnapshot(kv: KVNamespace, name: Name): Promise<Check[]> {
  const text = await kv.get(`status:${name}`, { cacheTtl: 30 });
  try {
    const parsed = v.safeParse(Checks, JSON.parse(text ?? "[]"));
    return parsed.success ? parsed.output : [];
  } catch {
    return [];
  }
}

/** Drops the oldest when there are more than a day's worth. */
export async function writeSnapshot(kv: KVNamespace, name: Name, checks: readonly Check[]): Promise<void> {
  const value = JSON.stringify(checks.slice(-MOST_WAITING));
  await kv.put(`status:${name}`, value, { expirationTtl: LIFETIME[name] });
}
