import { and, eq, gte, inArray, sql } from "drizzle-orm";
import { formatUtcTime } from "../../../contract/format.ts";
import { EMAILED_EVENTS, SECURITY_EVENTS } from "../../../contract/security-events.ts";
import { securityEvents } from "../../../schema.ts";
import type { Io } from "../../io.ts";
import { oneLine, requireAbout } from "../../mail/email.ts";
import type { Email, Fact } from "../../mail/email.ts";
import { deviceName } from "../device.ts";

/** The most events that one email lists. */
const MAX_EVENTS = 20;

type Event = Pick<typeof securityEvents.$inferSelect, "kind" | "at" | "about" | "browser" | "country">;

function factsOf({ kind, at, about, browser, country }: Event): Fact[] {
  return [
    { label: "Event", value: SECURITY_EVENTS[kind] },
    ...(about === null ? [] : [{ label: "Name", value: oneLine(about) }]),
    { label: "From", value: browser === null ? "Checkline support" : deviceName({ browser, country }) },
    { label: "Time", value: formatUtcTime(at) },
  ];
}

/**
 * Logins on new devices and changes of second factors, oldest first. About the event of this id, or every emailed kind
 * since a time.
 */
export const securityNoticeEmail: Email<Pick<Io, "db">, readonly Event[]> = {
  purpose: "security_notice",
  part: "notices",
  async load({ db }, message, { id: userId }) {
    const isMeant =
      message.since === undefined
        ? eq(securityEvents.id, requireAbout(message))
        : and(gte(securityEvents.at, message.since), inArray(securityEvents.kind, EMAILED_EVENTS));
    const events = await db
      .select()
      .from(securityEvents)
      .where(and(eq(securityEvents.userId, userId), isMeant))
      .orderBy(securityEvents.at, sql`rowid`)
      .limit(MAX_EVENTS + 1);
    return events.length === 0 ? null : events;
  },
  write(events, origin) {
    const [only] = events.length === 1 ? events : [];
    const count = events.length > MAX_EVENTS ? `More than ${MAX_EVENTS}` : String(events.length);
    const title = only === undefined ? `${count} security events` : SECURITY_EVENTS[only.kind];
    return {
      subject: `${title}: your Checkline account`,
      preheader: "If it was you, no action is needed. If not, set a new password now.",
      heading: title,
      before: ["This happened in your Checkline account. If it was you, no action is needed."],
      facts: events.slice(0, MAX_EVENTS).flatMap(factsOf),
      button: { label: "Review your security settings", href: `${origin}/dashboard/settings/security` },
      also: { label: "Set a new password", href: `${origin}/forgot-password` },
      after: [
        {
          lead: "If this wasn't you,",
          text: "set a new password, which logs everyone else out. Then remove authenticator apps and passkeys you don't recognize, replace your recovery codes, and review your API keys.",
        },
      ],
    };
  },
};
