/** A refusal for good: sending the same mail again could not succeed. Its message names neither address nor credentials. */
export class MailRejected extends Error {
  override readonly name = "MailRejected";
}
