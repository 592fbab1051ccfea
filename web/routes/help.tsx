import ArrowRight from "lucide-react/icons/arrow-right";
import ArrowUpRight from "lucide-react/icons/arrow-up-right";
import { Cross } from "../components/ui/cross.tsx";
import { FactList } from "../components/site/fact-list.tsx";
import { SiteFrame } from "../components/site/site-frame.tsx";
import { SiteLink, TextLink } from "../components/ui/link.tsx";
import { CONTACT, mailto } from "../content/contact.ts";
import { FAQ } from "../components/site/faq.tsx";
import { pageMeta } from "../lib/page-meta.ts";

export function meta() {
  return pageMeta({
    title: "Help · Checkline",
    description:
      "Get a Checkline API key, integrate verification, learn about validity, billing, and privacy, or contact support.",
    path: "/help",
  });
}

export default function Help() {
  return (
    <SiteFrame>
      <div className="page-width pt-12 pb-20 md:pt-20 md:pb-28">
        <h1 className="text-title">Help</h1>
        <p className="mt-5 max-w-2xl text-lead text-soft">
          You’ll find most answers here. For anything else, email us.
        </p>
        <HelpCards />
        <FaqList />
        <ContactBlock />
      </div>
    </SiteFrame>
  );
}

const CARDS = [
  {
    title: "Getting Started",
    text: "From sign-up to your first verified number in a few minutes.",
    action: "Read the intro",
    to: "/docs/introduction",
  },
  {
    title: "Integration Help",
    text: "Errors, limits, retries, and batches in your own code.",
    action: "Open the guide",
    to: "/docs/integration",
  },
  {
    title: "Support",
    text: "Stuck, or found a bug? Email us.",
    action: "Email support",
    to: mailto(CONTACT.support, "Checkline support"),
  },
] as const;

/** Three options, side by side. */
function HelpCards() {
  return (
    <ul className="mt-12 grid gap-4 md:grid-cols-3 md:gap-6">
      {CARDS.map(({ title, text, action, to }) => {
        const Arrow = to.startsWith("mailto:") ? ArrowUpRight : ArrowRight;
        return (
          <li
            key={title}
            className="group relative flex flex-col rounded-lg border border-line bg-surface p-6 hover:border-edge"
          >
            <h2 className="text-xl">{title}</h2>
            <p className="mt-2 text-soft">{text}</p>
            <p className="mt-auto pt-6 font-medium">
              {/* Covers the whole card, so that there is one link with one name. */}
              <SiteLink
                to={to}
                className="inline-flex items-center gap-2 after:absolute after:inset-0 after:rounded-lg"
              >
                {action}
                <Arrow
                  aria-hidden="true"
                  className="size-4 text-muted transition-transform group-hover:translate-x-0.5"
                />
              </SiteLink>
            </p>
          </li>
        );
      })}
    </ul>
  );
}

/** Expandable questions, with and without JavaScript. */
function FaqList() {
  return (
    <section
      aria-labelledby="questions"
      className="mt-20 md:mt-28 lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-x-20"
    >
      <h2 id="questions" className="text-2xl">
        Questions developers ask
      </h2>
      <div className="mt-8 border-b border-line lg:mt-0">
        {FAQ.map(({ question, answer }) => (
          <details key={question} className="group border-t border-line">
            <summary className="flex min-h-14 items-center justify-between gap-6 py-4 text-lg">
              <h3>{question}</h3>
              <Cross />
            </summary>
            <div className="prose pt-1 pr-10 pb-8">{answer}</div>
          </details>
        ))}
      </div>
    </section>
  );
}

const ADDRESSES = [
  {
    about: "Support",
    address: CONTACT.support,
    subject: "Checkline support",
    text: "Questions, bugs, and anything that isn’t working.",
  },
  {
    about: "Security",
    address: CONTACT.security,
    subject: "Security report",
    text: "Report a vulnerability.",
  },
  {
    about: "Privacy",
    address: CONTACT.privacy,
    subject: "Privacy",
    text: "Access, export, or delete your data.",
  },
] as const;

/** Where to write, and what to include. */
function ContactBlock() {
  return (
    <section
      aria-labelledby="contact"
      className="mt-20 md:mt-28 lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-x-20"
    >
      <h2 id="contact" className="text-2xl">
        Contact us
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
          If a request went wrong, send us the{" "}
          <code className="font-mono text-sm whitespace-nowrap text-ink">X-Request-Id</code> from the response and
          roughly when it happened. Please leave out API keys, passwords, and phone numbers. The ID is all we need.
        </p>
      </div>
    </section>
  );
}
