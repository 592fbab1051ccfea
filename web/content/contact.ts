import { ORIGIN } from "../../contract/origin.ts";

const HOST = new URL(ORIGIN).hostname;

/** Where people write to us: the one place. An operator who sets `ORIGIN` has to have these mailboxes at its host. */
export const CONTACT = {
  support: `support@${HOST}`,
  security: `security@${HOST}`,
  privacy: `privacy@${HOST}`,
} as const;

/** The link that opens a mail to an address, with a subject where one is given. */
export function mailto(address: string, subject?: string): string {
  return subject === undefined ? `mailto:${address}` : `mailto:${address}?subject=${encodeURIComponent(subject)}`;
}
