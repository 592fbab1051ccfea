import { MAX_MONTHLY_CAP } from "../../../../contract/limits.ts";
import { formatCount } from "../../../../contract/format.ts";

/** Parses a monthly cap, with or without commas; null for none, undefined for invalid input. */
export function readCap(text: string): number | null | undefined {
  const digits = text.replaceAll(/[,\s]/g, "");
  if (digits === "") return null;
  const cap = /^\d{1,10}$/.test(digits) ? Number(digits) : 0;
  return cap >= 1 && cap <= MAX_MONTHLY_CAP ? cap : undefined;
}

export const CAP_RULE = `Must be a whole number from 1 to ${formatCount(MAX_MONTHLY_CAP)}`;
