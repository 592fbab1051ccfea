import type { RunningWorker } from "./worker.ts";

export interface ReceivedMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly sent_at: string;
}

/** All mails to an address that the worker has sent, newest first. */
export async function mailsTo(worker: Pick<RunningWorker, "fetch">, address: string): Promise<ReceivedMail[]> {
  const response = await worker.fetch("/dev/mailbox", { headers: { Accept: "application/json" } });
  const mails = (await response.json()) as ReceivedMail[];
  return mails.filter((mail) => mail.to === address);
}

/** The newest mail to an address whose subject matches, once it has arrived: mail goes through a queue. */
export async function waitForMail(
  worker: Pick<RunningWorker, "fetch">,
  address: string,
  subject: RegExp,
): Promise<ReceivedMail> {
  const deadline = Date.now() + 20_000;
  while (Date.now() < deadline) {
    const found = (await mailsTo(worker, address)).find((mail) => subject.test(mail.subject));
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`No mail with a subject like ${subject} has arrived`);
}

/** The token of the link in a mail. */
export function tokenIn(mail: ReceivedMail): string {
  const token = /[?&]token=([\w-]+)/.exec(mail.text)?.[1];
  if (token === undefined) throw new Error(`The mail "${mail.subject}" has no token`);
  return token;
}
