import { SITE_ORIGIN } from "../lib/site-origin.ts";

/** Our contact addresses. The operator needs these mailboxes at the site's host. */
export function contactsAt(origin: string) {
  const host = new URL(origin).hostname;
  return { support: `support@${host}`, security: `security@${host}`, privacy: `privacy@${host}` } as const;
}

/** The addresses for the site being built. */
export const CONTACT = contactsAt(SITE_ORIGIN);

/** A mailto link, optionally with a subject and a text. */
export function mailto(address: string, subject?: string, body?: string): string {
  const parts = Object.entries({ subject, body }).flatMap(([name, text]) =>
    text === undefined ? [] : [`${name}=${encodeURIComponent(text)}`],
  );
  return parts.length === 0 ? `mailto:${address}` : `mailto:${address}?${parts.join("&")}`;
}
