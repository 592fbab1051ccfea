import { clsx } from "clsx";
import { formatCount } from "../../../contract/format.ts";
import { Anatomy } from "../../components/anatomy/anatomy.tsx";
import { MeasuredLatency } from "../../components/site/measured.tsx";
import { TextLink } from "../../components/ui/link.tsx";
import { COVERED_COUNTRIES, REGION_COUNT } from "../../content/coverage.ts";
import { P95_TARGET_MS, UPTIME_TARGET } from "../../content/promises.ts";
import { USES } from "../../content/uses.ts";
import type { Use } from "../../content/uses.ts";
import { Section } from "./section.tsx";

/** What it promises, and what stands behind it. */
const CLAIMS: readonly (readonly [claim: string, text: string])[] = [
  [
    `Average latency under ${P95_TARGET_MS} ms`,
    `Our target: p95 under ${P95_TARGET_MS} ms. Numbers are verified in memory, on the server that takes the request.`,
  ],
  [
    `${UPTIME_TARGET} uptime`,
    "Our monthly target under the SLA. Keys already in use keep working even when the database is down.",
  ],
  [
    "Over 10 countries",
    `${COVERED_COUNTRIES.length} are listed below. All ${formatCount(REGION_COUNT)} countries and territories work.`,
  ],
];

/** Four jobs and two principles, each with a drawing, and the promises. */
export function WhySection() {
  return (
    <Section
      id="why"
      title="Why Choose Checkline"
      lead="A phone number tells you a lot, up to a point. Checkline shows you exactly where that point is."
    >
      <ul className="fade-end relative grid gap-px overflow-x-auto rounded-lg border border-line bg-line max-sm:snap-x max-sm:auto-cols-[85%] max-sm:grid-flow-col sm:grid-cols-2 lg:grid-cols-3">
        {USES.map((use) => (
          <Card key={use.title} {...use} />
        ))}
      </ul>
      <dl className="mt-8 grid gap-x-8 gap-y-5 md:mt-10 md:grid-cols-3">
        {CLAIMS.map(([claim, text], at) => (
          <div key={claim}>
            <dt className="text-lg font-medium">{claim}</dt>
            <dd className="mt-1 text-soft">{text}</dd>
            {at === 0 && <MeasuredLatency />}
          </div>
        ))}
      </dl>
      <p className="mt-8 border-t border-line pt-5 text-soft">
        One number, 100 in a batch, or 100,000 in a stream: from <TextLink to="/docs/sdks">seven languages</TextLink>, a{" "}
        <TextLink to="/docs/bulk-check">spreadsheet</TextLink>, or an <TextLink to="/docs/mcp">AI assistant</TextLink>.
      </p>
    </Section>
  );
}

function Card({ title, text, drawing, mark, link }: Use) {
  return (
    <li className="row-span-4 grid min-w-0 snap-start grid-rows-subgrid gap-y-0 bg-paper p-5 md:p-7">
      <h3 className="text-xl">{title}</h3>
      <p className="mt-2 text-soft">{text}</p>
      <Anatomy
        parts={[{ ...drawing, wrong: mark === "cross" }]}
        className={clsx("mt-5 self-end", mark === "none" && "anatomy-unmarked")}
      />
      <p className="mt-5">
        <TextLink to={link.to}>{link.label}</TextLink>
      </p>
    </li>
  );
}
