import { CONTACT, mailto } from "../../../content/contact.ts";

/** One of our addresses, to write to. */
export function Contact({ to }: { to: keyof typeof CONTACT }) {
  return <a href={mailto(CONTACT[to])}>{CONTACT[to]}</a>;
}
