import { clsx } from "clsx";
import { SANDBOX_FAILURES, SANDBOX_SUCCESSES } from "../../../contract/sandbox.ts";
import { MeasuredLatency } from "../../components/site/measured.tsx";
import { COVERED_COUNTRIES, REGION_COUNT } from "../../content/coverage.ts";
import { P95_TARGET_MS, UPTIME_TARGET } from "../../content/promises.ts";
import { SectionHeading } from "./section-heading.tsx";
import { formatCount } from "../../../contract/format.ts";

/** One reason to choose Checkline, with excerpts of the product that show it. */
interface Feature {
  readonly title: string;
  readonly text: string;
  /** An excerpt in the product's format, and a remark on it. */
  readonly specimen: readonly (readonly [code: string, remark: string])[];
  /** Whether the latency last measured follows. */
  readonly measured?: boolean;
}

const temporary = SANDBOX_FAILURES.find(({ name }) => name === "TEMPORARY_FAILURE")!;

/** The two that no other API claims. */
const LEADING: readonly Feature[] = [
  {
    title: "It tells you what it can’t know",
    text: "Each result says what comes from the numbering plan and what from the range’s original allocation. If nothing is published, you get null. No handset is contacted, and no response pretends otherwise.",
    specimen: [
      ['"line_type_source": "original_allocation"', "US, Canada"],
      ['"carrier_source": "original_allocation"', "may be ported"],
      ['"reachability": "not_checked"', "no call was placed"],
    ],
  },
  {
    title: "Numbers are never stored",
    text: "Not in a database, not in logs, not in error reports. We keep daily counts and a sample of recent calls, minus the numbers.",
    specimen: [
      ["POST /api/v1/verify", "what you called"],
      ["200 in 3 ms", "how it went"],
      ["req_mL0bZOMMPsCIw4ASx4v5", "all support needs"],
    ],
  },
];

const FURTHER: readonly Feature[] = [
  {
    title: `Average latency under ${P95_TARGET_MS} ms`,
    text: "Under 100 ms at p95. Numbers are verified in memory on the server that takes the request, and a single number is counted after its response.",
    specimen: [[`p95 < ${P95_TARGET_MS} ms`, "our target"]],
    measured: true,
  },
  {
    title: `${UPTIME_TARGET} uptime`,
    text: "Our monthly target under the SLA. It’s a goal, not a contract, and keys in use keep working even when the database is down.",
    specimen: [["43 min 12 s", "maximum downtime per 30 days"]],
  },
  {
    title: "Over 10 countries",
    text: `The ${COVERED_COUNTRIES.length} below are a sample. We cover every country’s numbering plan, with line type, area, and carrier where they’re published.`,
    specimen: [[formatCount(REGION_COUNT), "countries and territories"]],
  },
  {
    title: "A sandbox that fails on purpose",
    text: `${SANDBOX_SUCCESSES.length} numbers succeed and ${SANDBOX_FAILURES.length} fail, each in a different way, so you can test your error handling before your users do.`,
    specimen: [[temporary.number, `fails with code ${temporary.code}`]],
  },
];

export function WhySection() {
  return (
    <section id="why" aria-labelledby="why-title" className="page-width py-14 md:py-28">
      <SectionHeading id="why-title" title="Why Choose Checkline">
        A phone number tells you a lot, up to a point. Checkline shows you exactly where that point is.
      </SectionHeading>
      <ul className="mt-8 grid md:mt-12 grid-cols-1 border-t border-l border-line sm:grid-cols-2 lg:grid-cols-4">
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

function FeatureCard({ feature, leading = false }: { feature: Feature; leading?: boolean }) {
  const { title, text, specimen, measured } = feature;
  const row = clsx(
    "flex flex-wrap items-baseline justify-between gap-x-4 border-t border-line pt-3",
    !leading && "sm:flex-col",
  );
  return (
    <li
      className={clsx(
        "flex min-w-0 flex-col border-r border-b border-line p-5 md:p-7",
        leading && "bg-surface sm:col-span-2 md:py-9",
      )}
    >
      <h3 className={leading ? "text-2xl" : "text-xl"}>{title}</h3>
      <p className={clsx("mt-3 text-soft", leading && "max-w-[46ch]")}>{text}</p>
      <dl className={clsx("mt-auto grid grid-cols-1", leading ? "gap-3 pt-6 md:pt-10" : "pt-5 md:pt-8")}>
        {specimen.map(([code, remark]) => (
          <div key={code} className={row}>
            <dt className="font-mono text-sm wrap-anywhere">
              <Breakable text={code} />
            </dt>
            <dd className="text-sm text-muted">{remark}</dd>
          </div>
        ))}
        {measured && <MeasuredLatency className={clsx(row, "mt-3")} />}
      </dl>
    </li>
  );
}

/** Breaks between words, and within a word only if it's longer than the column. */
function Breakable({ text }: { text: string }) {
  return text.split(/(?<= )/).map((word, at) => (
    <span key={at} className="inline-block whitespace-pre-wrap">
      {word}
    </span>
  ));
}
