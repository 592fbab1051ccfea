import { MAX_BATCH_SIZE, MAX_NUMBER_LENGTH } from "./limits.ts";
import type { BatchRequest, VerifyRequest } from "./verification.ts";

/**
 * A fast path for most requests: one field, or that and a country. Anything not certain to match the schema's output is
 * null and left to the schema; quick-requests.test.ts compares them.
 */

const COUNTRY = /^[A-Za-z]{2}$/;

/** The normalized country, undefined without one; null if there are fields besides the main one and a country. */
function countryOf(value: object, main: string): string | undefined | null {
  let fields = 0;
  for (const field in value) {
    if (field !== main && field !== "country") return null;
    fields++;
  }
  // An inherited field doesn't count.
  if (!Object.hasOwn(value, main)) return null;
  if (fields === 1) return undefined;
  const { country } = value as { readonly country: unknown };
  return typeof country === "string" && COUNTRY.test(country) ? country.toUpperCase() : null;
}

/** VerifyRequest's output for a value, or null. */
export function quickVerifyRequest(value: unknown): VerifyRequest | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const { number } = value as { readonly number?: unknown };
  if (typeof number !== "string" || number.length > MAX_NUMBER_LENGTH) return null;
  const country = countryOf(value, "number");
  if (country === null) return null;
  return country === undefined ? { number } : { number, country };
}

/** BatchRequest's output for a value, or null. */
export function quickBatchRequest(value: unknown): BatchRequest | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const { numbers } = value as { readonly numbers?: unknown };
  if (!Array.isArray(numbers) || numbers.length === 0 || numbers.length > MAX_BATCH_SIZE) return null;
  for (const number of numbers) if (typeof number !== "string") return null;
  const country = countryOf(value, "numbers");
  if (country === null) return null;
  return country === undefined ? { numbers } : { numbers, country };
}
