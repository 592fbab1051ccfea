import type { Subject } from "../limits/attempts.ts";
import { attemptSubject, countAttempt, refundAttempt } from "../limits/attempts.ts";
import { mailboxOf } from "../limits/mailbox.ts";
import { inDatabase, LIMITS, serviceMailLimit } from "../limits/table.ts";
import type { ExactLimit } from "../limits/table.ts";
import type { Config } from "../platform/config.ts";
import type { Database } from "../platform/db.ts";
import type { Email } from "./email.ts";

/** The share of the service's emails that notices may use. The rest is for links, which people are waiting for. */
const NOTICES_SHARE = 0.75;

interface Sending {
  readonly db: Database;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly config: Pick<Config, "secrets" | "mailPerHour">;
}

/** The counter of all emails in the current hour. */
export function serviceMail({ secrets, mailPerHour }: Sending["config"]): Subject {
  return attemptSubject(secrets.attempts.current, serviceMailLimit(mailPerHour), {});
}

/** A notice of a kind that waits for its mailbox's next day, and then says what others of its kind would have. */
function waitingNotice(kind: string, seconds: number): ExactLimit<"account"> {
  return inDatabase(`mail-waiting ${kind}`, ["account"], 1, seconds * 1000);
}

/** Whether an email may be sent now. */
export type Turn =
  | {
      readonly verdict: "send";
      /** Call this when it was not sent after all. */
      refund(): Promise<void>;
    }
  /** Over a ceiling. */
  | { readonly verdict: "wait"; readonly ceiling: "mailbox" | "service"; readonly seconds: number }
  /** Another notice of its kind to the account waits already, and includes it. */
  | { readonly verdict: "included" };

/**
 * Counts an email toward the ceilings of its mailbox and of the service. One that was requested has been counted
 * toward the first.
 * @param email.isNew false for one that has waited, which never gives way to another
 */
export async function takeTurn(
  { db, now, config }: Sending,
  email: {
    readonly kind: Pick<Email<never, never>, "purpose" | "provesAddress" | "isRequested">;
    readonly userId: string;
    readonly address: string;
    readonly isNew: boolean;
  },
): Promise<Turn> {
  const { kind, userId, address, isNew } = email;
  const { current } = config.secrets.attempts;
  const service = serviceMail(config);
  const max = Math.floor(config.mailPerHour * NOTICES_SHARE);
  const ofService = kind.provesAddress ? service : { ...service, limit: { ...service.limit, max } };
  const ofMailbox = kind.isRequested
    ? []
    : [attemptSubject(current, LIMITS.noticeMail, { mailbox: mailboxOf(address) })];
  const subjects = [...ofMailbox, ofService];
  const verdict = await countAttempt(db, now, subjects);
  if (verdict.allowed) return { verdict: "send", refund: () => refundAttempt(db, subjects) };
  const { limit, retryAfterSeconds: seconds } = verdict;
  if (limit === ofService.limit) return { verdict: "wait", ceiling: "service", seconds };
  const waiting = attemptSubject(current, waitingNotice(kind.purpose, seconds), { account: userId });
  if (isNew && !(await countAttempt(db, now, [waiting])).allowed) return { verdict: "included" };
  return { verdict: "wait", ceiling: "mailbox", seconds };
}
