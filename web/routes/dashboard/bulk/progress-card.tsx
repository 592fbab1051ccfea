import { useEffect, useRef, useState } from "react";
import type { KeyMode } from "../../../../contract/limits.ts";
import { ApiKeyField, modeOf } from "../../../components/dashboard/api-key-field.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { AlertDialog } from "../../../components/ui/dialog.tsx";
import { formatCount } from "../../../lib/format.ts";
import { KEY_HINT } from "./check.ts";
import type { Check } from "./check.ts";
import type { Counts } from "./rows.ts";
import { isActive, isResumable } from "./run.ts";
import type { Phase, Snapshot } from "./run.ts";

/** The current phase in a sentence that changes with it and not more often: it is read out. */
function phaseText(phase: Phase, left: number): string {
  switch (phase.name) {
    case "running":
      return "Checking";
    case "waiting":
      return WAITING[phase.reason];
    case "pausing":
      return "Pausing after the call that is on its way";
    case "paused":
      if (phase.reason === "asked") return "Paused";
      return `Paused. ${phase.message} Resume when it is there again; nothing is counted twice.`;
    case "stopped":
      return `${phase.message} ${formatCount(left, "number")} ${left === 1 ? "was" : "were"} not checked.`;
    case "cancelled":
      return `Cancelled. ${formatCount(left, "number")} ${left === 1 ? "was" : "were"} not checked. A call that was on its way may have been counted.`;
    case "done":
      return "Done";
  }
}

const WAITING = {
  "rate-limit": "Waiting for the rate limit",
  connection: "No connection. Trying again",
  service: "The service could not answer. Trying again",
} as const;

/** Seconds until the end of a wait. */
function secondsLeft(until: number, now: number): number {
  return Math.max(0, Math.ceil((until - now) / 1000));
}

interface ResumeFormProps {
  mode: KeyMode;
  /** With another key, or the same once more. */
  onResume: (key?: string) => void;
}

/** After a refusal: resumes with another key of the same mode, or with the same one. */
function ResumeForm({ mode, onResume }: ResumeFormProps) {
  const [key, setKey] = useState("");
  const [error, setError] = useState<string>();

  function resume() {
    const text = key.trim();
    if (text === "") onResume();
    else if (modeOf(text) === mode) onResume(text);
    else setError(`This check began with a ${mode} key. Paste another ${mode} key, or begin a new check.`);
  }

  return (
    <form
      noValidate
      className="mx-5 mt-5 grid gap-3 rounded-md border border-line bg-sunken p-4"
      onSubmit={(event) => {
        event.preventDefault();
        resume();
      }}
    >
      <ApiKeyField
        label="Another key"
        value={key}
        onChange={(text) => {
          setKey(text);
          setError(undefined);
        }}
        error={error}
        hint={KEY_HINT}
      />
      <Button type="submit" size="sm" className="justify-self-start">
        {key.trim() === "" ? "Try again with the same key" : "Resume with this key"}
      </Button>
    </form>
  );
}

/** The seconds of a wait, counted down. */
function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return <>, {secondsLeft(until, now)} s</>;
}

const FIGURES = [
  { kind: "valid", name: "Valid" },
  { kind: "invalid", name: "Invalid" },
  { kind: "failed", name: "Failed" },
  { kind: "open", name: "Not checked" },
] as const;

interface ProgressCardProps {
  check: Check;
  snapshot: Snapshot;
  counts: Counts;
  /** Goes back to the list. */
  onNew: () => void;
}

/** How far a check is, and what can be done about it. */
export function ProgressCard({ check: { run, mode, list }, snapshot, counts, onNew }: ProgressCardProps) {
  const { phase, verdicts, answered } = snapshot;
  const heading = useRef<HTMLHeadingElement>(null);
  const text = phaseText(phase, counts.open);
  const isOver = phase.name === "done" || phase.name === "cancelled";
  const isOpen = isActive(phase) || isResumable(phase);
  const [asking, setAsking] = useState(false);
  const isCancelled = phase.name === "cancelled";
  // What had the focus is gone: the form at the beginning, the button at the end.
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    if (isCancelled) heading.current?.focus();
  }, [isCancelled]);
  const isTrouble = phase.name === "stopped" || (phase.name === "paused" && phase.reason !== "asked");
  return (
    <Card padding="none">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4 p-5">
        <div className="min-w-0 flex-1 basis-64">
          <h2 ref={heading} tabIndex={-1} className="flex flex-wrap items-center gap-3 text-lg text-ink outline-none">
            {isOver ? "Checked" : "Checking"} {formatCount(list.entries.length, "number")}
            <Badge tone={mode}>{mode === "live" ? "Live" : "Test"}</Badge>
          </h2>
          <p className={isTrouble ? "mt-1 text-invalid" : "mt-1 text-soft"} data-phase={phase.name}>
            {text}
            {phase.name === "waiting" && <Countdown until={phase.until} />}
          </p>
          {/* Without the seconds, which nobody wants to hear. */}
          <output className="sr-only">{text}</output>
        </div>
        <div className="flex flex-wrap gap-2">
          {isActive(phase) && (
            <Button variant="secondary" size="sm" busy={phase.name === "pausing"} onClick={run.pause}>
              Pause
            </Button>
          )}
          {phase.name === "paused" && (
            <Button size="sm" onClick={() => run.start()}>
              Resume
            </Button>
          )}
          {isOpen && (
            <Button variant="quiet" size="sm" onClick={() => setAsking(true)}>
              Cancel
            </Button>
          )}
          {(isOver || phase.name === "stopped") && (
            <Button variant="secondary" size="sm" onClick={onNew}>
              New check
            </Button>
          )}
        </div>
      </div>
      <div className="px-5">
        <progress
          aria-label="Checked"
          max={verdicts.length}
          value={answered}
          className="block h-1.5 w-full appearance-none overflow-hidden rounded-full border-0 bg-line [&::-moz-progress-bar]:bg-ink [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-ink"
        />
        <p className="label mt-2">
          {formatCount(answered)} of {formatCount(verdicts.length)}
          {list.repeated > 0 && " different numbers"}
        </p>
      </div>
      {phase.name === "stopped" && <ResumeForm mode={mode} onResume={run.start} />}
      <dl className="mt-5 grid grid-cols-2 gap-px overflow-hidden rounded-b-lg border-t border-line bg-line sm:grid-cols-4">
        {FIGURES.map(({ kind, name }) => (
          <div key={kind} className="bg-surface px-5 py-3.5">
            <dt className="label">{name}</dt>
            <dd className="mt-0.5 font-mono text-xl tracking-[-0.03em] text-ink">{formatCount(counts[kind])}</dd>
          </div>
        ))}
      </dl>
      <AlertDialog
        // The check may finish while the question is open.
        open={asking && isOpen}
        onOpenChange={setAsking}
        title="Cancel the check?"
        description="A cancelled check cannot go on, and numbers that are open stay unchecked. The results so far stay on the page."
        cancel={<Button variant="secondary">Go on</Button>}
        actions={
          <Button
            variant="danger"
            onClick={() => {
              setAsking(false);
              run.cancel();
            }}
          >
            Cancel the check
          </Button>
        }
      />
    </Card>
  );
}
