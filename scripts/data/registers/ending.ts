/** `node scripts/data/registers/ending.ts`: fails from a month before a register stops calling numbers unassigned. */
import { REGISTER_RELEASES, type RegisterRelease } from "../../../contract/data.ts";
import {
  hasEnded,
  REGISTER_COUNTRIES,
  type RegisterCountry,
  type RegisterRow,
  REGISTERS,
} from "../../../contract/registers.ts";
import { utcDay } from "../../../worker/platform/time.ts";

const NOTICE_DAYS = 30;
/** For how long `ended_known` may silence an end: someone looks at it again after that. */
const MOST_KNOWN_DAYS = 90;

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}

/** A register's end as operators see it: a warning needs someone. */
export interface RegisterEnd {
  readonly country: string;
  readonly text: string;
  readonly isWarning: boolean;
}

/**
 * When each register stops calling numbers unassigned. It's a warning in the month before and from then on, unless its
 * row says that the end is known.
 * @param today in UTC, "2026-12-08"
 */
export function registerEnds(
  today: string,
  releases: Readonly<Partial<Record<RegisterCountry, RegisterRelease | null>>> = REGISTER_RELEASES,
  rows: Readonly<Partial<Record<RegisterCountry, Partial<RegisterRow>>>> = REGISTERS,
): RegisterEnd[] {
  return REGISTER_COUNTRIES.flatMap((country) => {
    const release = releases[country] ?? null;
    if (release === null) return [];
    const { date, unassigned_until: until } = release;
    const isDue = daysBetween(today, until) <= NOTICE_DAYS;
    const known = rows[country]?.ended_known;
    const isKnown = known !== undefined && known >= today && daysBetween(today, known) <= MOST_KNOWN_DAYS;
    const end = hasEnded(release, today)
      ? `has called no number unassigned since ${until}`
      : `calls numbers unassigned until ${until}`;
    const note = isDue && isKnown ? `, known until ${known}` : "";
    return [{ country, text: `the register of ${date} ${end}${note}`, isWarning: isDue && !isKnown }];
  });
}

if (import.meta.main) {
  for (const { country, text } of registerEnds(utcDay(Date.now())).filter(({ isWarning }) => isWarning)) {
    console.error(`${country}: ${text}. Get a newer one: docs/runbook.md, "A register has ended".`);
    process.exitCode = 1;
  }
}
