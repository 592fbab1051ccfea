import { eq } from "drizzle-orm";
import { PLANS } from "../../contract/plans.ts";
import type { Subscription } from "../../contract/subscriptions.ts";
import { usageMonths } from "../../schema.ts";
import type { AccountRow } from "../../worker/accounts/accounts.ts";
import {
  accountToAdminister,
  busiestAccounts,
  describeAccount,
  findAccounts,
  listAccounts,
  suspendAccount,
  unsuspendAccount,
} from "../../worker/administration/administer.ts";
import { createAccountWithLink } from "../../worker/accounts/create-account.ts";
import { exportStored } from "../../worker/administration/export.ts";
import { deleteAccount } from "../../worker/administration/delete-account.ts";
import { resetSecondFactor } from "../../worker/accounts/second-factor/second-step.ts";
import type { Io } from "../../worker/io.ts";
import { revokeApiKeys } from "../../worker/keys/api-keys.ts";
import { republishKeys } from "../../worker/key-cache/republish.ts";
import { logLine } from "../../worker/platform/log.ts";
import { DAY_MS, utcDay } from "../../worker/platform/time.ts";
import { readHealth } from "../../worker/status/health.ts";
import { endSubscription, extendTrial, grantSubscription } from "../../worker/subscriptions/changes.ts";
import { listDeadLetters, replayDeadLetters } from "../../worker/operations/dead-letters.ts";
import { registerEnds } from "../data/registers/ending.ts";
import type { Command } from "./arguments.ts";
import {
  formatAccount,
  formatAccounts,
  formatDeadLetters,
  formatFound,
  formatSubscription,
  formatTime,
  formatTop,
} from "./format.ts";
import { formatHealth } from "./health.ts";
import type { Platform } from "./platform.ts";

const LISTED_ACCOUNTS = 100;
const LISTED_LETTERS = 100;
const TOP_ACCOUNTS = 20;

/** The same result for people and, as JSON, for scripts. */
export interface Outcome {
  readonly text: string;
  readonly data: unknown;
  /** False if something needs an operator. */
  readonly isFine?: boolean;
}

function subscriptionOutcome(email: string, subscription: Subscription): Outcome {
  return {
    text: `Subscription of ${email}: ${formatSubscription(subscription)}\n`,
    data: { email, subscription },
  };
}

async function deadLetterOutcome(action: "list" | "replay", { io: { db }, queues }: Platform): Promise<Outcome> {
  if (action === "list") {
    const letters = await listDeadLetters(db, LISTED_LETTERS);
    const data = letters.map(({ id, queue, body, receivedAt }) => ({
      id,
      queue,
      received_at: new Date(receivedAt).toISOString(),
      body: JSON.parse(body) as unknown,
    }));
    return { text: formatDeadLetters(letters, LISTED_LETTERS), data: { dead_letters: data } };
  }
  const { replayed, left } = await replayDeadLetters(db, queues);
  return { text: `Replayed ${replayed}, left ${left}.\n`, data: { replayed, left } };
}

/**
 * Runs a command, and logs it.
 * @throws AdministrationError, and whatever D1 or a queue throws
 */
export async function runCommand(command: Command, platform: Platform): Promise<Outcome> {
  const { io } = platform;
  const { db, now } = io;
  const account = "email" in command && command.name !== "create" ? await accountToAdminister(db, command.email) : null;
  logLine("info", "admin_command", { command: command.name, user_id: account?.id });
  switch (command.name) {
    case "dead-letters":
      return deadLetterOutcome(command.action, platform);
    case "health": {
      const health = { ...(await readHealth(db, now)), registers: registerEnds(utcDay(now)) };
      return { ...formatHealth(health), data: health };
    }
    case "find": {
      const found = await findAccounts(io, command.text, LISTED_ACCOUNTS);
      return { text: formatFound(found), data: found };
    }
    case "top": {
      const busiest = await busiestAccounts(io, TOP_ACCOUNTS);
      return { text: formatTop(busiest), data: busiest };
    }
    case "list": {
      const listed = await listAccounts(io, LISTED_ACCOUNTS);
      return { text: formatAccounts(listed), data: listed };
    }
    case "republish": {
      const { keys, missing } = await republishKeys(io);
      const count = (number: number) => `${number} ${number === 1 ? "key" : "keys"}`;
      const text = `${count(keys)} will be written to KV, at most 800 a minute; health counts those left.
${count(missing)} that only KV has will be rejected for good.
`;
      return { text, data: { keys, missing } };
    }
    case "create": {
      const { email } = command;
      const link = `${platform.origin}/reset-password?token=${await createAccountWithLink(io, email)}`;
      const text = `Created ${email}. This link sets its password, once and within a day:\n${link}\n`;
      return { text, data: { email, link } };
    }
    default:
      return runOnAccount(command, account!, io);
  }
}

type AccountCommand = Exclude<
  Command,
  { readonly name: "create" | "dead-letters" | "find" | "health" | "list" | "republish" | "top" }
>;

async function runOnAccount(command: AccountCommand, account: AccountRow, io: Io): Promise<Outcome> {
  const { id, email } = account;
  switch (command.name) {
    case "show": {
      const overview = await describeAccount(io, account);
      return { text: formatAccount(overview), data: overview };
    }
    case "export": {
      let text = "";
      for await (const chunk of await exportStored(io, account)) text += chunk;
      // Only the worker reaches the ledger, which has usage by day.
      const usage_months = await io.db.select().from(usageMonths).where(eq(usageMonths.userId, id));
      const data = { ...(JSON.parse(text) as object), usage_months };
      return { text: `${JSON.stringify(data, null, 2)}\n`, data };
    }
    case "grant": {
      const { plan } = command;
      const { days } = PLANS[plan];
      const until = command.until ?? (days === null ? null : io.now + days * DAY_MS);
      const { text, data } = subscriptionOutcome(email, await grantSubscription(io, id, { plan, until }));
      if (account.verifiedAt !== null) return { text, data };
      return { text: `${text}Nobody can use it yet: the address is unverified.\n`, data };
    }
    case "end":
      return subscriptionOutcome(email, await endSubscription(io, id));
    case "extend-trial":
      return subscriptionOutcome(email, await extendTrial(io, id, command.days));
    case "revoke-keys": {
      const { mode } = command;
      const revoked = await revokeApiKeys(io, null, { userId: id, mode });
      return { text: `Revoked ${mode ?? "test and live"} keys of ${email}: ${revoked}\n`, data: { email, revoked } };
    }
    case "suspend": {
      const suspendedAt = await suspendAccount(io, account);
      const text = `${email} is suspended since ${formatTime(suspendedAt)}; its sessions have ended.\n`;
      return { text, data: { email, suspended_at: suspendedAt } };
    }
    case "reset-second-factor": {
      const had = await resetSecondFactor(io, id);
      const text = had
        ? `Removed two-factor authentication from ${email}.\n`
        : `${email} has no two-factor authentication.\n`;
      return { text, data: { email, removed: had } };
    }
    case "unsuspend":
      await unsuspendAccount(io, account);
      return { text: `${email} is not suspended.\n`, data: { email, suspended_at: null } };
    default:
      await deleteAccount(io, null, account);
      return { text: `Deleted ${email}, its keys and its usage.\n`, data: { email, deleted: true } };
  }
}
