import { dueQuotaNotice } from "../subscriptions/quota.ts";
import type { MailMessage } from "../mail/messages.ts";
import { failureText, logLine } from "../platform/log.ts";
import { DAY_MS, utcDay } from "../platform/time.ts";
import type { KeyMode } from "../../contract/limits.ts";
import { numbersIn, quotaMeter } from "./part.ts";
import type { KeyedCall, Limit, Part } from "./part.ts";
import { addCounts, addLimits, addToRanges, emptyState, inRanges, leasedToOthers, rowsOf } from "./state.ts";
import type { State } from "./state.ts";

/** Older parts are refused: what is remembered of isolates would no longer tell whether they are known. */
const ACCEPTED_MS = 15 * DAY_MS;
/** How long it is remembered that an account was deleted, so that a late message does not bring it back. */
const TOMBSTONE_MS = 30 * DAY_MS;
/** How long sequence numbers are remembered: longer than a part is accepted, whatever the clocks of isolates say. */
const SEEN_MS = ACCEPTED_MS + 2 * DAY_MS;
const HOUR_MS = 3_600_000;
const RETRY_MS = 600_000;
/** Days become months in the 14th month. */
const MONTHS_BY_DAY = 13;

/** So much is kept in the state; what is more goes into tables at once and not only once a day. */
const MAX_COUNTS = 2_000;
const MAX_ISOLATES = 5_000;
const MAX_IDS = 8_000;
const ID_LENGTH = 24;

/** The share of what is left that an isolate may use without waiting, and that all may together, … */
const LEASED_SHARE = 0.02;
const LEASED_IN_ALL = 0.1;
/** … for so long; until it has arrived here, it is set aside longer. */
const LEASE_MS = 10_000;
const LEASE_MARGIN_MS = 5_000;
/** So long an isolate may go by an earlier reply. */
const IN_FLIGHT_MS = 1_000;

const TABLES = [
  "CREATE TABLE IF NOT EXISTS state (id INTEGER PRIMARY KEY, body TEXT NOT NULL)",
  `CREATE TABLE IF NOT EXISTS daily (
    day TEXT, started_at INTEGER, key_id TEXT, mode TEXT, country TEXT, successful INTEGER, failed INTEGER,
    PRIMARY KEY (day, started_at, key_id, mode, country)) WITHOUT ROWID`,
  "CREATE TABLE IF NOT EXISTS seen (closed_at INTEGER PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID",
  "CREATE TABLE IF NOT EXISTS calls (slot INTEGER, hour INTEGER, ids TEXT, PRIMARY KEY (slot, hour)) WITHOUT ROWID",
];

const SPILL_COUNTS = `
  INSERT INTO daily
  SELECT e.value ->> 0, e.value ->> 1, e.value ->> 2, e.value ->> 3, e.value ->> 4, e.value ->> 5, e.value ->> 6
  FROM json_each(?1) AS e WHERE true
  ON CONFLICT DO UPDATE SET successful = successful + excluded.successful, failed = failed + excluded.failed`;

const SPILL_IDS = `
  INSERT INTO calls SELECT e.value ->> 0, e.value ->> 1, e.value ->> 2 FROM json_each(?1) AS e WHERE true
  ON CONFLICT DO UPDATE SET ids = ids || excluded.ids`;

const TO_MONTHS = [
  `INSERT INTO daily
   SELECT substr(day, 1, 7), started_at, key_id, mode, country, sum(successful), sum(failed)
   FROM daily WHERE day < ?1 AND length(day) = 10 GROUP BY 1, 2, 3, 4, 5
   ON CONFLICT DO UPDATE SET successful = successful + excluded.successful, failed = failed + excluded.failed`,
  "DELETE FROM daily WHERE day < ?1 AND length(day) = 10",
];

/** Everything that was counted: the table, and what has not been moved there, which is the JSON ?1. */
const COUNTED = `(
  SELECT day, mode, country, successful, failed FROM daily UNION ALL
  SELECT e.value ->> 0, e.value ->> 3, e.value ->> 4, e.value ->> 5, e.value ->> 6 FROM json_each(?1) AS e)`;

const BY_COUNTRY = `
  SELECT country, sum(successful + failed) AS total, sum(successful) AS successful FROM ${COUNTED}
  WHERE (?2 IS NULL OR mode = ?2) AND day BETWEEN ?3 AND ?4 GROUP BY 1`;

