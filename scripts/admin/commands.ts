import {
  describeAccount,
  revokeAccountKeys,
  suspendAccount,
  unsuspendAccount,
} from "../../worker/accounts/administer.ts";
import { TRIAL } from "../../contract/limits.ts";
import { DAY_MS } from "../../worker/usage/days.ts";
import type { Subscription } from "../../contract/subscriptions.ts";
import { endSubscription, extendTrial, grantSubscription } from "../../worker/subscriptions/administer.ts";
import { listDeadLetters, replayDeadLetters } from "../../worker/usage/dead-letters.ts";
import { readHealth } from "../../worker/operations/health.ts";
import type { Command } from "./arguments.ts";
import { exportToFile, importFromFile } from "./backup-file.ts";
import { formatAccount, formatDeadLetters, formatRows, formatSubscription, formatTime } from "./format.ts";
import { formatHealth } from "./health.ts";
import type { Platform } from "./platform.ts";

const LISTED_LETTERS = 100;

/** The same answer for people and, as JSON, for scripts. */
export interface Outcome {
  readonly text: string;
  readonly data: unknown;
}

function subscriptionOutcome(email: string, subscription: Subscription): Outcome {
  return {
    text: `Subscription of ${email}: ${formatSubscription(subscription)}\n`,
    data: { email, subscription },
  };
}

async function deadLetterOutcome(action: "list" | "replay", { db, queues }: Platform): Promise<Outcome> {
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
 * Carries out a command.
 * @param now milliseconds since the Unix epoch
 * @throws AdministrationError, and whatever D1 or a queue throws.
 */
export async function runCommand(command: Command, platform: Platform, now: number): Promise<Outcome> {
  const { db } = platform;
  if (command.name === "dead-letters") return deadLetterOutcome(command.action, platform);
  if (command.name === "export") {
    const rows = await exportToFile(db, command.file, now);
    return { text: `Exported ${formatRows(rows)} to ${command.file}. Keep it secret.\n`, data: { rows } };
  }
  if (command.name === "import") {
    const rows = await importFromFile(db, command.file, { now, toContinue: command.toContinue });
    return { text: `Imported ${formatRows(rows)}. Everybody has to sign in again.\n`, data: { rows } };
  }
  if (command.name === "health") {
    const health = await readHealth(db, now);
    return { text: formatHealth(health), data: health };
  }
  const { email } = command;
  const input = { db, now, email };
  switch (command.name) {
    case "show": {
      const account = await describeAccount(input);
      return { text: formatAccount(account), data: account };
    }
    case "grant": {
      const { plan } = command;
      // A trial is as long as one that its owner activates, unless told otherwise.
      const until = command.until ?? (plan === "trial" ? now + TRIAL.days * DAY_MS : null);
      return subscriptionOutcome(email, await grantSubscription({ ...input, plan, until }));
    }
    case "end":
      return subscriptionOutcome(email, await endSubscription(input));
    case "extend-trial":
      return subscriptionOutcome(email, await extendTrial({ ...input, days: command.days }));
    case "revoke-keys": {
      const { mode } = command;
      const revoked = await revokeAccountKeys({ ...input, mode });
      return { text: `Revoked ${mode ?? "test and live"} keys of ${email}: ${revoked}\n`, data: { email, revoked } };
    }
    case "suspend": {
      const suspendedAt = await suspendAccount(input);
      const text = `${email} is suspended since ${formatTime(suspendedAt)}; its sessions have ended.\n`;
      return { text, data: { email, suspended_at: suspendedAt } };
    }
    case "unsuspend":
      await unsuspendAccount(input);
      return { text: `${email} is not suspended.\n`, data: { email, suspended_at: null } };
  }
}
