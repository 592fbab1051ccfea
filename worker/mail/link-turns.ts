import { countAttempt, limitSubject, refundAttempt } from "../limits/attempts.ts";
import type { AttemptVerdict, Subject } from "../limits/attempts.ts";
import { clientNetwork, LOCAL_ADDRESS } from "../limits/client-address.ts";
import { paidDomain } from "../limits/mailbox.ts";
import { ownDomain } from "../limits/providers.ts";
import { linkLimits, LIMITS } from "../limits/table.ts";
import type { ExactLimit } from "../limits/table.ts";
import { countOperations } from "../operations/counters.ts";
import type { Config } from "../platform/config.ts";
import { keyedHash } from "../platform/hash.ts";
import { failureText, logLine } from "../platform/log.ts";
import type { LinkCounts } from "./email.ts";
import { sendMail } from "./queue.ts";
import type { MailIo } from "./queue.ts";

/** The parts of a request's `io` that a link needs. */
interface LinkIo extends MailIo {
  /** The caller's. */
  readonly address: string;
  readonly config: MailIo["config"] & Pick<Config, "mailPerHour">;
}
type Counting = Pick<LinkIo, "db" | "now" | "config">;

/** Whose links count together with one to this address. */
async function countsOf({ config, address }: LinkIo, email: string): Promise<LinkCounts> {
  const { current } = config.secrets.attempts;
  const domain = await ownDomain(email);
  return {
    // On a developer's machine everyone is one caller.
    ...(address !== LOCAL_ADDRESS && {
      network: limitSubject(current, LIMITS.linksPerNetwork, { network: clientNetwork(address) }),
    }),
    ...(domain !== null && { domain: limitSubject(current, LIMITS.linksPerDomain, { domain: paidDomain(domain) }) }),
  };
}

/** A verdict, and how to take its count back when sending fails. */
type LinkTurn = AttemptVerdict & { refund(): Promise<void> };

/**
 * Counts a link to an unproved address: when it is requested, and in each hour that it has waited for. The same whether
 * or not there is anything to send, so the counts tell nobody.
 */
export async function takeLinkTurn({ db, now, config }: Counting, counts: LinkCounts): Promise<LinkTurn> {
  const count = async (limits: readonly ExactLimit<keyof LinkCounts>[]): Promise<LinkTurn> => {
    const subjects: Subject[] = limits.flatMap((limit) => {
      const { name, by } = limit;
      const [who] = by;
      const id = who === undefined ? limitSubject(config.secrets.attempts.current, { name, by: [] }, {}) : counts[who];
      return id === undefined ? [] : [{ limit, id }];
    });
    const verdict = await countAttempt(db, now, subjects);
    return { ...verdict, refund: async () => void (verdict.allowed && (await refundAttempt(db, subjects))) };
  };
  const [first, more] = linkLimits(config.mailPerHour);
  const turn = await count(first);
  return turn.allowed ? turn : count(more);
}

/** Counts for operators, once an hour, a network or domain over its limit: how many there are, never which. */
async function countOver({ db, now, config }: Counting, limit: ExactLimit, counts: LinkCounts): Promise<void> {
  const who = limit === LIMITS.linksPerDomain ? "domain" : "network";
  // The part is full, which isn't theirs.
  if (limit.by.length === 0) return;
  const id = keyedHash(config.secrets.attempts.current, "over", counts[who] ?? "");
  try {
    const { allowed: isFirst } = await countAttempt(db, now, [{ limit: { ...limit, max: 1 }, id }]);
    if (isFirst) await countOperations(db, { [`${who}s_over`]: 1 }, now);
  } catch (error) {
    logLine("warn", "not_counted", { message: failureText(error) });
  }
}

/** A link that someone asked for. */
interface RequestedLink {
  /** Whether it waits for a limit that has nothing to do with its mailbox. */
  readonly waits: boolean;
  /** Queues its email. @throws whatever the queue throws */
  send(kind: Parameters<typeof sendMail>[1], message: Parameters<typeof sendMail>[2]): Promise<void>;
}

/**
 * Counts an email to an address that nobody has proved, or to the verified account that has it already. Anyone can have
 * these sent, so over a limit they wait for the next hour.
 * @param email the address
 * @throws whatever D1 throws
 */
export async function requestLink(io: LinkIo, email: string): Promise<RequestedLink> {
  const counts = await countsOf(io, email);
  const turn = await takeLinkTurn(io, counts);
  if (turn.allowed) return { waits: false, send: (kind, message) => sendMail(io, kind, message) };
  await countOver(io, turn.limit, counts);
  const delaySeconds = turn.retryAfterSeconds;
  return { waits: true, send: (kind, message) => sendMail(io, kind, { ...message, counts }, delaySeconds) };
}
