/** An email ready to send. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface MailContext {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly userId: string;
  /** The queue message's id: the same for every try to send this email. */
  readonly messageId: string;
}

/**
 * Delivers email.
 * @throws MailRejected when a retry can't succeed, any other error when it might. Neither contains the address.
 */
export interface MailDriver {
  send(mail: Mail, context: MailContext): Promise<void>;
}

/**
 * A permanent rejection: sending the same email again can't succeed. Its message contains no address or credentials.
 */
export class MailRejected extends Error {
  override readonly name = "MailRejected";
}
