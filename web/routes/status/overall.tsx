import { CircleAlert, CircleHelp } from "lucide-react";
import type { ReactNode } from "react";
import type { Status } from "../../../contract/status.ts";
import { Button } from "../../components/ui/button.tsx";
import { DrawnCheck } from "../../components/ui/drawn-check.tsx";
import { CURRENT_SECONDS } from "../../../contract/checks.ts";
import type { NoAnswer, AskedStatus } from "./use-status.ts";
import { PARTS, timeName } from "./words.ts";

const PROBLEMS: Readonly<Record<NoAnswer, readonly [title: string, text: string]>> = {
  offline: ["This device is offline", "Nothing can be asked from here until it is connected again."],
  unanswered: ["The service did not answer", "It may be down, or something between it and this device is."],
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
    return [`${names(inState)} ${verb} failing`, "The last check did not succeed."];
  }
  if (state === "working") return ["Every part is working", "The last check of each part succeeded."];
  const minutes = CURRENT_SECONDS / 60;
  return inState.length === components.length
    ? ["Nothing is known at present", `No part was checked in the last ${minutes} minutes.`]
    : [`${names(inState)}: not known`, `No check in the last ${minutes} minutes; the others are working.`];
}

function Mark({ state }: { state: Status["state"] | "unreached" }) {
  const size = "mt-1 size-6 shrink-0";
  if (state === "working") return <DrawnCheck className={`${size} text-signal`} />;
  if (state === "failing")
    return <CircleAlert aria-hidden="true" strokeWidth={1.5} className={`${size} text-invalid`} />;
  return <CircleHelp aria-hidden="true" strokeWidth={1.5} className={`${size} text-muted`} />;
}

function Banner({
  mark,
  title,
  children,
  action,
}: {
  mark: ReactNode;
  title: string;
  children: ReactNode;
  action: ReactNode;
}) {
  return (
    <section
      aria-labelledby="overall"
      className="flex flex-wrap items-start gap-x-6 gap-y-4 rounded-lg border border-line bg-surface p-5 sm:p-6"
    >
      <div className="flex min-w-0 flex-1 basis-64 gap-3">
        {mark}
        <div className="min-w-0">
          <h2 id="overall" className="text-2xl">
            {title}
          </h2>
          <p className="mt-1 text-soft">{children}</p>
          {/* Only this is read out, and only when it changes; the times beside it change every minute. */}
          <output className="sr-only">{title}</output>
        </div>
      </div>
      {action}
    </section>
  );
}

/** The whole in a sentence. Without an answer it says so, and what was known before is told as of then. */
export function Overall({ status, problem, asking, ask }: AskedStatus) {
  const action = (
    <Button variant="secondary" size="sm" busy={asking} onClick={ask}>
      {problem === null ? "Check again" : "Try again"}
    </Button>
  );
  if (problem !== null) {
    const [title, text] = PROBLEMS[problem];
    return (
      <Banner mark={<Mark state={problem === "offline" ? "unreached" : "failing"} />} title={title} action={action}>
        {text}
        {status !== null &&
          ` What stands below is what it said at ${timeName(status.answered_at)}, and may no longer be true.`}
      </Banner>
    );
  }
  if (status === null) return null;
  const [title, text] = summaryOf(status);
  return (
    <Banner mark={<Mark state={status.state} />} title={title} action={action}>
      {text} The service answered this page at{" "}
      <time dateTime={status.answered_at} className="whitespace-nowrap">
        {timeName(status.answered_at)}
      </time>
      .{status.schedule.state === "late" && " Its scheduled jobs are late."}
    </Banner>
  );
}
