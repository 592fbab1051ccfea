import { ArrowRight, ArrowUpRight } from "lucide-react";
import { SiteLink } from "../../components/ui/link.tsx";
import { CONTACT, mailto } from "../../content/contact.ts";

const CARDS = [
  {
    title: "Getting Started",
    text: "From an account to a key to the first answer, in a few minutes.",
    action: "Read the introduction",
    to: "/docs/introduction",
  },
  {
    title: "Integration Help",
    text: "Calls from your own code: errors, limits, retries and batches.",
    action: "Open the guide",
    to: "/docs/integration",
  },
  {
    title: "Support",
    text: "Something is wrong, or nowhere explained? Tell us, and we will look.",
    action: "Write to support",
    to: mailto(CONTACT.support, "Checkline support"),
  },
] as const;

/** The three ways on, side by side. */
export function HelpCards() {
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
              {/* Its ground is the whole card, so that there is one link with one name. */}
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
