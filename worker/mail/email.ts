import { UNPRINTABLE } from "../../contract/names.ts";
import type { MailPart } from "../limits/table.ts";

/** What a link to an unproved address counts toward, as keyed hashes: nobody can read who it was. */
export interface LinkCounts {
  readonly network?: string;
  /** Absent at an email provider. */
  readonly domain?: string;
}

/**
 * A message of the `MAIL` queue: ids, purpose, and keyed hashes, never an address, token, or password, which are looked
 * up when the email is sent.
 */
export interface MailMessage {
  /** Null for an address without an account, which must look as if an email was sent. */
  readonly user_id: string | null;
  /** Of an `Email`. */
  readonly purpose: string;
  /** The id of the row that the email is about: a token, key, or security event. */
  readonly about?: string;
  /** For an email about several changes: when the first was made, in milliseconds since the Unix epoch. */
  readonly since?: number;
  /** For a link that waits: what it counts toward in a later hour. */
  readonly counts?: LinkCounts;
}

/** The row that a message is about. @throws Error for a message without one */
export function requireAbout({ about }: MailMessage): string {
  if (about === undefined) throw new Error("The message doesn't say what it is about");
  return about;
}

/** The account that gets an email. Times in milliseconds since the Unix epoch. */
export interface Recipient {
  readonly id: string;
  readonly verifiedAt: number | null;
}

/** A kind of email: what to load, and what to say. worker/emails.ts lists them. */
export interface Email<Sources, Data> {
  readonly purpose: string;
  /** Set for an email that describes a state, of which an account gets one per batch. */
  readonly oncePerBatch?: true;
  /**
   * Its part of the service's emails, and how it counts: links when requested, the others when sent, and notices by
   * mailbox too. Until an address is verified, it may be anyone's and gets no notices.
   */
  readonly part: MailPart;
  /** Set for an email that says what keys do: those of a suspended account don't work. */
  readonly skipIfSuspended?: true;
  /** Reads what the email says, when it is sent; null when there is nothing left to send. An email may need no data. */
  load?(sources: Sources, message: MailMessage, recipient: Recipient): Promise<Data | null>;
  /** For an email to another address than the account's: that address. It may be a stranger's, so it gets no name. */
  to?(data: Data): string;
  /** @param origin of the site, without a trailing slash */
  write(data: Data, origin: string): EmailContent;
}

/** A paragraph, optionally with a bold lead-in. */
export type Paragraph = string | { readonly lead: string; readonly text: string };

export interface Link {
  readonly label: string;
  readonly href: string;
}

export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** What an email says, before rendering as plain text or HTML. Not escaped yet. */
export interface EmailContent {
  readonly subject: string;
  /** What inboxes show next to the subject. */
  readonly preheader: string;
  readonly heading: string;
  readonly before: readonly Paragraph[];
  readonly facts?: readonly Fact[];
  readonly button: Link;
  /** A secondary action. */
  readonly also?: Link;
  readonly after: readonly Paragraph[];
}

const UNPRINTABLE_RUN = new RegExp(`(?:${UNPRINTABLE.source})+`, "gu");

/** Untrusted text on one line, without characters that would reorder or break the surrounding text. */
export function oneLine(text: string): string {
  return text.replaceAll(UNPRINTABLE_RUN, " ").trim();
}
