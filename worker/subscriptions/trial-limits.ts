import { MAX_TRIALS } from "../../contract/limits.ts";
import { attemptSubject, countAttempt, refundAttempt } from "../limits/attempts.ts";
import type { Subject } from "../limits/attempts.ts";
import { clientNetwork, LOCAL_ADDRESS } from "../limits/client-address.ts";
import { paidDomain, registrableDomain } from "../limits/mailbox.ts";
import { ownDomain } from "../limits/providers.ts";
import { LIMITS } from "../limits/table.ts";
import type { ExactLimit } from "../limits/table.ts";
import type { Database } from "../platform/db.ts";
import { ApiError } from "../platform/errors.ts";

/** What to do when a limit rejects a person who may well be entitled to a trial. */
const MESSAGES = new Map<ExactLimit, string>([
  [
    LIMITS.trialsPerDomain,
    `${MAX_TRIALS.perDomain} people at your email domain have had a free trial in the last year. Email support for another, and we'll start it. Your account and test keys work meanwhile.`,
  ],
  [
    LIMITS.trialsPerParent,
    "Many free trials were started lately under the domain that yours is part of. Email support, and we'll start yours. Your account and test keys work meanwhile.",
  ],
  [
    LIMITS.trialsPerNetwork,
    "Many free trials were started from your network lately. Email support, and we'll start yours. Your account and test keys work meanwhile.",
  ],
]);

/** A counted trial. */
interface CountedTrial {
  /** Why it may not start; null if it may. */
  readonly rejection: ApiError | null;
  /** Call this when it did not start. */
  refund(): Promise<void>;
}

/**
 * Counts a trial toward the limits of its domain, of the one above it, and of its network. Email providers have no limit: each of their mailboxes is
 * a person's. Trials that an operator grants don't count.
 */
export async function countTrial(
  { db, now, address }: { readonly db: Database; readonly now: number; readonly address: string },
  secret: string,
  email: string,
): Promise<CountedTrial> {
  const domain = await ownDomain(email);
  const subjects: Subject[] = [];
  if (domain !== null) {
    const [own, parent] = [registrableDomain(domain), paidDomain(domain)];
    subjects.push(attemptSubject(secret, LIMITS.trialsPerDomain, { domain: own }));
    if (parent !== own) subjects.push(attemptSubject(secret, LIMITS.trialsPerParent, { domain: parent }));
  }
  // On a developer's machine everyone is one caller.
  if (address !== LOCAL_ADDRESS) {
    subjects.push(attemptSubject(secret, LIMITS.trialsPerNetwork, { network: clientNetwork(address) }));
  }
  const verdict = await countAttempt(db, now, subjects);
  if (verdict.allowed) return { rejection: null, refund: () => refundAttempt(db, subjects) };
  return {
    rejection: new ApiError("TRIAL_UNAVAILABLE", { message: MESSAGES.get(verdict.limit)! }),
    refund: async () => {},
  };
}
