import type { ReactNode } from "react";
import { REQUESTS_PER_MINUTE } from "../../../contract/limits.ts";
import { SANDBOX_FAILURES, SANDBOX_SUCCESSES } from "../../../contract/sandbox.ts";
import { SectionHeading } from "./section-heading.tsx";

interface Feature {
  readonly title: string;
  readonly text: ReactNode;
  /** A line of the product itself that shows the point. */
  readonly specimen: readonly (readonly [string, string])[];
}

const failure = SANDBOX_FAILURES[7];

const FEATURES: readonly Feature[] = [
  {
    title: "Average latency under 100 ms",
    text: "Our target, and the reason for the design: a number is verified inside the isolate that took the call, with no database and no other service in between.",
    specimen: [
      ["average", "< 100 ms, target"],
      ["p95", "< 100 ms, target"],
    ],
  },
  {
    title: "99.9% uptime",
    text: "The monthly target our SLA is written around. The call keeps answering when the database behind the dashboard does not.",
    specimen: [
      ["uptime", "99.9%, target"],
      ["in 30 days", "43 min 12 s down"],
    ],
  },
  {
    title: "Over 10 countries",
    text: "Eleven that we list below, and the numbering plan of every other: length, range, line type, area and carrier wherever a plan tells them.",
    specimen: [
      ["BR", "+55 11 98765 4321"],
      ["PT", "+351 912 345 678"],
    ],
  },
  {
    title: "It says what it can’t know",
    text: "A plan that cannot tell mobile from fixed gives null, not a guess. A carrier is the one the range was allocated to, and is labelled so.",
    specimen: [
      ['"line_type"', "null"],
      ['"carrier_source"', '"original_allocation"'],
    ],
  },
  {
    title: "Numbers are never kept",
    text: "Not in the database, not in a log, not in an error report. What remains of a call is a count: a day, a country, an outcome.",
    specimen: [
      ['"country"', '"BR"'],
      ['"number"', "not stored"],
    ],
  },
  {
    title: "A sandbox that fails on purpose",
    text: `${SANDBOX_SUCCESSES.length === 3 ? "Three" : SANDBOX_SUCCESSES.length} numbers that succeed and nine that fail, each in its own way, so that your error handling has been run before your users run it.`,
    specimen: [
      [failure.number, `code ${failure.code}`],
      [failure.name, `${REQUESTS_PER_MINUTE.test} a minute, free`],
    ],
  },
];

export function WhySection() {
  return (
    <section id="why" aria-labelledby="why-title" className="page-width py-20 md:py-32">
      <SectionHeading id="why-title" title="Why Choose Checkline">
        A phone number tells a good deal about itself, and stops at a certain point. We built the API that is exact
        about both.
      </SectionHeading>
      <ul className="mt-12 grid grid-cols-1 border-t border-l border-line sm:grid-cols-2 lg:grid-cols-3">
        {FEATURES.map(({ title, text, specimen }) => (
          <li key={title} className="flex min-w-0 flex-col border-r border-b border-line p-5 md:p-8">
            <h3 className="text-xl">{title}</h3>
            <p className="mt-3 text-soft">{text}</p>
            <dl className="mt-auto grid gap-1.5 pt-8 font-mono text-xs sm:text-sm">
              {specimen.map(([name, value]) => (
                <div key={name} className="flex items-baseline gap-2">
                  <dt className="text-muted">{name}</dt>
                  <span aria-hidden="true" className="min-w-2 flex-1 border-b border-dotted border-edge" />
                  <dd className="text-right">{value}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </section>
  );
}
