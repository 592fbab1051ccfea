import { createHash } from "node:crypto";
import { failureText, logLine } from "../platform/log.ts";

/** Have I Been Pwned's breached passwords, by the first five hex digits of their SHA-1. */
const RANGES = "https://api.pwnedpasswords.com/range/";
const PREFIX_LENGTH = 5;

/** How long choosing a password waits for the list. */
const TIMEOUT_MS = 1_000;

async function readRange(prefix: string): Promise<string> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(RANGES + prefix, {
      // Padding hides the range from anyone who sees the response size. Padded entries have a count of 0.
      headers: { "Add-Padding": "true" },
      redirect: "manual",
      signal: controller.signal,
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(`The list responded with ${response.status}`);
    }
    return await response.text();
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Whether a password appeared in a data breach, by k-anonymity: only the first five hex digits of its SHA-1, shared by
 * hundreds of listed passwords, leave the worker. False when the list does not respond within a second.
 */
export async function isBreached(password: string): Promise<boolean> {
  const hash = createHash("sha1").update(password).digest("hex").toUpperCase();
  try {
    const range = await readRange(hash.slice(0, PREFIX_LENGTH));
    return range.split(/\r?\n/).some((line) => {
      const [suffix, times] = line.split(":");
      return suffix === hash.slice(PREFIX_LENGTH) && Number(times) > 0;
    });
  } catch (error) {
    logLine("warn", "breach_check_failed", { message: failureText(error) });
    return false;
  }
}
