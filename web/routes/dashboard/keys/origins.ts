import { readOrigin } from "../../../../contract/allowed-origins.ts";
import { MAX_ALLOWED_ORIGINS } from "../../../../contract/limits.ts";

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

/** Origins in a few words: "shop.example and 2 more". */
export function originsInWords([first = "", ...more]: readonly string[]): string {
  const host = first.replace(/^https:\/\//, "");
  return more.length === 0 ? host : `${host} and ${more.length} more`;
}
