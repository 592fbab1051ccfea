import type { Mail } from "./driver.ts";
import { layOut } from "./layout.ts";
import { oneLine } from "./email.ts";
import type { EmailContent, Link, Paragraph } from "./email.ts";

function plain(paragraph: Paragraph): string {
  return typeof paragraph === "string" ? paragraph : `${paragraph.lead} ${paragraph.text}`;
}

function plainLink({ label, href }: Link): string {
  return `${label}:\n${href}`;
}

function plainText(content: EmailContent, greeting: string, origin: string): string {
  const blocks = [
    content.heading,
    greeting,
    ...content.before.map(plain),
    ...(content.facts ? [content.facts.map(({ label, value }) => `${label}: ${value}`).join("\n")] : []),
    plainLink(content.button),
    ...(content.also ? [plainLink({ ...content.also, label: content.also.label.replace(/\?$/, "") })] : []),
    ...content.after.map(plain),
    `-- \nCheckline, the phone number verification API\n${origin}`,
  ];
  return `${blocks.join("\n\n")}\n`;
}

/**
 * An email as plain text and HTML.
 * @param recipient.name for the greeting; null if no one has confirmed the name
 * @param origin of the site, without a trailing slash
 */
export function renderMail(
  content: EmailContent,
  recipient: { readonly address: string; readonly name: string | null },
  origin: string,
): Mail {
  const name = oneLine(recipient.name ?? "");
  const greeting = name === "" ? "Hello," : `Hello ${name},`;
  return {
    to: recipient.address,
    subject: content.subject,
    text: plainText(content, greeting, origin),
    html: layOut(content, { greeting, origin }),
  };
}
