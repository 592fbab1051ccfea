import { getDomain, parse } from "tldts";

/** Domains of one provider under which a name is the same mailbox. The first stands for all. */
const SAME = [
  ["gmail.com", "googlemail.com"],
  ["icloud.com", "me.com", "mac.com"],
  ["proton.me", "protonmail.com", "protonmail.ch", "pm.me"],
] as const;

/** What providers ignore in a name, by the first domain of `SAME`. */
const IGNORED: Readonly<Record<string, RegExp>> = { "gmail.com": /\./g, "proton.me": /[._-]/g };

/** Yahoo's domains without their suffix: what follows a hyphen there is a disposable address of the same mailbox. */
const YAHOO = ["yahoo", "ymail", "rocketmail", "myyahoo"];

/** A domain with its registrable part, under a public suffix or one where anyone gets subdomains, such as github.io. */
function split(domain: string) {
  const { domain: registrable, domainWithoutSuffix: name, subdomain } = parse(domain, { allowPrivateDomains: true });
  return { registrable: registrable ?? domain, name: name ?? "", subdomain: subdomain ?? "" };
}

/** The lowercase domain of an address. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1).toLowerCase();
}

/** What someone registered to get a domain, free or not: the same for all subdomains. */
export function registrableDomain(domain: string): string {
  return split(domain).registrable;
}

/** What someone paid a registry for: duckdns.org, where anyone gets a registrable subdomain. */
export function paidDomain(domain: string): string {
  return getDomain(domain) ?? domain;
}

/** Whether an address is probably the one its mailbox's owner uses: a verified account's, or the plain spelling. */
export function isOwnersSpelling(email: string, isVerified: boolean): boolean {
  return isVerified || email === mailboxOf(email);
}

/**
 * The mailbox behind an address: in lowercase, without what its provider ignores. A tag after a plus sign counts
 * nowhere, since most providers ignore it and the others rarely have two persons who differ in it.
 */
export function mailboxOf(email: string): string {
  const given = domainOf(email);
  const domain = SAME.find((domains) => domains.some((other) => other === given))?.[0] ?? given;
  const { registrable, name, subdomain } = split(domain);
  // Fastmail delivers anything@name.fastmail.com to name@fastmail.com.
  if (name === "fastmail" && subdomain !== "") return `${subdomain}@${registrable}`;
  const written = email.slice(0, email.lastIndexOf("@")).toLowerCase();
  const untagged = written.replace(/^\++/, "").replace(/\+.*$/, "");
  const base = YAHOO.includes(name) ? untagged.replace(/(?<=.)-.*$/, "") : untagged;
  const local = base.replace(IGNORED[domain] ?? /$^/, "");
  return `${local || "+"}@${domain}`;
}
