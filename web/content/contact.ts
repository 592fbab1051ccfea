import { SITE_ORIGIN } from "../lib/site-origin.ts";

/** Where people write to us: the one place. The operator needs these mailboxes at the site's host. */
export function contactsAt(origin: string) {
  const host = new URL(origin).hostname;
  return { support: `support@${host}`, security: `security@${host}`, privacy: `privacy@${host}` } as const;
}

/** The same for the site that is built. */
export const CONTACT = contactsAt(SITE_ORIGIN);

/** Name and postal address of the operator, as the law of many countries wants them shown; null until they are set. */
export const OPERATOR: string | null = import.meta.env?.["OPERATOR"] || null;

/** The link that opens an email to an address, with a subject where one is given. */
export function mailto(address: string, subject?: string): string {
  return subject === undefined ? `mailto:${address}` : `mailto:${address}?subject=${encodeURIComponent(subject)}`;
}
