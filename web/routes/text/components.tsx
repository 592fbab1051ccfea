import ArrowRight from "lucide-react/icons/arrow-right";
import type { ReactNode } from "react";
import { anatomyOf } from "../../components/anatomy/anatomy-of.ts";
import { Anatomy } from "../../components/anatomy/anatomy.tsx";
import { Cross } from "../../components/ui/cross.tsx";
import { SiteLink } from "../../components/ui/link.tsx";
import { CONTACT, mailto } from "../../content/contact.ts";
import { SPECIMENS } from "../../content/specimens.ts";

/** A drawing of a number that everyone may call, with a caption. */
export function Drawing({ of, children }: { of: keyof typeof SPECIMENS; children: ReactNode }) {
  return (
    <figure className="my-8 border-y border-line py-7 text-base text-ink">
      <Anatomy parts={anatomyOf(SPECIMENS[of])} />
      <figcaption className="label mt-7">{children}</figcaption>
    </figure>
  );
}

/** Options side by side. */
export function Cards({ children }: { children: ReactNode }) {
  return <div className="mb-16 grid gap-4 sm:grid-cols-3">{children}</div>;
}

interface CardProps {
  readonly title: string;
  readonly action: string;
  /** A path of the site; without it, the card opens an email to support. */
  readonly to?: string;
  readonly children: ReactNode;
}

/** One option. Its link covers the whole card, so that there is one link with one name. */
export function Card({ title, action, to = mailto(CONTACT.support, "Checkline support"), children }: CardProps) {
  return (
    <section className="group relative flex flex-col rounded-lg border border-line bg-surface p-5 text-base hover:border-edge">
      <h2 className="mt-0! text-lg!">{title}</h2>
      <div className="mt-2!">{children}</div>
      <p className="mt-auto pt-5 font-medium">
        <SiteLink
          to={to}
          className="inline-flex items-center gap-2 text-ink after:absolute after:inset-0 after:rounded-lg"
        >
          {action}
          <ArrowRight
            aria-hidden="true"
            className="size-4 text-muted transition-transform group-hover:translate-x-0.5"
          />
        </SiteLink>
      </p>
    </section>
  );
}

/** A question that opens its answer, with and without JavaScript. */
export function Question({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="group mt-0! border-t border-line last:border-b">
      <summary>
        <h3 className="mt-0! flex min-h-14 items-center justify-between gap-6 py-4">
          {title}
          <Cross />
        </h3>
      </summary>
      <div className="doc-flow pr-10 pb-6">{children}</div>
    </details>
  );
}
