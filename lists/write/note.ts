import { hintOf, REASONS } from "../../contract/reasons.ts";
import type { Cell } from "../cells.ts";
import { suspicionOf } from "../damage.ts";

interface Noted {
  /** Null for a valid number. */
  readonly reason: string | null;
  readonly suggestion: string | null;
  /** Why a valid number is not accepted, in a sentence. */
  readonly acceptance: string | null;
  /** A cell in the country column that we can't read. */
  readonly unreadCountry: string | null;
}

/** Why a cell has no valid or accepted number, and the suggestion, in words; null if there is nothing to say. */
export function noteOn(
  cell: Cell | undefined,
  { reason, suggestion, acceptance, unreadCountry }: Noted,
): string | null {
  const unread = unreadCountry && `We can’t read the country “${unreadCountry}”.`;
  const why = reason === null ? [acceptance] : [hintOf(REASONS, reason), unread, suspicionOf(cell, reason)];
  const meant = suggestion && `Did you mean ${suggestion}?`;
  return [...why, meant].filter(Boolean).join(" ") || null;
}
