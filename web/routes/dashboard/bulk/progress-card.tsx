import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Banner } from "../../../components/dashboard/banner.tsx";
import { Cells } from "../../../components/dashboard/cells.tsx";
import { EmailForMore } from "../../../components/dashboard/subscription-warning.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { AlertDialog } from "../../../components/ui/dialog.tsx";
import { clsx } from "clsx";
import { DAY_MS, formatDate } from "../../../lib/format.ts";
import { BULK_KEPT_DAYS } from "../../../lib/session/kept-check.ts";
import { formatCount } from "../../../../contract/format.ts";
import { isActive, isResumable } from "../../../../lists/run.ts";
import type { Phase } from "../../../../lists/run.ts";
import { queries } from "../../../lib/queries.ts";
import { resumeCheck } from "./check.ts";
import type { State, Work } from "./desk.ts";
import { desk } from "./desk-client.ts";

/**
 * The current phase in a sentence that only changes with the phase, since it is announced. Null if the heading is
 * enough.
 */
function phaseText(phase: Phase, left: number, isNone: boolean): string | null {
  switch (phase.name) {
    case "running":
    case "done":
      return null;
    case "waiting":
      return WAITING[phase.reason];
    case "pausing":
      return "Pausing after the current call";
    case "paused":
      return phase.reason === "reload" ? `You left the page. ${RESUME}` : RESUME;
    case "stopped":
      return isNone ? "Nothing was verified." : unchecked(left);
    case "canceled":
      return `${unchecked(left)} The last call may have been counted.`;
  }
}

function unchecked(left: number): string {
  return `${formatCount(left, "number")} ${left === 1 ? "wasn’t" : "weren’t"} verified.`;
}

const RESUME = "Resume at any time. Nothing is counted twice.";

/** The heading: what is verified are rows, which may be skipped or repeat a number. */
function titleOf({ phase, checked, numbers }: State, { rows, repeated }: Work): string {
  const sent = formatCount(numbers, repeated > 0 ? "unique number" : "number");
  const list = rows === numbers ? sent : `${formatCount(rows, "row")}, ${sent}`;
  const progress = `${formatCount(checked)} of ${formatCount(numbers, "number")}`;
  switch (phase.name) {
    case "done":
      return `Checked ${list}`;
    case "paused":
      return `Paused at ${progress}`;
    case "canceled":
      return `Canceled after ${progress}`;
    case "stopped":
      return `Stopped verifying ${list}`;
    default:
      return `Verifying ${list}`;
  }
}

const WAITING = {
  "rate-limit": "Waiting for the rate limit",
  connection: "No connection. Trying again",
  service: "No response from the server. Trying again",
} as const;

/** A countdown of a wait's seconds. */
function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return <>, {Math.max(0, Math.ceil((until - now) / 1000))} s</>;
}

const FIGURES = [
  { kind: "valid", name: "Valid rows" },
  { kind: "invalid", name: "Invalid rows" },
  { kind: "not_sent", name: "Skipped rows" },
  { kind: "not_checked", name: "Rows not verified" },
] as const;

/** @param needsQuota it stopped because the quota was used up: shown only once there is quota again */
function Retry({ needsQuota }: { needsQuota: boolean }) {
  const { data, dataUpdatedAt } = useQuery(queries.subscription);
  const [stoppedAt] = useState(() => Date.now());
  const hasQuota = dataUpdatedAt > stoppedAt && data?.quota.remaining !== 0;
  if (needsQuota && !hasQuota) return null;
  return (
    <Button variant="secondary" size="sm" onClick={() => void resumeCheck()}>
      Try again
    </Button>
  );
}

interface ProgressCardProps {
  work: Work;
  state: State;
  /** Whether leaving the page would lose results. */
  isAtRisk: boolean;
  /** Goes back to the list. */
  onNew: () => void;
}

