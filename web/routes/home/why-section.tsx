import { clsx } from "clsx";
import { Fragment } from "react";
import { FURTHER, LEADING } from "./features.ts";
import type { Feature } from "./features.ts";
import { SectionHeading } from "./section-heading.tsx";

export function WhySection() {
  return (
    <section id="why" aria-labelledby="why-title" className="page-width py-20 md:py-28">
      <SectionHeading id="why-title" title="Why Choose Checkline">
        A phone number tells a good deal about itself, and stops at a certain point. We built the API that is exact
        about both.
      </SectionHeading>
      <ul className="mt-12 grid grid-cols-1 border-t border-l border-line sm:grid-cols-2 lg:grid-cols-4">
        {LEADING.map((feature) => (
          <FeatureCard key={feature.title} feature={feature} leading />
        ))}
        {FURTHER.map((feature) => (
          <FeatureCard key={feature.title} feature={feature} />
        ))}
      </ul>
    </section>
  );
}

function FeatureCard({ feature: { title, text, specimen }, leading = false }: { feature: Feature; leading?: boolean }) {
  return (
    <li
      className={clsx(
        "flex min-w-0 flex-col border-r border-b border-line p-5 md:p-7",
        leading && "bg-surface sm:col-span-2 md:p-9",
      )}
    >
      <h3 className={leading ? "text-2xl" : "text-xl"}>{title}</h3>
      <p className={clsx("mt-3 text-soft", leading && "max-w-[46ch]")}>{text}</p>
      <dl className={clsx("mt-auto grid grid-cols-1", leading ? "gap-3 pt-10" : "pt-8")}>
        {specimen.map(([code, remark]) => (
          <div
            key={code}
            className={clsx(
              "flex flex-wrap items-baseline justify-between gap-x-4 border-t border-line pt-3",
              !leading && "flex-col",
            )}
          >
            <dt className="font-mono text-sm wrap-anywhere">
              <Breakable text={code} />
            </dt>
            <dd className="text-sm text-muted">{remark}</dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

/** Long names of the API may be broken behind an underscore, where the column is too narrow for one. */
function Breakable({ text }: { text: string }) {
  return text.split(/(?<=_)/).map((part, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
