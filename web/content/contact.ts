import { SITE_ORIGIN } from "../lib/site-origin.ts";

const HOST = new URL(SITE_ORIGIN).hostname;

/** Where people write to us: the one place. Whoever runs the site has to have these mailboxes at its host. */
export const CONTACT = {
  support: `support@${HOST}`,
  security: `security@${HOST}`,
  privacy: `privacy@${HOST}`,
} as const;

/** Name and postal address of whoever runs the site, as the law of many countries wants them shown; null until they are set. */
export const OPERATOR: string | null = import.meta.env?.["OPERATOR"] || null;

/** The link that opens a mail to an address, with a subject where one is given. */
export function mailto(address: string, subject?: string): string {
  return subject === undefined ? `mailto:${address}` : `mailto:${address}?subject=${encodeURIComponent(subject)}`;
}
