import { BODY_TIMEOUT_SECONDS, MAX_ACTIVE_KEYS } from "./limits.ts";
import { SANDBOX_FAILURES, sandboxFailureMessage } from "./sandbox.ts";
import type { SandboxFailureName } from "./sandbox.ts";
import * as v from "valibot";

interface ErrorEntry {
  readonly status: 400 | 401 | 402 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 503;
  /** The sentence of the answer where the place that raises the error has nothing more precise to say. */
  readonly message: string;
  /** What the caller does about it, for the documentation. */
  readonly fix: string;
}

/**
 * Every error of the API outside the sandbox. Status, text, OpenAPI document and docs page all come from here.
 */
export const ERRORS = {
  INVALID_JSON: {
    status: 400,
    message: "The request body is not valid JSON.",
    fix: "Send a JSON object encoded as UTF-8.",
  },
  VALIDATION_FAILED: {
    status: 400,
    message: "The request does not have the expected form.",
    fix: "Read `fields`: it names each offending field and says what is wrong with it.",
  },
  TOKEN_INVALID: {
    status: 400,
    message: "The link is not valid, has expired or has been used already.",
    fix: "Request a new link.",
  },
  WRONG_PASSWORD: {
    status: 400,
    message: "The current password is wrong.",
    fix: "Type the password that you log in with, or reset it by email.",
  },
  UNAUTHENTICATED: {
    status: 401,
    message: "No credentials were sent in the header Authorization: Bearer.",
    fix: "Send the header `Authorization: Bearer <your key>`.",
  },
  INVALID_CREDENTIALS: {
    status: 401,
    message: "Wrong email or password.",
    fix: "Check both, or reset the password by email.",
  },
  SESSION_EXPIRED: {
    status: 401,
    message: "The session has ended.",
    fix: "Log in again.",
  },
  INVALID_API_KEY: {
    status: 401,
    message: "The API key is not valid.",
    fix: "Check that the whole key was copied, or generate a new one in the dashboard.",
  },
  API_KEY_REVOKED: {
    status: 401,
    message: "The API key has been revoked.",
    fix: "Generate a new key in the dashboard and replace this one.",
  },
  API_KEY_EXPIRED: {
    status: 401,
    message: "The API key has expired.",
    fix: "Generate a new key in the dashboard and replace this one. Roll keys before they expire.",
  },
  QUOTA_EXCEEDED: {
    status: 402,
    message: "The quota of the subscription is used up.",
    fix: "Ask support for more quota. `quota` has the figures. Test keys keep working.",
  },
  QUOTA_TOO_SMALL: {
    status: 402,
    message: "The batch has more valid numbers than the quota has left.",
    fix: "Send at most `quota.remaining` numbers. Nothing of the batch was counted.",
  },
  KEY_CAP_REACHED: {
    status: 402,
    message: "The monthly cap of this API key is reached.",
    fix: "Raise the key's cap in the dashboard, or wait for the next month, UTC. `quota` has the cap's figures. Other keys keep working.",
  },
  BROWSER_ORIGIN_REFUSED: {
    status: 403,
    message:
      "A live key was sent from a web page, where anybody can read it. Call from your server, or use a test key.",
    fix: "Call from your server. Revoke the key if the page was public, and use a test key to try things in a browser.",
  },
  DEMO_ORIGIN_REFUSED: {
    status: 403,
    message:
      "The demo works on this site's own page only. To verify numbers from elsewhere, use the API, starting with a test key.",
    fix: "Generate a test key in the dashboard and call `POST /api/v1/verify` with it.",
  },
  HTTPS_REQUIRED: {
    status: 403,
    message: "The API takes https:// only. Revoke a key that was sent over http://: it could be read on its way.",
    fix: "Call `https://` addresses only. The API does not redirect, so that a client cannot send its key over `http://` unnoticed.",
  },
  SUBSCRIPTION_INACTIVE: {
    status: 403,
    message: "Live keys need an active subscription.",
    fix: "Activate a subscription in the dashboard, or use a test key.",
  },
  SUBSCRIPTION_REQUIRED: {
    status: 403,
    message: "You need an active subscription to generate API keys.",
    fix: "Activate the free trial or another plan.",
  },
  EMAIL_NOT_VERIFIED: {
    status: 403,
    message: "Your email address has to be verified first.",
    fix: "Open the link in the verification email, or request a new one in the dashboard.",
  },
  REGISTERED_ELSEWHERE: {
    status: 403,
    message: "This browser is not the one that registered the address, so the link alone is not enough.",
    fix: "Send the `password` of the registration, or a `new_password` and a `name`. The link still works.",
  },
  ACCOUNT_SUSPENDED: {
    status: 403,
    message: "This account has been suspended.",
    fix: "Write to support.",
  },
  PASSWORD_REQUIRED: {
    status: 403,
    message: "Enter your password to do this.",
    fix: "Send the password to `POST /api/v1/auth/confirm-password`, then repeat the call with the new token.",
  },
  NOT_FOUND: {
    status: 404,
    message: "No such endpoint.",
    fix: "Check the path against the API reference.",
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: "Method not allowed for this path.",
    fix: "Use one of the methods that the `Allow` header lists.",
  },
  REQUEST_TIMEOUT: {
    status: 408,
    message: `The request body did not arrive within ${BODY_TIMEOUT_SECONDS} seconds.`,
    fix: "Send the request again, with the whole body at once.",
  },
  ALREADY_VERIFIED: {
    status: 409,
    message: "Your email address is verified already.",
    fix: "No action needed.",
  },
  TRIAL_ALREADY_USED: {
    status: 409,
    message: "The free trial has been used already.",
    fix: "Choose another plan.",
  },
  TRIAL_UNAVAILABLE: {
    status: 409,
    message:
      "There is one free trial per person, and none for temporary email addresses. Register with your permanent address, or ask support for a trial.",
    fix: "Register with a permanent address that has not had a trial, or ask support for one.",
  },
  KEY_LIMIT_REACHED: {
    status: 409,
    message: `There are ${MAX_ACTIVE_KEYS} active keys of this mode already.`,
    fix: "Revoke a key that is no longer needed.",
  },
  KEY_NOT_ROLLABLE: {
    status: 409,
    message: "The API key has expired or was rolled already.",
    fix: "Generate a new key, or roll the one that replaced it.",
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    message: "The request body is too large.",
    fix: "Send less in one request; split large batches.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: "The request body must be JSON, with the header Content-Type: application/json.",
    fix: "Send the header `Content-Type: application/json`, and the body uncompressed, without `Content-Encoding`.",
  },
  IDEMPOTENCY_MISMATCH: {
    status: 422,
    message: "This Idempotency-Key has been used with another body.",
    fix: "Use a new Idempotency-Key for every new request, and the same one only to repeat it.",
  },
  RATE_LIMITED: {
    status: 429,
    message: "Too many requests.",
    fix: "Try again after the seconds in `Retry-After`.",
  },
  INTERNAL_ERROR: {
    status: 500,
    message: "Something went wrong on our side.",
    fix: "Try again, and tell support the `X-Request-Id` if it happens again.",
  },
  TEMPORARILY_UNAVAILABLE: {
    status: 503,
    message: "The service cannot do this right now.",
    fix: "Try again after the seconds in `Retry-After`.",
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

/** Status and sentence of each sandbox failure, by its code. */
export const SANDBOX_ERRORS = Object.fromEntries(
  SANDBOX_FAILURES.map((failure) => [failure.name, { status: 400, message: sandboxFailureMessage(failure) }]),
) as Readonly<Record<SandboxFailureName, { status: 400; message: string }>>;

/** What a limit holds, and what is left of it. */
export const QuotaFigures = v.object({
  limit: v.pipe(v.number(), v.integer(), v.description("How many successful live verifications it holds.")),
  used: v.pipe(v.number(), v.integer(), v.description("How many are used up.")),
  remaining: v.pipe(v.number(), v.integer(), v.description("How many are left.")),
});
export type QuotaFigures = v.InferOutput<typeof QuotaFigures>;

/** The body of every error answer. */
export const ErrorBody = v.object({
  error: v.pipe(v.string(), v.description("What happened, in a sentence.")),
  code: v.pipe(v.string(), v.description("A stable name for what happened.")),
  fields: v.optional(
    v.pipe(
      v.record(v.string(), v.string()),
      v.description("With VALIDATION_FAILED: each offending field, and what is wrong with it."),
    ),
  ),
  quota: v.optional(
    v.pipe(QuotaFigures, v.description("With 402: what the quota, or the key's monthly cap, holds and has left.")),
  ),
});
export type ErrorBody = v.InferOutput<typeof ErrorBody>;
