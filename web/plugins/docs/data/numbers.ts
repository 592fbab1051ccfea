import {
  BODY_TIMEOUT_SECONDS,
  DEMO_LOOKUPS_PER_MINUTE,
  EMAIL_TOKEN_LIFETIME,
  MAX_ACTIVE_KEYS,
  MAX_BATCH_BODY_BYTES,
  MAX_BATCH_SIZE,
  MAX_BODY_BYTES,
  MAX_NEW_KEYS_PER_HOUR,
  MAX_NUMBER_LENGTH,
  MIN_PASSWORD_LENGTH,
  NUMBERS_PER_MINUTE,
  REQUESTS_PER_MINUTE,
  SESSION_DAYS,
  TRIAL,
} from "../../../../contract/limits.ts";
import { SandboxResult, VerificationResult } from "../../../../contract/verification.ts";
import { REGION_COUNT } from "../../../content/coverage.ts";
import { P95_TARGET_MS, UPTIME_TARGET } from "../../../content/promises.ts";

function written(count: number): string {
  return count.toLocaleString("en-US");
}

function kilobytes(bytes: number): string {
  return `${bytes / 1024} KB`;
}

function fieldCount({ entries }: { readonly entries: object }): string {
  return written(Object.keys(entries).length);
}

/** What `{NAME}` within the text of a page stands for, under the names that the contract and the promises have. */
const NUMBERS: Readonly<Record<string, string>> = {
  BODY_TIMEOUT_SECONDS: written(BODY_TIMEOUT_SECONDS),
  DEMO_LOOKUPS_PER_MINUTE: written(DEMO_LOOKUPS_PER_MINUTE),
  EMAIL_TOKEN_HOURS: written(EMAIL_TOKEN_LIFETIME.verify_email / 3_600_000),
  MAX_ACTIVE_KEYS: written(MAX_ACTIVE_KEYS),
  MAX_BATCH_BODY_BYTES: kilobytes(MAX_BATCH_BODY_BYTES),
  MAX_BATCH_SIZE: written(MAX_BATCH_SIZE),
  MAX_BODY_BYTES: kilobytes(MAX_BODY_BYTES),
  MAX_NEW_KEYS_PER_HOUR: written(MAX_NEW_KEYS_PER_HOUR),
  MAX_NUMBER_LENGTH: written(MAX_NUMBER_LENGTH),
  MIN_PASSWORD_LENGTH: written(MIN_PASSWORD_LENGTH),
  "NUMBERS_PER_MINUTE.pro": written(NUMBERS_PER_MINUTE.pro),
  "NUMBERS_PER_MINUTE.test": written(NUMBERS_PER_MINUTE.test),
  "NUMBERS_PER_MINUTE.trial": written(NUMBERS_PER_MINUTE.trial),
  P95_TARGET_MS: written(P95_TARGET_MS),
  REGION_COUNT: written(REGION_COUNT),
  "REQUESTS_PER_MINUTE.pro": written(REQUESTS_PER_MINUTE.pro),
  "REQUESTS_PER_MINUTE.test": written(REQUESTS_PER_MINUTE.test),
  "REQUESTS_PER_MINUTE.trial": written(REQUESTS_PER_MINUTE.trial),
  RESULT_FIELDS: fieldCount(VerificationResult),
  SANDBOX_RESULT_FIELDS: fieldCount(SandboxResult),
  SESSION_DAYS: written(SESSION_DAYS),
  "TRIAL.days": written(TRIAL.days),
  "TRIAL.quota": written(TRIAL.quota),
  UPTIME_TARGET,
};

/**
 * The number that a page names.
 * @throws Error for a name that is not in the list.
 */
export function docNumber(name: string): string {
  const number = NUMBERS[name];
  if (number === undefined) {
    throw new Error(`{${name}} stands for nothing. There are ${Object.keys(NUMBERS).join(", ")}.`);
  }
  return number;
}
