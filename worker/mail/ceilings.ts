import { attemptSubject, countAttempt, refundAttempt } from "../limits/attempts.ts";
import { mailboxOf } from "../limits/mailbox.ts";
import { inDatabase, LIMITS, mailLimits } from "../limits/table.ts";
import type { ExactLimit } from "../limits/table.ts";
import type { Config } from "../platform/config.ts";
import type { Database } from "../platform/db.ts";
import type { Email } from "./email.ts";

interface Sending {
  readonly db: Database;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly config: Pick<Config, "secrets" | "mailPerHour">;
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
  /** Over a limit. */
  | { readonly verdict: "wait"; readonly limit: ExactLimit; readonly seconds: number }
  /** Another notice of its kind to the account waits already, and includes it. */
  | { readonly verdict: "included" };

interface Outgoing {
  readonly kind: Pick<Email<never, never>, "purpose" | "part">;
  readonly userId: string;
  readonly address: string;
  readonly isVerified: boolean;
  /** False for one that has waited, which never gives way to another. */
  readonly isNew: boolean;
}

/** The service's limits for an email. */
function serviceLimits({ kind: { part }, isVerified }: Outgoing, perHour: number): readonly ExactLimit<never>[] {
  // Counted when requested.
  if (part === "links") return [];
  // A reset verifies the address too, so it's another link to an unproved one. The request can't tell, as links do.
  return part === "requested" && !isVerified ? mailLimits("links", perHour, 0.5) : mailLimits(part, perHour);
}

/** Counts an email toward its part of the service's, and a notice toward its mailbox. */
export async function takeTurn({ db, now, config }: Sending, email: Outgoing): Promise<Turn> {
  const { kind, userId, address, isNew } = email;
  const { current } = config.secrets.attempts;
  const ofService = serviceLimits(email, config.mailPerHour).map((limit) => attemptSubject(current, limit, {}));
  const ofMailbox =
    kind.part === "notices" ? [attemptSubject(current, LIMITS.noticeMail, { mailbox: mailboxOf(address) })] : [];
  const subjects = [...ofMailbox, ...ofService];
  const verdict = await countAttempt(db, now, subjects);
  if (verdict.allowed) return { verdict: "send", refund: () => refundAttempt(db, subjects) };
  const { limit, retryAfterSeconds: seconds } = verdict;
  if (limit === LIMITS.noticeMail) {
    const waiting = attemptSubject(current, waitingNotice(kind.purpose, seconds), { account: userId });
    if (isNew && !(await countAttempt(db, now, [waiting])).allowed) return { verdict: "included" };
  }
  return { verdict: "wait", limit, seconds };
}
