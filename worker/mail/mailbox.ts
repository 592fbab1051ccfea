import type { KVNamespace } from "@cloudflare/workers-types";
import { randomBase62 } from "../platform/random.ts";
import type { Mail, MailDriver } from "./driver.ts";

const PREFIX = "mailbox:";
const KEPT_SECONDS = 30 * 86_400;

/** The most emails listed: as many values as one KV read returns. */
const LISTED = 100;

/** Times count down from here: KV lists keys in ascending order, and this puts the newest first. */
const END_OF_TIME = 9_999_999_999_999;

/** An email of the local mailbox. */
export interface KeptMail extends Mail {
  /** ISO 8601, UTC. */
  readonly sent_at: string;
}

interface KeptFor {
  readonly userId: string;
}

/** Stores emails in KV instead of sending them, for local development. */
export function mailboxDriver(kv: KVNamespace): MailDriver {
  return {
    async send({ to, subject, text, html }, { now, userId }) {
      const key = `${PREFIX}${String(END_OF_TIME - now).padStart(13, "0")}:${randomBase62(8)}`;
      const mail: KeptMail = { to, subject, text, html, sent_at: new Date(now).toISOString() };
      const metadata: KeptFor = { userId };
      await kv.put(key, JSON.stringify(mail), { metadata, expiration: Math.floor(now / 1000) + KEPT_SECONDS });
    },
  };
}

/** The newest 100 emails, newest first. */
export async function listMails(kv: KVNamespace): Promise<KeptMail[]> {
  const { keys } = await kv.list({ prefix: PREFIX, limit: LISTED });
  const emails = await Promise.all(keys.map(({ name }) => kv.get<KeptMail>(name, "json")));
  return emails.filter((mail) => mail !== null);
}

/** Deletes the emails sent to an account. */
export async function forgetMails(kv: KVNamespace, userId: string): Promise<void> {
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof kv.list<KeptFor>>> = await kv.list<KeptFor>({ prefix: PREFIX, cursor });
    const theirs = page.keys.filter(({ metadata }) => metadata?.userId === userId);
    await Promise.all(theirs.map(({ name }) => kv.delete(name)));
    cursor = page.list_complete ? null : page.cursor;
  } while (cursor !== null);
}
