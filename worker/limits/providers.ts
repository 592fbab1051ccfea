import { domainOf } from "./mailbox.ts";

/**
 * The lines of a text file with a domain in each.
 * @param file imported when it is needed: scripts import this module too, and Node can't load text files
 */
export async function domainsIn(file: Promise<{ readonly default: string }>): Promise<ReadonlySet<string>> {
  return new Set((await file).default.trimEnd().split("\n"));
}

/** The domain of an address whose owner can make up mailboxes; null at a known email provider. */
export async function ownDomain(email: string): Promise<string | null> {
  const domain = domainOf(email);
  const { default: providers } = await import("./provider-domains.txt");
  return `\n${providers}`.includes(`\n${domain}\n`) ? null : domain;
}
