/** `node scripts/data/registers/ending.ts`: fails from a month before a register stops calling numbers unassigned. */
import { REGISTER_RELEASES, type RegisterRelease } from "../../../contract/data.ts";
import { REGISTERS, type RegisterRow } from "../../../contract/registers.ts";
import { utcDay } from "../../../worker/platform/time.ts";

const NOTICE_DAYS = 30;
/** For how long `ended_known` may silence an end: someone looks at it again after that. */
const MOST_KNOWN_DAYS = 90;

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}

type EndedRow = Pick<RegisterRow, "ended_known">;

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
  releases: Readonly<Record<string, RegisterRelease | null>> = REGISTER_RELEASES,
  rows: Readonly<Record<string, EndedRow>> = REGISTERS as Record<string, EndedRow>,
): RegisterEnd[] {
  return Object.entries(releases).flatMap(([country, release]) => {
    if (release === null) return [];
    const { date, unassigned_until: until } = release;
    const hasEnded = today > until;
    const isNear = daysBetween(today, until) <= NOTICE_DAYS;
    const known = rows[country]?.ended_known;
    const isKnown = known !== undefined && known >= today && daysBetween(today, known) <= MOST_KNOWN_DAYS;
    const end = hasEnded ? `has called no number unassigned since ${until}` : `calls numbers unassigned until ${until}`;
    const note = isNear && isKnown ? `, known until ${known}` : "";
    return [{ country, text: `the register of ${date} ${end}${note}`, isWarning: isNear && !isKnown }];
  });
}

if (import.meta.main) {
  for (const { country, text } of registerEnds(utcDay(Date.now())).filter(({ isWarning }) => isWarning)) {
    console.error(`${country}: ${text}. Get a newer one: docs/runbook.md, "A register has ended".`);
    process.exitCode = 1;
  }
}
