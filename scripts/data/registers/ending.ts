/** `node scripts/data/registers/ending.ts`: fails in the month before a register stops calling numbers unassigned. */
import { REGISTER_RELEASES, type RegisterRelease } from "../../../contract/data.ts";

const NOTICE_DAYS = 30;

/**
 * The registers that soon stop calling numbers unassigned, for people.
 * @param today "2026-12-08"
 */
export function endingSoon(registers: Readonly<Record<string, RegisterRelease | null>>, today: string): string[] {
  return Object.entries(registers).flatMap(([country, release]) => {
    if (release === null) return [];
    const { date, unassigned_until } = release;
    const days = (Date.parse(unassigned_until) - Date.parse(today)) / 86_400_000;
    if (days < 0 || days > NOTICE_DAYS) return [];
    return [
      `${country}: the register of ${date} calls no number unassigned after ${unassigned_until}. Get a newer one.`,
    ];
  });
}

if (import.meta.main) {
  const lines = endingSoon(REGISTER_RELEASES, new Date().toISOString().slice(0, 10));
  for (const line of lines) console.error(line);
  if (lines.length > 0) process.exitCode = 1;
}
