import type { ReactNode } from "react";
import { NavLink } from "react-router";
import { PageHeading } from "../../../components/dashboard/page-heading.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { TAB, TAB_ROW } from "../../../components/ui/tabs.tsx";

const TABS = [
  { to: "/dashboard/settings", label: "Details" },
  { to: "/dashboard/settings/subscription", label: "Subscription" },
  { to: "/dashboard/settings/security", label: "Security" },
] as const;

/** The heading of all settings, each on a separate page. */
export function SettingsFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <PageHeading />
      <nav aria-label="Settings" className={`mb-8 ${TAB_ROW}`}>
        <ul className="flex gap-6">
          {TABS.map(({ to, label }) => (
            <li key={to}>
              <NavLink to={to} end data-tab="" className={TAB}>
                {label}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      {/* The first card is the first of its type: notices are sections too. */}
      <div>{children}</div>
    </>
  );
}

interface SettingsCardProps {
  /** Its `h2`. */
  title: string;
  description?: ReactNode;
  children: ReactNode;
}

/** One topic of the settings: its description at the side, its actions in a card. Without data, not on paper. */
export function SettingsCard({ title, description, children }: SettingsCardProps) {
  return (
    <section
      aria-label={title}
      className="grid gap-x-10 gap-y-4 border-b border-line py-8 first-of-type:pt-0 last-of-type:border-0 lg:grid-cols-[13rem_minmax(0,1fr)] print:not-has-[dl,ul,table]:hidden"
    >
      <div>
        <h2 className="text-base text-ink">{title}</h2>
        {description && <p className="mt-1 text-sm text-muted">{description}</p>}
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  );
}

/** What a button does, and the button. */
export function ActionCard({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Card className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
      <p className="min-w-0 flex-1 basis-64 text-soft">{text}</p>
      {children}
    </Card>
  );
}

/** Names and values, separated by hairlines. */
export function TermList({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line rounded-lg border border-line bg-surface">{children}</dl>;
}

/** One of them. On a phone the value is below its name. */
export function Term({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="relative grid gap-x-6 gap-y-1 px-5 py-3.5 sm:grid-cols-[7rem_minmax(0,1fr)] sm:items-baseline">
      <dt className="label leading-6">{name}</dt>
      <dd className="min-w-0 wrap-anywhere text-ink">{children}</dd>
    </div>
  );
}
