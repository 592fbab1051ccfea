import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import CircleHelp from "lucide-react/icons/circle-question-mark";
import Clock from "lucide-react/icons/clock";
import { clsx } from "clsx";
import type { ReactNode } from "react";
import { CHECK_INTERVAL_SECONDS, CURRENT_SECONDS } from "../../../contract/checks.ts";
import type { ComponentStatus, Status } from "../../../contract/status.ts";
import { SiteFrame } from "../../components/site/site-frame.tsx";
import { Button } from "../../components/ui/button.tsx";
import { TextLink } from "../../components/ui/link.tsx";
import { DrawnCheck } from "../../components/ui/drawn-check.tsx";
import { Loading, Skeleton } from "../../components/ui/skeleton.tsx";
import { pageMeta } from "../../lib/page-meta.ts";
import { Data, Method } from "./background.tsx";
import { Figures } from "./figures.tsx";
import { PartRow, StripKey } from "./part-row.tsx";
import { DaysTable, FailedChecks } from "./tables.tsx";
import { useStatus } from "./use-status.ts";
import type { LiveStatus, NoAnswer } from "./use-status.ts";
import { daysShown, isUnchecked, PARTS, timeName } from "./words.ts";

const PROBLEMS: Readonly<Record<NoAnswer, readonly [title: string, text: string]>> = {
  offline: ["This device is offline", "Reconnect to load the current status."],
  unanswered: ["The API is not responding", "The API may be down, or there’s a problem with your connection."],
};

/** "The database", "The database and the queue". */
function names(parts: Status["components"]): string {
  const [first = "", ...more] = parts.map(({ id }) => `the ${PARTS[id].name.toLowerCase()}`);
  const listed = [first, ...more].join(" and ");
  return listed.charAt(0).toUpperCase() + listed.slice(1);
}

function summaryOf({ state, components }: Status): readonly [title: string, text: string] {
  const inState = components.filter((part) => part.state === state);
  if (state === "failing") {
    const verb = inState.length === 1 ? "is" : "are";
    return [`${names(inState)} ${verb} failing`, "The last check failed."];
  }
  if (state === "warming_up" || components.every(isUnchecked)) {
    return ["The API is responding", `The first component check runs within ${CHECK_INTERVAL_SECONDS / 60} minutes.`];
  }
  if (state === "working") return ["All systems operational", "The last check of each component passed."];
  const minutes = CURRENT_SECONDS / 60;
  return inState.length === components.length
    ? ["No recent checks", `No component was checked in the last ${minutes} minutes.`]
    : [`${names(inState)}: unknown`, `No check in the last ${minutes} minutes; the others are working.`];
}

/** The status itself, or why there is none to show: the device is offline, or no part has been checked yet. */
type Marked = Status["state"] | "unreached" | "unchecked";

function Mark({ state }: { state: Marked }) {
  const size = "mt-1 size-6 shrink-0";
  if (state === "working") return <DrawnCheck className={`${size} text-signal`} />;
  if (state === "failing")
    return <CircleAlert aria-hidden="true" strokeWidth={1.5} className={`${size} text-invalid`} />;
  if (state === "unchecked") return <Clock aria-hidden="true" strokeWidth={1.5} className={`${size} text-muted`} />;
  return <CircleHelp aria-hidden="true" strokeWidth={1.5} className={`${size} text-muted`} />;
}

function Banner({
  state,
  title,
  children,
  action,
}: {
  state: Marked;
  title: string;
  children: ReactNode;
  action: ReactNode;
}) {
  return (
    <section
      aria-labelledby="overall"
      className={clsx(
        "flex flex-wrap items-start gap-x-6 gap-y-4 rounded-lg border p-4 sm:p-5",
        state === "failing" ? "border-invalid/45 bg-invalid-wash" : "border-line bg-surface",
      )}
    >
      <div className="flex min-w-0 flex-1 basis-64 gap-3">
        <Mark state={state} />
        <div className="min-w-0">
          <h2 id="overall" className="text-2xl">
            {title}
          </h2>
          <p className="mt-1 text-soft">
            {children}
            {state === "failing" && (
              <>
                {" "}
                <TextLink to="/docs/support">Contact support</TextLink>
              </>
            )}
          </p>
          {/* Only this is announced, and only when it changes; the times beside it change every minute. */}
          <output className="sr-only">{title}</output>
        </div>
      </div>
      {action}
    </section>
  );
}

