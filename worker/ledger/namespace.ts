import { sleep, within } from "../platform/time-limit.ts";
import type { Ledger } from "./ledger.ts";
import type { Region } from "../platform/site.ts";

type Remote<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

/** A ledger as the worker calls it. */
export type LedgerStub = Remote<Omit<Ledger, "alarm">>;

/** The Durable Objects that are ledgers, by account. The place is heeded by the first call of all. */
export interface LedgerNamespace {
  getByName(userId: string, options?: { readonly locationHint?: Region }): LedgerStub;
}

/** How long a ledger is waited for, in milliseconds, unless a caller waits. */
const LEDGER_MS = 10_000;

/**
 * One call of a ledger, by a new stub: a stub is useless after an exception.
 * @throws whatever the call throws, or TimeLimitError; it may still take effect
 */
export function callLedger<Value>(
  ledgers: LedgerNamespace,
  account: { readonly user: string; readonly near?: Region },
  call: (ledger: LedgerStub) => Promise<Value>,
  ms = LEDGER_MS,
): Promise<Value> {
  const { user, near } = account;
  return within(call(ledgers.getByName(user, near && { locationHint: near })), ms, sleep);
}
