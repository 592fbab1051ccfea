import * as v from "valibot";
import { formatCount } from "../format.ts";
import { MAX_BATCH_BODY_BYTES, MAX_BATCH_SIZE, MAX_STREAM_LINES } from "../limits.ts";
import {
  BatchRequest,
  BatchResponse,
  DashboardBatchResponse,
  PageResult,
  StreamFailure,
  VerificationResult,
  VerifyRequest,
} from "../verification.ts";
import { endpoints, READING_A_BODY } from "./endpoint.ts";
import type { Endpoint } from "./endpoint.ts";

const shared = {
  method: "post",
  tag: "Verification",
  credential: "key",
  request: { schema: VerifyRequest, example: { number: "+5511987654321" } },
  success: {
    status: 200,
    description:
      "What numbering plans and registers tell us about the number. An invalid number is a result, not an error.",
    schema: VerificationResult,
  },
  errors: [
    ...READING_A_BODY,
    "UNAUTHENTICATED",
    "INVALID_API_KEY",
    "API_KEY_REVOKED",
    "API_KEY_EXPIRED",
    "QUOTA_EXCEEDED",
    "KEY_CAP_REACHED",
    "BROWSER_ORIGIN_REFUSED",
    "SUBSCRIPTION_INACTIVE",
    "ACCOUNT_SUSPENDED",
    "IDEMPOTENCY_MISMATCH",
  ],
  rate: "requests by account",
  sandbox: true,
} as const satisfies Partial<Endpoint>;

/** Verifying one number is all that a key for web pages can do. */
const single = {
  ...shared,
  pageKeys: true,
  errors: [...shared.errors, "ORIGIN_NOT_ALLOWED"],
} as const satisfies Partial<Endpoint>;

export const verification = endpoints({
  verify: {
    ...single,
    path: "/api/v1/verify",
    summary: "Verify one number",
    description: `A test key returns a sandbox response, a live key a real one. A live key for web pages returns only what a form needs: ${Object.keys(
      PageResult.entries,
    )
      .map((field) => `\`${field}\``)
      .join(", ")}.`,
  },
  verifyAlias: {
    ...single,
    path: "/verify",
    summary: "Verify one number (alias without base path)",
  },
  verifyBatch: {
    ...shared,
    sandbox: false,
    path: "/api/v1/verify/batch",
    summary: `Verify up to ${MAX_BATCH_SIZE} numbers`,
    description:
      "Results are in the order sent. With a test key, a number of a failing sandbox scenario has an error and a code instead of a result.",
    maxBytes: MAX_BATCH_BODY_BYTES,
    errors: [...shared.errors, "PAGE_KEY_REFUSED", "QUOTA_TOO_SMALL"],
    request: {
      schema: BatchRequest,
      example: { numbers: ["+5511987654321", "020 7946 0018"], country: "GB" },
    },
    success: { status: 200, description: "One result per number, in order.", schema: BatchResponse },
  },
  verifyStream: {
    ...shared,
    sandbox: false,
    path: "/api/v1/verify/stream",
    summary: `Verify up to ${formatCount(MAX_STREAM_LINES)} numbers as a stream`,
    description:
      "Each request line is the body of a single verification, and each response line is its result or an error, in order. The stream waits when it hits the number limit. Empty lines are ignored in both directions.",
    format: "ndjson",
    request: { schema: VerifyRequest, example: { number: "+5511987654321" } },
    success: {
      status: 200,
      description: "One line per request line, in order. A line with `ended` is the last.",
      schema: v.union([VerificationResult, StreamFailure]),
    },
    errors: [
      "VALIDATION_FAILED",
      "UNSUPPORTED_MEDIA_TYPE",
      "UNAUTHENTICATED",
      "INVALID_API_KEY",
      "API_KEY_REVOKED",
      "API_KEY_EXPIRED",
      "BROWSER_ORIGIN_REFUSED",
      "PAGE_KEY_REFUSED",
      "SUBSCRIPTION_INACTIVE",
      "ACCOUNT_SUSPENDED",
    ],
  },
  verifyFromDashboard: {
    ...shared,
    tag: "Dashboard",
    credential: "session",
    sandbox: false,
    path: "/api/v1/account/verify",
    summary: `Verify up to ${MAX_BATCH_SIZE} numbers from the dashboard`,
    description:
      "Used by Bulk verify in the dashboard. It uses the quota and limits of the account's live keys, and appears in reports as Dashboard.",
    maxBytes: MAX_BATCH_BODY_BYTES,
    request: {
      schema: BatchRequest,
      example: { numbers: ["+5511987654321", "020 7946 0018"], country: "GB" },
    },
    success: { status: 200, description: "One result per number, in order.", schema: DashboardBatchResponse },
    errors: [...READING_A_BODY, "QUOTA_EXCEEDED", "QUOTA_TOO_SMALL", "SUBSCRIPTION_INACTIVE", "IDEMPOTENCY_MISMATCH"],
  },
  verifyInSandbox: {
    ...shared,
    tag: "Dashboard",
    credential: "session",
    path: "/api/v1/account/verify/sandbox",
    summary: "Verify one number as with a test key",
    description:
      "Used by the dashboard's Try it. It uses the limits of the account's test keys, needs no subscription, and appears in reports as Dashboard.",
    errors: [...READING_A_BODY, "IDEMPOTENCY_MISMATCH"],
  },
  verifyLive: {
    ...shared,
    tag: "Dashboard",
    credential: "session",
    sandbox: false,
    path: "/api/v1/account/verify/live",
    summary: "Verify one number as with a live key",
    description:
      "Used by the dashboard's Try it. It uses the quota and limits of the account's live keys, and appears in reports as Dashboard.",
    errors: [...READING_A_BODY, "QUOTA_EXCEEDED", "SUBSCRIPTION_INACTIVE", "IDEMPOTENCY_MISMATCH"],
  },
});
