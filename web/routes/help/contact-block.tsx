import { FactList } from "../../components/site/fact-list.tsx";
import { TextLink } from "../../components/ui/link.tsx";
import { CONTACT, mailto } from "../../content/contact.ts";

const ADDRESSES = [
  { about: "Support", address: CONTACT.support, subject: "Checkline support", text: "Anything that does not work." },
  {
    about: "Security",
    address: CONTACT.security,
    subject: "Security report",
    text: "A weakness, before others hear of it.",
  },
  {
    about: "Privacy",
    address: CONTACT.privacy,
    subject: "Privacy",
    text: "Your data, and what should become of it.",
  },
] as const;

/** Where to write, and what helps us answer. */
export function ContactBlock() {
  return (
    <section
      aria-labelledby="contact"
      className="mt-20 md:mt-28 lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-x-20"
    >
      <h2 id="contact" className="text-2xl">
        Write to us
      </h2>
      <div className="mt-8 lg:mt-0">
        <FactList
          facts={ADDRESSES.map(({ about, address, subject, text }) => [
            about,
            <div
              key={about}
              className="grid gap-x-8 gap-y-1 md:grid-cols-[minmax(0,1fr)_fit-content(60%)] md:items-baseline"
            >
              <span className="text-soft">{text}</span>
              <TextLink to={mailto(address, subject)} className="justify-self-start font-mono text-sm wrap-anywhere">
                {address}
              </TextLink>
            </div>,
          ])}
        />
        <p className="mt-6 max-w-2xl text-soft">
          If a request went wrong, send us the <code className="font-mono text-sm text-ink">X-Request-Id</code> of its
          answer, and roughly when it was. Please leave out API keys, passwords and phone numbers: the id is enough to
          find it.
        </p>
      </div>
    </section>
  );
}