const BY_DAY = BY_COUNTRY.replace("SELECT country", "SELECT day AS date");

/** D1 has the totals of a month as absolute values, so that writing them twice does no harm. */
const REPORT = `
  INSERT INTO usage_months (user_id, month, live_successful, live_failed, test_successful, test_failed)
  SELECT users.id, e.value ->> 0, e.value ->> 1, e.value ->> 2, e.value ->> 3, e.value ->> 4
  FROM users JOIN json_each(?2) AS e WHERE users.id = ?1
  ON CONFLICT (user_id, month) DO UPDATE SET live_successful = excluded.live_successful,
    live_failed = excluded.live_failed, test_successful = excluded.test_successful, test_failed = excluded.test_failed`;

type Row = Readonly<Record<string, unknown>>;

/** What a ledger takes from the object it lives in. */
export interface LedgerHost {
  /** Runs one statement of SQL. */
  sql(query: string, ...bindings: (string | number | null)[]): Row[];
  /** Commits what `work` does, all of it or nothing. */
  transaction<Value>(work: () => Value): Value;
  setAlarm(at: number): void;
  deleteAll(): Promise<void>;
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** From 0 up to 1. */
  random(): number;
  mail(message: MailMessage): Promise<unknown>;
  /** Runs one statement of SQL on D1. */
  d1(query: string, ...bindings: (string | number)[]): Promise<Row[]>;
  /** For work that the caller does not wait for. */
  waitUntil(work: Promise<unknown>): void;
}

/** How a call asks for what it uses. */
export interface Charge {
  readonly part: Part;
  /** How many numbers of the account its isolate is charging, or may charge, without waiting. */
  readonly holding: number;
  /** Whether the call was let through on a lease. */
  readonly leased: boolean;
}

/** What came of a charge. */
export interface Charged {
  /** `held` while what is left is set aside for other isolates. */
  readonly outcome: "charged" | "refused" | "held";
  /** The least that is left of any of its limits, and the meter it is left of. */
  readonly left: number;
  readonly meter: string;
  /** How many numbers the isolate may charge next without waiting, and for how many milliseconds since it asked. */
  readonly lease: number;
  readonly leaseMs: number;
}

/** Days are UTC and inclusive; without a mode, both count. */
export interface Period {
  readonly mode?: KeyMode | undefined;
  readonly first: string;
  readonly last: string;
}

export interface CountryTotal {
  readonly country: string;
  readonly total: number;
  readonly successful: number;
}

export interface DayTotal {
  readonly date: string;
  readonly total: number;
  readonly successful: number;
}

/** When an isolate began, from its id. An hour is for clocks that differ. */
function bornAt(isolate: string): number {
  return Number.parseInt(isolate.split(".")[0]!, 36) - HOUR_MS;
}

function slotOf(id: string): number {
  return Number.parseInt(id.slice(0, 2), 16) >> 1;
}

/**
 * The ledger of one account: what it has used, each part and each call once, and what is left of its limits. Every change is one
 * transaction, which nearly always writes one row.
 */