/** The API itself first, as this page just reached it, then its parts in a sentence. */
function Overall({ status, problem, took, isPending, ask }: LiveStatus) {
  const action = (
    <Button variant="secondary" size="sm" busy={isPending} onClick={ask}>
      {problem === null ? "Check again" : "Try again"}
    </Button>
  );
  if (problem !== null) {
    const [title, text] = PROBLEMS[problem];
    return (
      <Banner state={problem === "offline" ? "unreached" : "failing"} title={title} action={action}>
        {text}
        {status !== null && ` The results below are from ${timeName(status.answered_at)} and may be out of date.`}
      </Banner>
    );
  }
  if (status === null) return null;
  const [title, text] = summaryOf(status);
  return (
    <Banner state={status.components.every(isUnchecked) ? "unchecked" : status.state} title={title} action={action}>
      {text} The API responded to this page in {Math.max(1, Math.round(took))} ms on{" "}
      <time dateTime={status.answered_at} className="whitespace-nowrap">
        {timeName(status.answered_at)}
      </time>
      .{status.schedule.state === "late" && " Scheduled jobs are late."}
      {status.capacity.state === "nearly_full" && " A database or the day’s limit of emails is nearly full."}
    </Banner>
  );
}

export function meta() {
  return pageMeta({
    title: "Status · Checkline",
    description: "Live health checks for Checkline's verification, database, and key store over the last 90 days.",
    path: "/status",
  });
}

/** @param children how to read the bars below */
function PartsHeading({ children }: { children: ReactNode }) {
  return (
    <div className="mb-6 flex flex-wrap items-baseline justify-between gap-x-8 gap-y-3">
      <h2 id="parts" className="text-2xl">
        Components
      </h2>
      {children}
    </div>
  );
}

function Waiting() {
  return (
    <>
      <noscript>
        <p className="rounded-lg border border-edge p-5 sm:p-6">
          The live status needs JavaScript. You can also read it as JSON at{" "}
          <TextLink to="/api/v1/status">/api/v1/status</TextLink>.
        </p>
      </noscript>
      <div data-needs-script>
        <Loading label="Loading the checks">
          <div className="grid min-h-64 content-start sm:min-h-33 lg:min-h-27 gap-4 rounded-lg border border-line bg-surface p-5 sm:p-6">
            <Skeleton className="h-7 w-3/5 max-w-80" />
            <Skeleton className="w-4/5 max-w-[40rem]" />
          </div>
          <Figures status={null} now={0} />
          <div className="mt-16">
            <PartsHeading>
              <StripKey />
            </PartsHeading>
          </div>
          <ul>
            {Object.values(PARTS).map(({ name, about }) => (
              <li key={name} className="border-t border-line py-6">
                <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  <h3 className="text-lg">{name}</h3>
                  <Skeleton className="h-5.5 w-20" />
                  <Skeleton className="my-1 w-48 max-sm:mr-auto sm:ml-auto" />
                </div>
                <p className="text-muted">{about}</p>
                <Skeleton className="skeleton-bars mt-4 h-8 [--bars:90]" />
                <Skeleton className="mt-2 w-60" />
              </li>
            ))}
          </ul>
        </Loading>
      </div>
    </>
  );
}

function Parts(live: LiveStatus) {
  const { status, now, problem } = live;
  const isNew = status?.components.every(isUnchecked);
  const shown = daysShown(status?.components ?? []);
  const isFailing = ({ state }: ComponentStatus) => state === "failing";
  return (
    <>
      <Overall {...live} />
      {/* Without history, that card says all there is. */}
      {status !== null && !isNew && (
        <div data-stale={problem !== null}>
          <Figures status={status} now={now} />
          <section aria-labelledby="parts" className="mt-16">
            <PartsHeading>
              <StripKey />
            </PartsHeading>
            <ul>
              {status.components
                .toSorted((a, b) => Number(isFailing(b)) - Number(isFailing(a)))
                .map((part) => (
                  <PartRow key={part.id} part={part} now={now} />
                ))}
            </ul>
            <DaysTable components={status.components} shown={shown} />
          </section>
          <FailedChecks status={status} />
        </div>
      )}
    </>
  );
}

export default function StatusPage() {
  const live = useStatus();
  const isWaiting = live.status === null && live.problem === null;
  return (
    <SiteFrame>
      <div className="page-width pt-12 pb-20 md:pt-20 md:pb-28">
        <h1 className="text-title">Status</h1>
        <p className="mt-5 mb-12 max-w-2xl text-lead text-soft">
          Live results from our own health checks, run every {CHECK_INTERVAL_SECONDS / 60} minutes. We only publish what
          we’ve measured.
        </p>
        {isWaiting ? <Waiting /> : <Parts {...live} />}
        <Data />
        <Method />
      </div>
    </SiteFrame>
  );
}
