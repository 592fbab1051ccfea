import type { Mail } from "./driver.ts";
import { layOut } from "./layout.ts";
import { letterFor, oneLine } from "./templates.ts";
import type { Letter, Link, MailOccasion, Paragraph } from "./templates.ts";

function plain(paragraph: Paragraph): string {
  return typeof paragraph === "string" ? paragraph : `${paragraph.lead} ${paragraph.text}`;
}

function plainLink({ label, href }: Link): string {
  return `${label}:\n${href}`;
}

function plainText(letter: Letter, greeting: string, origin: string): string {
  const blocks = [
    letter.heading,
    greeting,
    ...letter.before.map(plain),
    ...(letter.facts ? [letter.facts.map(([label, value]) => `${label}: ${value}`).join("\n")] : []),
    plainLink(letter.button),
    ...(letter.also ? [plainLink({ ...letter.also, label: letter.also.label.replace(/\?$/, "") })] : []),
    ...letter.after.map(plain),
    `-- \nCheckline, the phone number verification API\n${origin}`,
  ];
  return `${blocks.join("\n\n")}\n`;
}

/**
 * An email about an occasion, as plain text and HTML.
 * @param recipient.name for the greeting; null if no one has confirmed the name
 * @param origin of the site: `https://checkline.example`
 */
export function renderMail(
  occasion: MailOccasion,
  recipient: { readonly address: string; readonly name: string | null },
  origin: string,
): Mail {
  const site = origin.replace(/\/+$/, "");
  const letter = letterFor(occasion, site);
  const name = oneLine(recipient.name ?? "");
  const greeting = name === "" ? "Hello," : `Hello ${name},`;
  return {
    to: recipient.address,
    subject: letter.subject,
    text: plainText(letter, greeting, site),
    html: layOut(letter, { greeting, origin: site }),
  };
}
