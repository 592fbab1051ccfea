import type { ReactNode } from "react";

/** A fact's name, the fact, and an alternative to display instead of the name. */
export type Fact = readonly [name: string, description: ReactNode, term?: ReactNode];

/** Facts between hairlines: terms beside their descriptions if there is room, above them otherwise. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="border-b border-line text-base">
      {facts.map(([name, description, term = name]) => (
        <div key={name} className="grid gap-x-8 gap-y-1 border-t border-line py-3.5 sm:grid-cols-[12rem_minmax(0,1fr)]">
          <dt className="font-medium text-ink">{term}</dt>
          <dd className="wrap-anywhere">{description}</dd>
        </div>
      ))}
    </dl>
  );
}
