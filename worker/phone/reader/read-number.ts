import type { InvalidReason } from "../../../contract/result-values.ts";
import { formatE164 } from "../format.ts";
import type { Classification, E164Number } from "../number.ts";
import { classify } from "../numbering-plan.ts";
import { parseDialed } from "../parse.ts";
import type { PlanTable } from "../plan-table.ts";
import { readClean } from "../read-clean.ts";
import { type Dialed, readDialed } from "./grammar.ts";

/** A text as one number, and what the numbering plan says about it. */
export interface NumberRead {
  /** Null if the text isn't a number. */
  readonly number: E164Number | null;
  readonly classification: Classification;
}

export function notANumber(reason: InvalidReason, region: string | null = null): NumberRead {
  return { number: null, classification: { valid: false, possible: false, reason, region, type: "unknown" } };
}

/** Null if the text isn't a valid number. */
export function validNumber({ number, classification }: NumberRead): E164Number | null {
  return classification.valid ? number : null;
}

/** Reads a text as libphonenumber's grammar does. `country` as in `parseDialed`. Never throws. */
export function readNumber(text: string, country: string | undefined, plans: PlanTable): NumberRead {
  const clean = readClean(text, plans);
  if (clean !== null) return clean;
  const dialed = readDialed(text);
  return dialed === null ? notANumber("NOT_A_NUMBER") : readDigits(dialed, country, plans);
}

/** What the numbering plan says about digits. */
export function readDigits(dialed: Dialed, country: string | undefined, plans: PlanTable): NumberRead {
  const parsed = parseDialed(dialed, country, plans);
  if (!parsed.ok) return notANumber(parsed.reason);
  const { number } = parsed;
  return { number: { ...number, e164: formatE164(number) }, classification: classify(number, plans) };
}
