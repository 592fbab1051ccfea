import * as v from "valibot";
import { described, Timestamp } from "./body.ts";

/** The kinds of security events, in words for the account's owner. */
export const SECURITY_EVENTS = {
  log_in: "Logged in",
  log_in_new_device: "Logged in on a new device",
  password_failed: "Wrong password",
  second_factor_failed: "Failed two-factor authentication",
  log_out: "Logged out",
  session_ended: "Session ended",
  other_sessions_ended: "Logged out all other sessions",
  email_verified: "Email address verified",
  email_change_requested: "Email change requested",
  email_changed: "Email changed",
  email_change_undone: "Email change undone",
  password_changed: "Password changed",
  password_reset: "Password reset by email",
  totp_added: "Authenticator app added",
  totp_removed: "Authenticator app removed",
  passkey_added: "Passkey added",
  passkey_removed: "Passkey removed",
  recovery_code_used: "Recovery code used",
  recovery_codes_replaced: "Recovery codes replaced",
  second_factor_reset: "Two-factor authentication removed by support",
  key_created: "API key created",
  key_limits_changed: "API key limits changed",
  key_revoked: "API key revoked",
  trial_started: "Free trial started",
  subscription_changed: "Subscription changed",
  suspended: "Account suspended",
  unsuspended: "Suspension lifted",
} as const;

export type SecurityEventKind = keyof typeof SECURITY_EVENTS;
export const SECURITY_EVENT_KINDS = Object.keys(SECURITY_EVENTS) as [SecurityEventKind, ...SecurityEventKind[]];

/** Events the owner gets an email about. A changed password or email and a live key have dedicated emails. */
export const EMAILED_EVENTS = [
  "log_in_new_device",
  "totp_added",
  "totp_removed",
  "passkey_added",
  "passkey_removed",
  "recovery_code_used",
  "recovery_codes_replaced",
  "second_factor_reset",
] as const satisfies readonly SecurityEventKind[];

/** Events that strangers can cause. They never evict the others. */
export const STRANGERS_EVENTS = [
  "password_failed",
  "second_factor_failed",
] as const satisfies readonly SecurityEventKind[];

const SecurityEvent = v.object({
  id: described(v.string(), "The event ID."),
  kind: described(v.picklist(SECURITY_EVENT_KINDS), "What happened."),
  at: described(Timestamp, "When it happened (UTC)."),
  about: described(
    v.nullable(v.string()),
    "The name of the key, passkey, or session, or the email address; null if there can only be one. If a key's cap or origins changed, both the old and the new ones.",
  ),
  by: described(v.picklist(["user", "operator"]), "Whether it came from a browser or the service operator."),
  browser: described(v.nullable(v.string()), "The browser and operating system; null for the operator."),
  country_code: described(v.nullable(v.string()), "The country it came from (ISO 3166-1 alpha-2); null if unknown."),
});
export type SecurityEvent = v.InferOutput<typeof SecurityEvent>;

export const SecurityEventsResponse = v.object({ events: described(v.array(SecurityEvent), "Newest first.") });
