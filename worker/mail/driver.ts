/** An email that is ready to leave. */
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
  /** The queue's message: the same for every try to send this mail. */
  readonly messageId: string;
}

/**
 * A way for mail to leave.
 * @throws MailRejected when another try could not succeed, any other error when it could. Neither names the address.
 */
export interface MailDriver {
  send(mail: Mail, context: MailContext): Promise<void>;
}

/** A refusal for good: sending the same mail again could not succeed. Its message names neither address nor credentials. */
export class MailRejected extends Error {
  override readonly name = "MailRejected";
}
