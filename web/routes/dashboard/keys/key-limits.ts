import { readOrigin } from "../../../../contract/allowed-origins.ts";
import { formatCount } from "../../../../contract/format.ts";
import { MAX_ALLOWED_ORIGINS, MAX_MONTHLY_CAP } from "../../../../contract/limits.ts";
import type { FormErrors, FormValues } from "../../../components/forms/use-form.ts";

/** Parses a monthly cap, with or without commas; null for none, undefined for invalid input. */
export function readCap(text: string): number | null | undefined {
  const digits = text.replaceAll(/[,\s]/g, "");
  if (digits === "") return null;
  const cap = /^\d{1,10}$/.test(digits) ? Number(digits) : 0;
  return cap >= 1 && cap <= MAX_MONTHLY_CAP ? cap : undefined;
}

/** Parses origins, one per line or separated by commas or spaces. @returns a complaint if they can't be allowed */
export function readOrigins(text: string): readonly string[] | string {
  const origins = new Set<string>();
  for (const part of text.split(/[\s,]+/).filter((found) => found !== "")) {
    const origin = readOrigin(part);
    if (origin === null) return `“${part}” isn’t an origin, such as https://shop.example`;
    origins.add(origin);
  }
  return origins.size > MAX_ALLOWED_ORIGINS ? `Must have at most ${MAX_ALLOWED_ORIGINS} origins` : [...origins];
}

/** What a live key's fields contain, as requests have it: a form without them sets no cap and no origins. */
export function liveValues(values: FormValues) {
  return {
    monthly_cap: readCap(values["monthly_cap"] ?? ""),
    allowed_origins: readOrigins(values["allowed_origins"] ?? ""),
  };
}

/** What is wrong with the fields. */
export function liveErrors(values: FormValues): FormErrors {
  const { monthly_cap: cap, allowed_origins: origins } = liveValues(values);
  return {
    ...(cap === undefined && { monthly_cap: `Must be a whole number from 1 to ${formatCount(MAX_MONTHLY_CAP)}` }),
    ...(typeof origins === "string" && { allowed_origins: origins }),
  };
}

/** Origins in a few words: "shop.example and 2 more". */
export function originsInWords([first = "", ...more]: readonly string[]): string {
  const host = first.replace(/^https:\/\//, "");
  return more.length === 0 ? host : `${host} and ${more.length} more`;
}