/** The progress of a check, with its controls. */
export function ProgressCard({ work, state, isAtRisk, onNew }: ProgressCardProps) {
  const { phase, checked, counts, numbers, isKept } = state;
  const heading = useRef<HTMLHeadingElement>(null);
  const title = titleOf(state, work);
  const text = phaseText(phase, numbers - checked, checked === 0);
  const isCanceled = phase.name === "canceled";
  const isOver = phase.name === "done" || isCanceled;
  const isOpen = isActive(phase) || isResumable(phase);
  const [isConfirming, setConfirming] = useState(false);
  // The focused element is gone: the form at the start, the button at the end.
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    if (isCanceled) heading.current?.focus();
  }, [isCanceled]);
  const { data } = useQuery(queries.subscription);
  const isStored = phase.name === "done" && isKept;
  const isTrouble = "message" in phase;
  const limit = phase.name === "stopped" && phase.reason === "quota" ? data?.quota.limit : null;
  const message = limit
    ? `You’ve used all ${formatCount(limit)} successful live verifications.`
    : isTrouble && phase.message;
  // Otherwise the banner says it all.
  const hasProgress = phase.name !== "stopped" || checked > 0;
  return (
    <Card padding="none">
      <div className="grid gap-4 p-5" data-phase={phase.name}>
        <div className="flex items-baseline justify-between gap-x-6 gap-y-4 max-sm:flex-wrap">
          <div className="min-w-0 flex-1 basis-60">
            <h2 ref={heading} tabIndex={-1} className="text-lg text-ink outline-none">
              {title}
            </h2>
            {isOver && work.name !== null && <p className="label mt-1 wrap-anywhere">{work.name}</p>}
            {text !== null && !isTrouble && (
              <p className="mt-1 text-soft">
                {text}
                {phase.name === "waiting" && <Countdown until={phase.until} />}
              </p>
            )}
          </div>
          <div className="flex gap-2">
            {isActive(phase) && (
              <Button variant="secondary" size="sm" busy={phase.name === "pausing"} onClick={() => void desk.pause()}>
                Pause
              </Button>
            )}
            {phase.name === "paused" && (
              <Button size="sm" onClick={() => void resumeCheck()}>
                Resume
              </Button>
            )}
            {isOpen && phase.name !== "stopped" && (
              <Button variant="quiet" size="sm" onClick={() => setConfirming(true)}>
                Cancel
              </Button>
            )}
            {(isOver || phase.name === "stopped") && (
              <Button variant="secondary" size="sm" onClick={onNew}>
                New list
              </Button>
            )}
          </div>
        </div>
        {isTrouble && (
          <Banner
            tone={phase.name === "stopped" ? "invalid" : "possible"}
            title={message}
            actions={
              phase.name === "stopped" && (
                <>
                  {phase.reason === "quota" && <EmailForMore />}
                  <Retry needsQuota={phase.reason === "quota"} />
                </>
              )
            }
          >
            {text}
          </Banner>
        )}
        {/* Without the seconds, so that screen readers stay quiet. */}
        <output className="sr-only">
          {phase.name === "paused" && `${title}. `}
          {message} {text ?? (isOver ? "Done" : "Verifying")}
        </output>
      </div>
      {hasProgress && (
        <>
          {!isOver && (
            <div className="px-5 pb-5">
              <progress
                aria-label="Verified"
                max={numbers}
                value={checked}
                className="block h-1.5 w-full appearance-none overflow-hidden rounded-full border-0 bg-line [&::-moz-progress-bar]:bg-ink [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-ink forced-colors:border forced-colors:forced-color-adjust-none forced-colors:border-[CanvasText] forced-colors:[&::-webkit-progress-bar]:bg-[Canvas] forced-colors:[&::-webkit-progress-value]:bg-[CanvasText]"
              />
              <p className="label mt-2 wrap-anywhere">
                {formatCount(checked)} of {formatCount(numbers, "number")}
                {work.name !== null && ` in ${work.name}`}
              </p>
            </div>
          )}
          {isAtRisk && (
            <Banner
              tone="possible"
              className="mx-5 mb-5 print:hidden"
              title={`${isCanceled ? "" : "This browser can’t save your progress. "}Download the results before you leave the page.`}
            />
          )}
          <Cells aria-label="Rows" className={clsx("border-t sm:grid-cols-4", !isStored && "rounded-b-lg")}>
            {FIGURES.map(({ kind, name }) => (
              <div key={kind} className="bg-surface px-5 py-3.5">
                <dt className="label">{name}</dt>
                <dd className="mt-0.5 text-xl tracking-[-0.02em] text-ink tabular-nums">{formatCount(counts[kind])}</dd>
              </div>
            ))}
          </Cells>
          {isStored && (
            <p className="border-t border-line px-5 py-3 text-sm text-muted print:hidden">
              Kept in this browser until {formatDate(work.startedAt + BULK_KEPT_DAYS * DAY_MS)}, or until you log out.{" "}
              <button type="button" className="text-link text-ink" onClick={onNew}>
                Delete the results
              </button>
            </p>
          )}
        </>
      )}
      <AlertDialog
        // The check may finish while the question is open.
        open={isConfirming && isOpen}
        onOpenChange={setConfirming}
        title="Stop verifying?"
        description="The remaining numbers won’t be verified. Results so far stay on this page until you leave."
        cancel={<Button variant="secondary">Keep verifying</Button>}
        actions={
          <Button
            variant="danger"
            onClick={() => {
              setConfirming(false);
              void desk.cancel();
            }}
          >
            Stop verifying
          </Button>
        }
      />
    </Card>
  );
}
