/**
 * What stands in the MAIL queue: who and what, never an address, a token or a password. The consumer looks the rest up when it
 * sends. `user_id` is null for a mail that must look as if it were sent, to an address without account.
 */
export interface MailMessage {
  readonly user_id: string | null;
  readonly purpose: MailPurpose;
  /** The row of email_tokens that the mail's link is for. */
  readonly token_id?: string;
  /** The key that the mail is about. */
  readonly key_id?: string;
}

export const MAIL_PURPOSES = [
  "verify_email",
  "reset_password",
  "already_registered",
  "password_changed",
  "live_key_created",
] as const;
export type MailPurpose = (typeof MAIL_PURPOSES)[number];
