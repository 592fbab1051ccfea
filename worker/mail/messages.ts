/**
 * A message of the `MAIL` queue: ids and purpose, never an address, token, or password. The consumer looks up the rest
 * when it sends. `user_id` is null for an address without an account, which must look as if an email was sent.
 */
export interface MailMessage {
  readonly user_id: string | null;
  readonly purpose: MailPurpose;
  /** The row of email_tokens for the email's link. */
  readonly token_id?: string;
  /** The key in the email. */
  readonly key_id?: string;
  /** The row of security_events for the email. */
  readonly event_id?: string;
  /** For an email about several changes: when the first was made, in milliseconds since the Unix epoch. */
  readonly since?: number;
}

/** Emails about a subscription. Each describes the state when sent, so one at a time is enough. */
export const NOTICE_PURPOSES = ["quota_80", "quota_100", "trial_ending"] as const;
export type NoticePurpose = (typeof NOTICE_PURPOSES)[number];

export const MAIL_PURPOSES = [
  "verify_email",
  "reset_password",
  "already_registered",
  "password_changed",
  "live_key_created",
  "security_notice",
  ...NOTICE_PURPOSES,
] as const;
export type MailPurpose = (typeof MAIL_PURPOSES)[number];
