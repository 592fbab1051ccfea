import * as v from "valibot";
import { MAX_BATCH_BODY_BYTES, MAX_BATCH_SIZE } from "../limits.ts";
import {
  BatchRequest,
  BatchResponse,
  DashboardBatchResponse,
  SandboxResult,
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
    description: "What the numbering plan knows about the number. An invalid number is a result, not an error.",
    schema: v.union([VerificationResult, SandboxResult]),
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
    "RATE_LIMITED",
  ],
  rate: "account",
  sandbox: true,
} as const satisfies Partial<Endpoint>;

export const verification = endpoints({
  verify: {
    ...shared,
    path: "/api/v1/verify",
    summary: "Verify one number",
    description: "A test key gets the sandbox's response, a live key that of the numbering plan.",
  },
  verifyAlias: {
    ...shared,
    path: "/verify",
    summary: "Verify one number (alias without base path)",
  },
  verifyBatch: {
    ...shared,
    sandbox: false,
    path: "/api/v1/verify/batch",
    summary: `Verify up to ${MAX_BATCH_SIZE} numbers`,
    description:
      "Results keep the order of the numbers. With a test key, a number that the sandbox refuses has an error and a code instead of a result.",
    maxBytes: MAX_BATCH_BODY_BYTES,
    errors: [...shared.errors, "QUOTA_TOO_SMALL"],
    request: {
      schema: BatchRequest,
      example: { numbers: ["+5511987654321", "020 7946 0018"], country: "GB" },
    },
    success: { status: 200, description: "One result a number, in order.", schema: BatchResponse },
  },
  verifyFromDashboard: {
    ...shared,
    tag: "Dashboard",
    credential: "session",
    sandbox: false,
    path: "/api/v1/account/verify",
    summary: `Verify up to ${MAX_BATCH_SIZE} numbers from the dashboard`,
    description:
      "What the dashboard's bulk check calls. It uses the quota and the limits of the account's live keys, and reports show it as Dashboard.",
    maxBytes: MAX_BATCH_BODY_BYTES,
    request: { schema: BatchRequest, example: { numbers: ["+5511987654321", "020 7946 0018"], country: "GB" } },
    success: { status: 200, description: "One result a number, in order.", schema: DashboardBatchResponse },
    errors: [
      ...READING_A_BODY,
      "QUOTA_EXCEEDED",
      "QUOTA_TOO_SMALL",
      "EMAIL_NOT_VERIFIED",
      "SUBSCRIPTION_INACTIVE",
      "IDEMPOTENCY_MISMATCH",
      "RATE_LIMITED",
    ],
  },
});
