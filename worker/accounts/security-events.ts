import { and, desc, eq, exists, gt, inArray, lt, min, not, notInArray, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { MAX_SECURITY_EVENTS, SECURITY_EVENT_DAYS, UNDO_DAYS } from "../../contract/limits.ts";
import { EMAILED_EVENTS, STRANGERS_EVENTS } from "../../contract/security-events.ts";
import type { SecurityEvent, SecurityEventKind } from "../../contract/security-events.ts";
import { securityEvents, users } from "../../schema.ts";
import type { Io } from "../io.ts";
import { insertFrom } from "../platform/db.ts";
import type { Database } from "../platform/db.ts";
import { keyedHash } from "../platform/hash.ts";
import { failureText, logLine } from "../platform/log.ts";
import { newId } from "../platform/random.ts";
import { DAY_MS } from "../platform/time.ts";
import { deviceName } from "./device.ts";
import { securityNoticeEmail } from "./emails/security-notice.ts";
import { sendNotice } from "../mail/queue.ts";

/** The most events per account that strangers can cause. */
const MAX_STRANGERS_EVENTS = 100;

/**
 * Keep an account's newest login: without it, the next login would look like the first and not be reported as a new
 * device.
 */
export const LOGINS = ["log_in", "log_in_new_device"] as const satisfies readonly SecurityEventKind[];

/** A key, passkey, or session that an event is about. */
interface Subject {
  readonly id: string;
  /** Detail for the owner; the log has only the id. */
  readonly name?: string;
}

/** A login from an unseen browser and country is from a new device, unless it is the account's first. */
function kindOf(db: Database, userId: string, kind: SecurityEventKind, { device }: Pick<Io, "device">) {
  const from = device();
  if (kind !== "log_in" || from === null) return sql`${kind}`;
  const earlier = and(eq(securityEvents.userId, userId), inArray(securityEvents.kind, LOGINS));
  const same = and(
    earlier,
    eq(securityEvents.browser, from.browser),
    sql`${securityEvents.country} is ${from.country}`,
  );
  const any = exists(db.select().from(securityEvents).where(earlier));
  const known = exists(db.select().from(securityEvents).where(same));
  return sql`case when ${any} and not ${known} then 'log_in_new_device' else 'log_in' end`;
}

/** The statement that deletes expired events of all accounts. */
export function dropOldEvents(db: Database, now: number) {
  const later = alias(securityEvents, "later");
  const laterLogin = db
    .select()
    .from(later)
    .where(and(eq(later.userId, securityEvents.userId), inArray(later.kind, LOGINS), gt(later.at, securityEvents.at)));
  return db
    .delete(securityEvents)
    .where(
      and(
        lt(securityEvents.at, now - SECURITY_EVENT_DAYS * DAY_MS),
        or(not(inArray(securityEvents.kind, LOGINS)), exists(laterLogin)),
      ),
    );
}

/**
 * Events over the limit, with strangers' events counted separately. The first login that an undo of a change of email
 * could reach back to stays: someone inside must not push it out.
 */
function surplus(db: Database, userId: string, now: number) {
  const own = eq(securityEvents.userId, userId);
  const firstLogin = db
    .select({ id: securityEvents.id })
    .from(securityEvents)
    .where(and(own, inArray(securityEvents.kind, LOGINS), gt(securityEvents.at, now - UNDO_DAYS * DAY_MS)))
    .orderBy(securityEvents.at, sql`rowid`)
    .limit(1);
  const newest = (most: number, kinds?: readonly SecurityEventKind[]) =>
    db
      .select({ id: securityEvents.id })
      .from(securityEvents)
      .where(and(own, kinds && inArray(securityEvents.kind, kinds)))
      .orderBy(desc(securityEvents.at), desc(sql`rowid`))
      .limit(most);
  return and(
    own,
    notInArray(securityEvents.id, newest(1, LOGINS)),
    notInArray(securityEvents.id, firstLogin),
    or(
      notInArray(securityEvents.id, newest(MAX_SECURITY_EVENTS)),
      and(
        inArray(securityEvents.kind, STRANGERS_EVENTS),
        notInArray(securityEvents.id, newest(MAX_STRANGERS_EVENTS, STRANGERS_EVENTS)),
      ),
    ),
  );
}

async function store(
  io: Io,
  userId: string,
  event: { readonly kind: SecurityEventKind; readonly about: string | null },
) {
  const { db, now } = io;
  const { browser = null, country = null } = io.device() ?? {};
  const id = newId("evt");
  try {
    const [[stored]] = await db.batch([
      insertFrom(
        db,
        securityEvents,
        {
          id,
          userId: users.id,
          kind: kindOf(db, userId, event.kind, io),
          at: now,
          about: event.about,
          browser,
          country,
        },
        sql`from ${users} where ${users.id} = ${userId}`,
      ).returning({ kind: securityEvents.kind }),
      db.delete(securityEvents).where(surplus(db, userId, now)),
    ]);
    if (stored === undefined || !EMAILED_EVENTS.some((kind) => kind === stored.kind)) return;
    await sendNotice(io, securityNoticeEmail, { user_id: userId, about: id });
  } catch (error) {
    logLine("error", "security_event_not_stored", { user_id: userId, kind: event.kind, message: failureText(error) });
  }
}

/** Logs an account event: ids and a keyed hash of the caller's address, nothing that identifies a person. */
export function logEvent(
  io: Io,
  userId: string | null,
  kind: SecurityEventKind | "account_deleted",
  about?: string,
): void {
  const { config, address } = io;
  logLine("info", "security_event", {
    user_id: userId,
    kind,
    by: io.device() === null ? "operator" : "user",
    about,
    caller: keyedHash(config.secrets.attempts.current, "caller", address),
  });
}

/**
 * Records an account event: in the log immediately, and for its owner in the background after the response. Emails the
 * owner about important ones. Never throws: the change has already been made.
 * @param userId null if there is no such account: the same statements run and match nothing
 */
export function recordEvent(io: Io, userId: string | null, kind: SecurityEventKind, subject?: Subject): void {
  logEvent(io, userId, kind, subject?.id);
  io.waitUntil(store(io, userId ?? "", { kind, about: subject?.name ?? null }));
}

/**
 * The devices, in words, that an account was first logged in from by a time, in milliseconds since the Unix epoch, and
 * later ones whose first login wasn't reported as a new device: the account's own first.
 */
export async function knownDevices({ db }: Pick<Io, "db">, userId: string, by: number): Promise<readonly string[]> {
  const { browser, country, at, kind } = securityEvents;
  const firsts = await db
    // SQLite takes the other columns from the row with the minimum.
    .select({ browser, country, kind, since: min(at) })
    .from(securityEvents)
    .where(and(eq(securityEvents.userId, userId), inArray(kind, LOGINS)))
    .groupBy(browser, country);
  return firsts
    .filter((first) => first.since! <= by || first.kind !== "log_in_new_device")
    .flatMap((first) => (first.browser === null ? [] : deviceName({ browser: first.browser, country: first.country })));
}

/** The account's events, newest first. */
export async function listEvents({ db }: Io, userId: string): Promise<SecurityEvent[]> {
  const rows = await db
    .select()
    .from(securityEvents)
    .where(eq(securityEvents.userId, userId))
    .orderBy(desc(securityEvents.at), desc(sql`rowid`))
    .limit(MAX_SECURITY_EVENTS);
  return rows.map(({ id, kind, at, about, browser, country }) => ({
    id,
    kind,
    at: new Date(at).toISOString(),
    about,
    by: browser === null ? "operator" : "user",
    browser,
    country_code: country,
  }));
}
