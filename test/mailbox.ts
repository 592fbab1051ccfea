import type { RunningWorker } from "./worker.ts";

/** The worker that stores the emails. */
type Mailbox = Pick<RunningWorker, "fetch">;

export interface ReceivedMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly sent_at: string;
}

/** All emails that the worker has sent, newest first. */
export async function allMails(mailbox: Mailbox): Promise<ReceivedMail[]> {
  const response = await mailbox.fetch("/dev/mailbox", { headers: { Accept: "application/json" } });
  return (await response.json()) as ReceivedMail[];
}

/** All emails to an address, newest first. */
export async function mailsTo(mailbox: Mailbox, address: string): Promise<ReceivedMail[]> {
  return (await allMails(mailbox)).filter((mail) => mail.to === address);
}

/** Polls the mailbox until a value is found: email goes through a queue, which retries after 30 s. */
async function once<T>(look: () => Promise<T | undefined>, missing: string): Promise<T> {
  const deadline = Date.now() + 45_000;
  while (Date.now() < deadline) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(missing);
}

/** The newest email to an address whose subject matches, once it has arrived. */
export function waitForMail(mailbox: Mailbox, address: string, subject: RegExp): Promise<ReceivedMail> {
  return once(
    async () => (await mailsTo(mailbox, address)).find((mail) => subject.test(mail.subject)),
    `No mail with a subject like ${subject} has arrived`,
  );
}

/** The emails to an address, oldest first, once there are this many. */
export function mailsOnceThereAre(mailbox: Mailbox, count: number, address: string): Promise<ReceivedMail[]> {
  return once(async () => {
    const emails = await mailsTo(mailbox, address);
    return emails.length < count ? undefined : emails.toReversed();
  }, `Fewer than ${count} emails have arrived`);
}

/** The token in an email's link. */
export function tokenIn(mail: ReceivedMail): string {
  const token = /[?&]token=([\w-]+)/.exec(mail.text)?.[1];
  if (token === undefined) throw new Error(`The email "${mail.subject}" has no token`);
  return token;
}
