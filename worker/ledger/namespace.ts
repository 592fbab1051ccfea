import type { DurableObject } from "cloudflare:workers";
import { sleep, within } from "../platform/time-limit.ts";
import type { Sleep } from "../platform/time-limit.ts";
import type { Ledger } from "./ledger.ts";
import type { Region } from "../platform/place.ts";

type Remote<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

/** A ledger's RPC interface for the worker. */
export type LedgerStub = Remote<Omit<Ledger, keyof DurableObject>>;

/** The ledgers' Durable Objects, by account. Only the very first call's location hint has an effect. */
export interface LedgerNamespace {
  getByName(userId: string, options?: { readonly locationHint?: Region }): LedgerStub;
  /** The same ledgers' namespace in a jurisdiction, where each name is another object. */
  jurisdiction?(name: string): LedgerNamespace;
}

/**
 * The ledgers in a jurisdiction such as "eu", for good: in another one, every account's usage starts again.
 * @param jurisdiction undefined or empty for none
 */
export function ledgersIn(ledgers: LedgerNamespace, jurisdiction: string | undefined): LedgerNamespace {
  if (!jurisdiction) return ledgers;
  // Without the location hint, which could name a place outside.
  return { getByName: (userId) => ledgers.jurisdiction!(jurisdiction).getByName(userId) };
}

/** How long to wait for a ledger, in milliseconds, unless a caller is waiting. */
const LEDGER_MS = 10_000;

/**
 * One call to a ledger, with a new stub: a stub is unusable after an exception.
 * @throws whatever the call throws, or TimeLimitError; it may still take effect
 */
export function callLedger<Value>(
  ledgers: LedgerNamespace,
  account: { readonly user: string; readonly near?: Region | undefined },
  call: (ledger: LedgerStub) => Promise<Value>,
  ms = LEDGER_MS,
  wait: Sleep = sleep,
): Promise<Value> {
  const { user, near } = account;
  return within(call(ledgers.getByName(user, near && { locationHint: near })), ms, wait);
}
