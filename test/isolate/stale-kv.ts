import { createKvStandIn } from "../kv-stand-in.ts";
import type { KvStandIn } from "../kv-stand-in.ts";
import { pass } from "./clock.ts";

/** In milliseconds. KV shows a write everywhere within a minute, and a location serves its cache for half a minute. */
export const KV_STALENESS = 90_000;
/** When every isolate has seen a change at the latest, in milliseconds: that, plus half a minute of memory. */
export const PROMISED = KV_STALENESS + 30_000;

/** A KV stand-in on a test's clock, in which other locations see a write as late as the platform allows. */
export function createStaleKv(options: { readonly limitWrites?: boolean } = {}): KvStandIn {
  return createKvStandIn({ now: () => Date.now(), sleep: pass, staleness: KV_STALENESS, ...options });
}
