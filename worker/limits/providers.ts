import { domainOf } from "./mailbox.ts";

/** The domain of an address whose owner can make up mailboxes; null at a known email provider. */
export async function ownDomain(email: string): Promise<string | null> {
  const domain = domainOf(email);
  // When it is needed: scripts import this module too, and Node can't load text files.
  const { default: providers } = await import("./provider-domains.txt");
  return `\n${providers}`.includes(`\n${domain}\n`) ? null : domain;
}