export function createLedger(host: LedgerHost) {
  let state: State | null = null;
  let notifying = false;

  function load(): State {
    for (const table of TABLES) host.sql(table);
    const [row] = host.sql("SELECT body FROM state WHERE id = 1");
    return row === undefined ? emptyState() : { ...emptyState(), ...(JSON.parse(row["body"] as string) as State) };
  }

  function current(): State {
    return (state ??= load());
  }

  function save(): void {
    host.sql("INSERT INTO state (id, body) VALUES (1, ?1) ON CONFLICT DO UPDATE SET body = ?1", JSON.stringify(state));
  }

  /** Commits a change of the state. Memory is read again after a failure. */
  function change<Value>(work: (state: State) => Value): Value {
    try {
      return host.transaction(() => {
        const value = work(current());
        save();
        return value;
      });
    } catch (error) {
      state = null;
      throw error;
    }
  }

  function knowsPart({ isolate, seq }: Part): boolean {
    return inRanges(seenOf(isolate), seq);
  }

  /** The sequence numbers of an isolate, which may have been moved to the table since it was last heard of. */
  function seenOf(isolate: string): number[] {
    const { seen } = current();
    const known = seen[isolate];
    if (known !== undefined) return known;
    const path = `$."${isolate}"`;
    const query = "SELECT body -> ?2 AS ranges FROM seen WHERE closed_at >= ?1 AND body -> ?2 IS NOT NULL";
    const [row] = host.sql(`${query} ORDER BY closed_at DESC LIMIT 1`, bornAt(isolate), path);
    return (seen[isolate] = row === undefined ? [] : (JSON.parse(row["ranges"] as string) as number[]));
  }

  function knowsId(id: string): boolean {
    const { calls, spilledUntil } = current();
    if (Object.values(calls).some((ids) => ids.includes(id))) return true;
    const hour = Math.floor(host.now() / HOUR_MS);
    if (spilledUntil < hour) return false;
    const query = "SELECT 1 FROM calls WHERE slot = ?1 AND hour >= ?2 AND instr(ids, ?3) LIMIT 1";
    return host.sql(query, slotOf(id), hour, id).length > 0;
  }

  function knowsCall({ id, alias }: KeyedCall): boolean {
    return knowsId(id) || (alias !== undefined && knowsId(alias));
  }

  function remember({ id, alias, hours }: KeyedCall): void {
    const { calls } = current();
    const hour = Math.floor(host.now() / HOUR_MS) + hours;
    for (const each of alias === undefined ? [id] : [id, alias]) {
      if (!knowsId(each)) calls[hour] = (calls[hour] ?? "") + each;
    }
  }

  /** Counts a part. Returns whether it was new. */
  function apply(part: Part): boolean {
    const own = current();
    own.user = part.user;
    if (!addToRanges(seenOf(part.isolate), part.seq)) return false;
    const counts = [...part.counts];
    let isRepeated = false;
    for (const call of part.calls) {
      if (knowsCall(call)) isRepeated = true;
      else counts.push(...call.counts);
      remember(call);
    }
    addCounts(own, counts, part.at);
    if (part.limits !== undefined && !isRepeated) addLimits(own, part.limits);
    for (const [, , , day] of counts) {
      const month = day.slice(0, 7);
      if (!own.unreported.includes(month)) own.unreported.push(month);
    }
    return true;
  }

  function spillIds(own: State): void {
    const bySlot = new Map<string, string>();
    for (const [hour, ids] of Object.entries(own.calls)) {
      own.spilledUntil = Math.max(own.spilledUntil, Number(hour));
      for (let at = 0; at < ids.length; at += ID_LENGTH) {
        const id = ids.slice(at, at + ID_LENGTH);
        const place = `${slotOf(id)} ${hour}`;
        bySlot.set(place, (bySlot.get(place) ?? "") + id);
      }
    }
    const rows = [...bySlot].map(([place, ids]) => [...place.split(" ").map(Number), ids]);
    host.sql(SPILL_IDS, JSON.stringify(rows));
    own.calls = {};
  }

  /** Moves out of the state what has grown there, at the end of a day or when it is much. */
  function roll(own: State): void {
    const now = host.now();
    const day = utcDay(now);
    const hour = Math.floor(now / HOUR_MS);
    for (const old of Object.keys(own.calls)) if (Number(old) < hour) delete own.calls[old];
    const ended = own.day !== day;
    own.day = day;
    if (ended || Object.keys(own.counts).length > MAX_COUNTS) {
      host.sql(SPILL_COUNTS, JSON.stringify(rowsOf(own)));
      own.counts = {};
    }
    if (ended || Object.keys(own.seen).length > MAX_ISOLATES) {
      const used = Object.entries(own.seen).filter(([, ranges]) => ranges.length > 0);
      const query = "INSERT INTO seen SELECT max(?1, coalesce(max(closed_at), 0) + 1), ?2 FROM seen";
      if (used.length > 0) host.sql(query, now, JSON.stringify(Object.fromEntries(used)));
      own.seen = {};
    }
    if (Object.values(own.calls).reduce((sum, ids) => sum + ids.length, 0) > MAX_IDS * ID_LENGTH) spillIds(own);
    if (!ended) return;
    host.sql("DELETE FROM seen WHERE closed_at < ?1", now - SEEN_MS);
    host.sql("DELETE FROM calls WHERE hour < ?1", hour);
    const first = new Date(now);
    const cutoff = utcDay(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() - MONTHS_BY_DAY));
    for (const query of TO_MONTHS) host.sql(query, cutoff);
    own.leases = {};
    const old = utcDay(now - 40 * DAY_MS);
    for (const meter of Object.keys(own.meters)) {
      if (!meter.startsWith("quota ") && meter.slice(meter.lastIndexOf(" ") + 1) < old) delete own.meters[meter];
    }
  }

  /** Once a day, at a minute of its own. An alarm that is overdue has been given up by the platform. */
  function arm(own: State): void {
    const now = host.now();
    if (own.alarm > now - HOUR_MS) return;
    own.alarm = now - (now % DAY_MS) + DAY_MS + Math.floor(host.random() * DAY_MS);
    host.setAlarm(own.alarm);
  }

  /** Lets D1 know, once, that there is something to read here. */
  async function announce(): Promise<void> {
    if (current().announced) return;
    const query = "UPDATE users SET metered_at = ?1 WHERE id = ?2 AND metered_at IS NULL";
    await host.d1(query, host.now(), current().user);
    change((own) => (own.announced = true));
  }

  /** Emails the owner that 80 or 100 % of the quota are used. Noted after the mail is queued: a crash repeats it and never loses it. */
  async function notify(): Promise<void> {
    const { quota, meters, user } = current();
    if (quota === null || notifying) return;
    const due = dueQuotaNotice(meters[quotaMeter(quota.startedAt)] ?? 0, quota.most);
    if (due === 0 || due <= quota.told) return;
    notifying = true;
    try {
      await host.mail({ user_id: user, purpose: `quota_${due}` });
      change((own) => {
        if (own.quota?.startedAt === quota.startedAt) own.quota.told = due;
      });
    } finally {
      notifying = false;
    }
  }

  /** What follows a change. A failure is made good by the next change or the alarm. */
  async function follow(): Promise<void> {
    const outcomes = await Promise.allSettled([announce(), notify()]);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") {
        logLine("warn", "ledger_not_followed", { message: failureText(outcome.reason) });
      }
    }
  }

  /**
   * What an isolate may use next without waiting. Set aside for it is also what it still holds, and what it was given a moment ago,
   * which it may not have known of when it asked.
   */
  function leaseOf(own: State, { meter, amount: used, most }: Limit, isolate: string, holding: number): number {
    const now = host.now();
    const until = now + LEASE_MS + LEASE_MARGIN_MS;
    const leases = (own.leases[meter] ??= {});
    for (const [other, { until: end }] of Object.entries(leases)) if (end <= now) delete leases[other];
    const before = leases[isolate];
    const isolates = Object.keys(leases).length + (before === undefined ? 1 : 0);
    const share = Math.min(LEASED_SHARE, LEASED_IN_ALL / isolates);
    const room = Math.max(0, Math.floor(share * (most - (own.meters[meter] ?? 0))));
    // A batch that would not be within it has no use for one.
    const amount = used <= room ? room : 0;
    const recent = before !== undefined && before.until > until - IN_FLIGHT_MS ? before.amount : 0;
    const reserved = Math.max(amount, holding, recent);
    if (reserved > 0) leases[isolate] = { amount: reserved, until };
    else delete leases[isolate];
    return amount;
  }

  function totals(query: string, { mode, first, last }: Period): Row[] {
    return host.sql(query, JSON.stringify(rowsOf(current())), mode ?? null, first, last);
  }

  async function report(months: readonly string[]): Promise<"written" | "gone"> {
    const { user } = current();
    const [known] = await host.d1("SELECT 1 FROM users WHERE id = ?1", user);
    if (known === undefined) return "gone";
    const rows = months.map((month) => {
      const sums = (["live", "test"] as const).flatMap((mode) => {
        const days = totals(BY_DAY, { mode, first: month, last: `${month}~` }) as unknown as DayTotal[];
        const sum = (of: (day: DayTotal) => number) => days.reduce((all, day) => all + of(day), 0);
        return [sum((day) => day.successful), sum((day) => day.total - day.successful)];
      });
      return [month, ...sums];
    });
    if (rows.length > 0) await host.d1(REPORT, user, JSON.stringify(rows));
    return "written";
  }

  async function erase(): Promise<void> {
    const erased = host.now();
    change((own) => (own.erased = erased));
    await host.deleteAll();
    for (const table of TABLES) host.sql(table);
    state = { ...emptyState(), erased, alarm: erased + TOMBSTONE_MS };
    save();
    host.setAlarm(state.alarm);
  }

  return {
    /**
     * Counts parts, each once.
     * @returns how many numbers were refused because they come too late to tell whether they are known
     */
    async record(parts: readonly Part[]): Promise<number> {
      if (current().erased > 0) return 0;
      const [timely, late]: [Part[], Part[]] = [[], []];
      for (const part of parts) (part.at < host.now() - ACCEPTED_MS ? late : timely).push(part);
      if (timely.some((part) => !knowsPart(part))) {
        change((own) => {
          roll(own);
          for (const part of timely) apply(part);
          arm(own);
        });
      }
      host.waitUntil(follow());
      return late.reduce((sum, part) => sum + numbersIn(part), 0);
    },

    /** Counts a part whose call has limits, unless it would exceed one. A part or call that is known is charged nothing. */
    charge({ part, holding, leased }: Charge): Charged {
      const own = current();
      const limits = part.limits ?? [];
      const leftOf = ({ meter, most }: Limit) => Math.max(0, most - (own.meters[meter] ?? 0));
      const reply = (outcome: Charged["outcome"], lease = 0): Charged => {
        const tightest = limits.toSorted((a, b) => leftOf(a) - leftOf(b))[0];
        return {
          outcome,
          left: tightest ? leftOf(tightest) : 0,
          meter: tightest?.meter ?? "",
          lease,
          leaseMs: LEASE_MS,
        };
      };
      if (own.erased > 0 || knowsPart(part)) return reply("charged");
      if (!part.calls.some(knowsCall)) {
        const now = host.now();
        const over = limits.find((limit) => leftOf(limit) === 0 || leftOf(limit) < limit.amount);
        if (over !== undefined) return { ...reply("refused"), left: leftOf(over), meter: over.meter };
        const isHeld = limits.some(
          (limit) => leftOf(limit) < limit.amount + holding + leasedToOthers(own, limit.meter, part.isolate, now),
        );
        if (isHeld && !leased) return reply("held");
      }
      const lease = change((changed) => {
        roll(changed);
        apply(part);
        arm(changed);
        return Math.min(...limits.map((limit) => leaseOf(changed, limit, part.isolate, holding)));
      });
      host.waitUntil(follow());
      return reply("charged", lease);
    },

    /** Usage of a period by day and by country. Days and countries without any are left out. */
    usage(period: Period) {
      return {
        days: totals(BY_DAY, period) as unknown as DayTotal[],
        countries: totals(BY_COUNTRY, period) as unknown as CountryTotal[],
      };
    },

    /** Usage by country in each of some periods. */
    countries(periods: readonly Period[]): CountryTotal[][] {
      return periods.map((period) => totals(BY_COUNTRY, period) as unknown as CountryTotal[]);
    },

    /** Successful live verifications of the subscription that started then. */
    quotaUsed(startedAt: number): number {
      return current().meters[quotaMeter(startedAt)] ?? 0;
    },

    /** When each key was used last, in milliseconds since the Unix epoch. */
    lastUsed(): Readonly<Record<string, number>> {
      return current().lastUsed;
    },

    /** Deletes everything, and counts nothing for this account any more. */
    erase,

    /** Everything that is due: moves the day into the table, gives D1 the totals of its months, and sends what could not be sent. */
    async alarm(): Promise<void> {
      const now = host.now();
      if (current().erased > 0) {
        if (now < current().erased + TOMBSTONE_MS) return host.setAlarm(current().erased + TOMBSTONE_MS);
        await host.deleteAll();
        state = null;
        return;
      }
      const months = change((own) => {
        own.alarm = 0;
        roll(own);
        return own.unreported.splice(0);
      });
      try {
        if ((await report(months)) === "gone") return await erase();
        await Promise.all([announce(), notify()]);
      } catch (error) {
        logLine("warn", "ledger_alarm_failed", { message: failureText(error) });
        change((own) => {
          own.unreported = [...new Set([...own.unreported, ...months])];
          own.alarm = now + RETRY_MS;
          host.setAlarm(own.alarm);
        });
        return;
      }
      const { counts, spilledUntil, calls } = current();
      const isIdle =
        Object.keys(counts).length + Object.keys(calls).length === 0 &&
        spilledUntil < now / HOUR_MS &&
        host.sql("SELECT 1 FROM seen LIMIT 1").length === 0;
      if (!isIdle) change(arm);
    },
  };
}

export type Ledger = ReturnType<typeof createLedger>;
