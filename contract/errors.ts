import { described, Integer } from "./body.ts";
import { BODY_TIMEOUT_SECONDS, MAX_ACTIVE_KEYS, MAX_PASSKEYS } from "./limits.ts";
import { SANDBOX_FAILURES, sandboxFailureMessage } from "./sandbox.ts";
import type { SandboxFailureName } from "./sandbox.ts";
import { SecondFactorChallenge } from "./second-factor.ts";
import * as v from "valibot";

interface ErrorEntry {
  readonly status: 400 | 401 | 402 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 503;
  /** The response's message, unless the code that raises the error has a more specific one. */
  readonly message: string;
  /** What the caller can do about it, for the documentation. */
  readonly fix: string;
}

/** Every API error outside the sandbox: the source of status, text, OpenAPI document, and docs page. */
export const ERRORS = {
  INVALID_JSON: {
    status: 400,
    message: "The request body isn't valid JSON.",
    fix: "Send a JSON object encoded as UTF-8.",
  },
  VALIDATION_FAILED: {
    status: 400,
    message: "The request is invalid.",
    fix: "Check `fields`, which lists each invalid field and what's wrong with it.",
  },
  TOKEN_INVALID: {
    status: 400,
    message: "This link is invalid, expired, or already used.",
    fix: "Request a new link, then open the newest email.",
  },
  WRONG_PASSWORD: {
    status: 400,
    message: "The current password is wrong.",
    fix: "Enter the password you log in with, or reset it by email.",
  },
  WRONG_CODE: {
    status: 400,
    message:
      "The code is wrong, expired, or already used. Wait for the next one, and make sure your phone's clock is set automatically.",
    fix: "Send the current code from the authenticator app. Each code works once. If the clock is more than 30 seconds off, every code is wrong.",
  },
  PASSKEY_REFUSED: {
    status: 400,
    message: "We couldn't verify the passkey.",
    fix: "Try again on the official site with a passkey listed in Settings, or use your authenticator app or a recovery code.",
  },
  CHALLENGE_INVALID: {
    status: 400,
    message: "This took too long or is already done. Start over.",
    fix: "Log in again, or restart the enrollment. A challenge works once, for a few minutes, until the password changes.",
  },
  UNAUTHENTICATED: {
    status: 401,
    message: "The Authorization: Bearer header is missing.",
    fix: "Send the `Authorization: Bearer <your key>` header.",
  },
  INVALID_CREDENTIALS: {
    status: 401,
    message: "Wrong email or password.",
    fix: "Check both, reset the password by email, or have the verification email sent again.",
  },
  SECOND_FACTOR_REQUIRED: {
    status: 401,
    message: "Enter the code from your authenticator app, or use a passkey.",
    fix: "Send `second_factor.challenge` with a code or a passkey to `POST /api/v1/auth/second-factor`.",
  },
  SESSION_EXPIRED: {
    status: 401,
    message: "The session has expired.",
    fix: "Log in again.",
  },
  INVALID_API_KEY: {
    status: 401,
    message: "The API key is invalid.",
    fix: "Make sure you copied the whole key, or generate a new one in the dashboard.",
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
    message: "You've used all verifications in your plan.",
    fix: "Email support for more. `quota` shows what's left. Until then, invalid numbers get a 402 too. Test keys keep working.",
  },
  QUOTA_TOO_SMALL: {
    status: 402,
    message: "The batch has more valid numbers than your plan has verifications left.",
    fix: "Send at most `quota.remaining` numbers. No numbers in the batch were counted.",
  },
  KEY_CAP_REACHED: {
    status: 402,
    message: "This API key has reached its monthly cap, or the batch has more valid numbers than the cap has left.",
    fix: "If `quota.remaining` is above 0, send at most that many numbers; none were counted. Otherwise, raise or remove the cap in the dashboard, which takes up to two minutes, or wait until next month (UTC). Other keys keep working.",
  },
  BROWSER_ORIGIN_REFUSED: {
    status: 403,
    message: "A live key was sent from a web page, where anyone can read it. Call from your server, or use a test key.",
    fix: "Call from your server. If the page was public, revoke the key. Use a test key in browsers.",
  },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    message:
      "This key works only from web pages of its allowed origins, and the call's Origin header isn't one of them.",
    fix: "Add the page's scheme, host, and port to the key's allowed origins in the dashboard, which takes up to two minutes. From a server, use a key without allowed origins.",
  },
  PAGE_KEY_REFUSED: {
    status: 403,
    message: "This key is for web pages and can only verify one number per call, with POST /verify.",
    fix: "Use a key without allowed origins from your server for batches, streams, assistants, and the quota.",
  },
  DEMO_ORIGIN_REFUSED: {
    status: 403,
    message: "The demo works only on this site. To verify numbers from elsewhere, use the API with a test key.",
    fix: "Generate a test key in the dashboard and call `POST /api/v1/verify` with it.",
  },
  HTTPS_REQUIRED: {
    status: 403,
    message: "The API requires https://. If you sent a key over http://, revoke it; it could have been intercepted.",
    fix: "Call `https://` URLs only. The API never redirects, so a client can't send its key over `http://` unnoticed.",
  },
  SUBSCRIPTION_INACTIVE: {
    status: 403,
    message: "Live keys require an active subscription.",
    fix: "Activate a subscription in the dashboard, or use a test key.",
  },
  SUBSCRIPTION_REQUIRED: {
    status: 403,
    message: "You need an active subscription to generate API keys.",
    fix: "Activate the free trial in the dashboard, or email support for another plan.",
  },
  REGISTERED_ELSEWHERE: {
    status: 403,
    message: "This isn't the browser used to register, so the link alone isn't enough.",
    fix: "Send the `password` used to register, or a `new_password` and a `name`. The link still works.",
  },
  ACCOUNT_SUSPENDED: {
    status: 403,
    message: "This account has been suspended.",
    fix: "Email support.",
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
    fix: "Use one of the methods in the `Allow` header.",
  },
  REQUEST_TIMEOUT: {
    status: 408,
    message: `The request body didn't arrive within ${BODY_TIMEOUT_SECONDS} seconds.`,
    fix: "Retry, and send the whole body at once.",
  },
  EMAIL_TAKEN: {
    status: 409,
    message: "This email address belongs to another account by now.",
    fix: "Log in to that account to keep using it. To use the address here, change or delete that account, then open the link again.",
  },
  TRIAL_ALREADY_USED: {
    status: 409,
    message: "The free trial was already used.",
    fix: "Email support for another plan.",
  },
  TRIAL_UNAVAILABLE: {
    status: 409,
    message:
      "The free trial is limited to one per person and excludes temporary email addresses. Register with a permanent address, or ask support for a trial.",
    fix: "Register with a permanent address that hasn't had a trial, or ask support for one.",
  },
  SECOND_FACTOR_EXISTS: {
    status: 409,
    message: "You've already set up an authenticator app. Remove it to set up another one.",
    fix: "Remove the authenticator app first.",
  },
  NO_SECOND_FACTOR: {
    status: 409,
    message: "Recovery codes require two-factor authentication. Set up an authenticator app or a passkey first.",
    fix: "Set up an authenticator app or a passkey. It comes with recovery codes.",
  },
  PASSKEY_LIMIT_REACHED: {
    status: 409,
    message: `You already have ${MAX_PASSKEYS} passkeys.`,
    fix: "Remove a passkey you no longer use.",
  },
  KEY_LIMIT_REACHED: {
    status: 409,
    message: `You already have ${MAX_ACTIVE_KEYS} active keys in this mode.`,
    fix: "Revoke a key you no longer need.",
  },
  KEY_NOT_ROLLABLE: {
    status: 409,
    message: "The API key has expired or was already rolled.",
    fix: "Generate a new key, or roll its replacement.",
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    message: "The request body is too large.",
    fix: "Send smaller requests, or split the batch.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: "The request body must be JSON in UTF-8, sent with the Content-Type: application/json header.",
    fix: "Send the `Content-Type: application/json` header and an uncompressed body, without `Content-Encoding`.",
  },
  IDEMPOTENCY_MISMATCH: {
    status: 422,
    message: "This Idempotency-Key was used with a different body.",
    fix: "Use a new Idempotency-Key for each request. Reuse one only to retry.",
  },
  RATE_LIMITED: {
    status: 429,
    message: "Too many requests.",
    fix: "Retry after the number of seconds in `Retry-After`. If `RateLimit` has a `daily` policy, you hit the daily limit of test keys; a batch of up to `r` numbers still passes.",
  },
  INTERNAL_ERROR: {
    status: 500,
    message: "Something went wrong on our side.",
    fix: "Try again. If it keeps happening, email support with the `X-Request-Id`.",
  },
  NOT_WORKING: {
    status: 503,
    message: "A component is failing or unknown, or the scheduled jobs are late.",
    fix: "Only `GET /api/v1/status?strict` returns it, for monitors. Without `strict`, the response has each component.",
  },
  TEMPORARILY_UNAVAILABLE: {
    status: 503,
    message: "The service is temporarily unavailable.",
    fix: "Retry after the number of seconds in `Retry-After`.",
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

/** The status and message of each sandbox failure, by code. */
export const SANDBOX_ERRORS = Object.fromEntries(
  SANDBOX_FAILURES.map((failure) => [failure.name, { status: 400, message: sandboxFailureMessage(failure) }]),
) as Readonly<Record<SandboxFailureName, { status: 400; message: string }>>;

/** A limit and what is left of it. */
export const QuotaFigures = v.object({
  limit: described(Integer, "Successful live verifications in total."),
  used: described(Integer, "Verifications used."),
  remaining: described(Integer, "Verifications remaining."),
});
export type QuotaFigures = v.InferOutput<typeof QuotaFigures>;

/** The body of every error response. */
export const ErrorBody = v.object({
  error: described(v.string(), "What happened."),
  code: described(v.string(), "A stable error code."),
  fields: v.optional(
    described(v.record(v.string(), v.string()), "With VALIDATION_FAILED: each invalid field and what's wrong with it."),
  ),
  quota: v.optional(described(QuotaFigures, "With 402: the quota or the key's monthly cap, and how much is left.")),
  second_factor: v.optional(SecondFactorChallenge),
});
export type ErrorBody = v.InferOutput<typeof ErrorBody>;
