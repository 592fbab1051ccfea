import type { InvalidReason } from "../../contract/result-values.ts";
import { formatE164 } from "./format.ts";
import type { Classification, E164Number } from "./number.ts";
import { classify } from "./numbering-plan.ts";
import { parseNumber } from "./parse.ts";
import type { PlanTable } from "./plan-table.ts";
import { readClean } from "./read-clean.ts";

/** A text as one number, and what the numbering plan says about it. */
export interface NumberRead {
  /** Null if the text isn't a number. */
  readonly number: E164Number | null;
  readonly classification: Classification;
}

export function notANumber(reason: InvalidReason, region: string | null = null): NumberRead {
  return { number: null, classification: { valid: false, possible: false, reason, region, type: "unknown" } };
}

/** Reads a text as libphonenumber's grammar does. `country` as in `parseNumber`. Never throws. */
export function readNumber(text: string, country: string | undefined, plans: PlanTable): NumberRead {
  const clean = readClean(text, plans);
  if (clean !== null) return clean;
  const parsed = parseNumber(text, country, plans);
  if (!parsed.ok) return notANumber(parsed.reason);
  const { number } = parsed;
  return { number: { ...number, e164: formatE164(number) }, classification: classify(number, plans) };
}
