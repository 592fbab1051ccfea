import { hasLeadingPlus, isViable, toDigits } from "./normalize.ts";
import { type ShortNumber, shortNumber } from "./short-numbers.ts";

export interface ShortCode extends ShortNumber {
  /** Upper-case ISO 3166-1 alpha-2 country that it is dialed in. */
  readonly country: string;
}

/** A star and a few digits: a service of the caller's own network. */
const STAR_CODE = /^\*\d{2,5}$/;

/** The short code that an input is, as it is dialed in a country; null for any other input, and without a country. Never throws. */
export function dialledShortCode(input: string, country: string | undefined): ShortCode | null {
  if (country === undefined) return null;
  const dialled = input.trim().replace(/^tel:/i, "");
  // No short code is as long, with any separators.
  if (dialled.length > 20 || hasLeadingPlus(dialled)) return null;
  if (STAR_CODE.test(dialled)) return { country, cost: "unknown", emergency: false };
  if (!isViable(dialled) || /[^\p{Nd}\p{Zs}().-]/u.test(dialled)) return null;
  const known = shortNumber(toDigits(dialled), country);
  return known === null ? null : { country, ...known };
}
