import { and, eq, gte } from "drizzle-orm";
import { formatUtcTime } from "../../../contract/format.ts";
import { MAX_NEW_KEYS_PER_HOUR } from "../../../contract/limits.ts";
import { apiKeys } from "../../../schema.ts";
import type { Io } from "../../io.ts";
import { oneLine, requireAbout } from "../../mail/email.ts";
import type { Email } from "../../mail/email.ts";

/** The most keys that one email lists: more than can be generated in an hour. Few emails are about a longer time. */
const MAX_KEYS = 2 * MAX_NEW_KEYS_PER_HOUR;

type CreatedKey = Pick<typeof apiKeys.$inferSelect, "name" | "hint" | "createdAt">;

/** New live keys, oldest first. About the key of this id, or all since a time. */
export const liveKeyCreatedEmail: Email<Pick<Io, "db">, readonly CreatedKey[]> = {
  purpose: "live_key_created",
  part: "notices",
  async load({ db }, message, { id: userId }) {
    const { name, hint, createdAt } = apiKeys;
    const isMeant =
      message.since === undefined
        ? eq(apiKeys.id, requireAbout(message))
        : and(eq(apiKeys.userId, userId), eq(apiKeys.mode, "live"), gte(apiKeys.createdAt, message.since));
    const keys = await db
      .select({ name, hint, createdAt })
      .from(apiKeys)
      .where(isMeant)
      .orderBy(createdAt)
      .limit(MAX_KEYS + 1);
    return keys.length === 0 ? null : keys;
  },
  write(keys, origin) {
    const isOne = keys.length === 1;
    const count = keys.length > MAX_KEYS ? `More than ${MAX_KEYS}` : String(keys.length);
    const created = isOne ? "A live API key was created" : `${count} live API keys were created`;
    return {
      subject: `${created} in your Checkline account`,
      preheader: `If it was you, no action is needed. If not, revoke ${isOne ? "the key" : "the keys"} now.`,
      heading: created,
      before: [
        isOne
          ? "A new live key was created in your Checkline account. Its verifications count toward your plan. If it was you, no action is needed."
          : "New live keys were created in your Checkline account. Their verifications count toward your plan. If it was you, no action is needed.",
      ],
      facts: keys.slice(0, MAX_KEYS).flatMap(({ name, hint, createdAt }) => [
        { label: "Name", value: oneLine(name) },
        { label: "Key", value: `ch_live_…${hint}` },
        { label: "Created", value: formatUtcTime(createdAt) },
      ]),
      button: { label: "Open the dashboard", href: `${origin}/dashboard` },
      after: [
        {
          lead: "If this wasn't you,",
          text: `revoke ${isOne ? "the key" : "them"} in the dashboard now, then change your password. We never send keys by email.`,
        },
      ],
    };
  },
};
