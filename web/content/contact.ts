import { SITE_ORIGIN } from "../lib/site-origin.ts";

/** Our contact addresses. The operator needs these mailboxes at the site's host. */
export function contactsAt(origin: string) {
  const host = new URL(origin).hostname;
  return { support: `support@${host}`, security: `security@${host}`, privacy: `privacy@${host}` } as const;
}

/** The addresses for the site being built. */
export const CONTACT = contactsAt(SITE_ORIGIN);

/** The operator's name and postal address, which many countries require on a site; null until set. */
export const OPERATOR: string | null = import.meta.env?.["OPERATOR"] || null;

/** A mailto link, optionally with a subject. */
export function mailto(address: string, subject?: string): string {
  return subject === undefined ? `mailto:${address}` : `mailto:${address}?subject=${encodeURIComponent(subject)}`;
}
