import { MAX_BATCH_SIZE, MAX_NUMBER_LENGTH } from "./limits.ts";
import type { BatchRequest, VerifyRequest } from "./verification.ts";

/**
 * What most requests look like, at a glance: one field, or that and a country. What is not certain to be what the schema makes of it
 * is null, and the schema's business; quick-requests.test.ts compares.
 */

const COUNTRY = /^[A-Za-z]{2}$/;

/** The country as it is understood, undefined without one; null for any other fields than the main one and a country. */
function countryOf(value: object, main: string): string | undefined | null {
  let fields = 0;
  for (const field in value) {
    if (field !== main && field !== "country") return null;
    fields++;
  }
  // A field that is inherited is none.
  if (!Object.hasOwn(value, main)) return null;
  if (fields === 1) return undefined;
  const { country } = value as { readonly country: unknown };
  return typeof country === "string" && COUNTRY.test(country) ? country.toUpperCase() : null;
}

/** The request that VerifyRequest makes of a value, or null. */
export function quickVerifyRequest(value: unknown): VerifyRequest | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const { number } = value as { readonly number?: unknown };
  if (typeof number !== "string" || number.length > MAX_NUMBER_LENGTH) return null;
  const country = countryOf(value, "number");
  if (country === null) return null;
  return country === undefined ? { number } : { number, country };
}

/** The request that BatchRequest makes of a value, or null. */
export function quickBatchRequest(value: unknown): BatchRequest | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const { numbers } = value as { readonly numbers?: unknown };
  if (!Array.isArray(numbers) || numbers.length === 0 || numbers.length > MAX_BATCH_SIZE) return null;
  for (const number of numbers) if (typeof number !== "string") return null;
  const country = countryOf(value, "numbers");
  if (country === null) return null;
  return country === undefined ? { numbers } : { numbers, country };
}
