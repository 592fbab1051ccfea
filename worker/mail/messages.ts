/**
 * What the `MAIL` queue holds: who and what, never an address, a token or a password. The consumer looks the rest up when it
 * sends. `user_id` is null for an email that must look as if it were sent, to an address without account.
 */
export interface MailMessage {
  readonly user_id: string | null;
  readonly purpose: MailPurpose;
  /** The row of email_tokens that the email's link is for. */
  readonly token_id?: string;
  /** The key that the email is about. */
  readonly key_id?: string;
  /** The row of security_events that the email is about. */
  readonly event_id?: string;
  /** For an email about several changes: since when they were made, in milliseconds since the Unix epoch. */
  readonly since?: number;
}

/** Emails about a subscription. Each describes the state when it is sent, so one at a time is enough. */
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
