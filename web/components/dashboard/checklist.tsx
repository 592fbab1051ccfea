import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import X from "lucide-react/icons/x";
import { useState } from "react";
import type { ReactNode } from "react";
import sample from "../../content/samples/response.json";
import { jsonHtml } from "../../lib/json-html.ts";
import { queries } from "../../lib/queries.ts";
import { readStored, writeStored } from "../../lib/stored.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { DrawnCheck } from "../ui/drawn-check.tsx";
import { TextLink } from "../ui/link.tsx";
import { Failure } from "../ui/notice.tsx";
import { useAccount } from "./account-context.ts";
import { focusHeading } from "./page-heading.tsx";
import { SubscriptionWarning } from "./subscription-warning.tsx";

/** The ids of accounts that have dismissed the checklist, separated by spaces. */
const STORED_AS = "checklist-dismissed";

function dismissedAccounts(): string[] {
  return (readStored(STORED_AS) ?? "").split(" ").filter((account) => account !== "");
}

function dismiss(account: string): void {
  writeStored(STORED_AS, [...dismissedAccounts().filter((other) => other !== account), account].join(" "));
}

/** For a deleted account: its id is not kept either. */
export function forgetDismissal(account: string): void {
  const others = dismissedAccounts().filter((other) => other !== account);
  writeStored(STORED_AS, others.length === 0 ? null : others.join(" "));
}

const STEPS = ["trial", "key", "call"] as const;
type StepName = (typeof STEPS)[number];

interface Progress {
  /** The completed steps. Null if the checklist is not shown, also once all were done; undefined until everything is known. */
  readonly done: ReadonlySet<StepName> | null | undefined;
  /** The first incomplete one. */
  readonly next: StepName | undefined;
  dismiss(): void;
}

/** The account's progress. The checklist is shown until dismissed, or if something can't be read. */
export function useProgress(): Progress {
  const { id } = useAccount();
  const [isDismissed, setDismissed] = useState(() => dismissedAccounts().includes(id));
  const subscription = useQuery(queries.subscription);
  const listed = useQuery(queries.keys);
  const usage = useQuery(queries.summary(undefined));
  // Counting takes the server seconds; the step is done now.
  const { data: lastCall } = useQuery(queries.lastCall);
  const [wasOpen, setWasOpen] = useState(false);

  function find(): ReadonlySet<StepName> | null | undefined {
    if (isDismissed) return null;
    if (subscription.data === undefined || listed.data === undefined || usage.data === undefined) {
      const failed = [subscription, listed, usage].some((query) => query.errorUpdateCount > 0);
      return failed ? null : undefined;
    }
    const { status } = subscription.data;
    // Without a subscription, the next step is unavailable.
    if (status === "expired" || status === "ended") return null;
    const hasVerified = usage.data.total_verifications > 0 || lastCall !== undefined;
    // An account that has verified something had a key, even if it is revoked now; unless it was with the session just now.
    const hadKey = listed.data.keys.length > 0 || (hasVerified && lastCall?.hint !== "");
    const facts = { trial: status === "active", key: hadKey, call: hasVerified };
    return new Set(STEPS.filter((name) => facts[name]));
  }

  const done = find();
  const next = done ? STEPS.find((name) => !done.has(name)) : undefined;
  if (next !== undefined && !wasOpen) setWasOpen(true);
  return {
    // Until the next visit, the list stays for its last tick.
    done: done && next === undefined && !wasOpen ? null : done,
    next,
    dismiss() {
      dismiss(id);
      setDismissed(true);
      focusHeading();
    },
  };
}

interface ChecklistProps {
  progress: Progress;
  /** A key is being generated. */
  busy: boolean;
  /** Generates a test key, and shows the first response with it. */
  onGenerate: () => void;
  /** Opens Try it. */
  onTry: () => void;
  /** Opens the form for a live key. */
  onLive: () => void;
  /** Try it is open, with a primary button. */
  isTrying: boolean;
  /** Why no key could be generated, if so. */
  problem: string | null;
}

function StepMark({ done, number }: { done: boolean; number: number }) {
  return (
    <span
      className={clsx(
        "relative grid size-6 shrink-0 place-items-center rounded-full border font-mono text-xs",
        done ? "border-signal/45 bg-signal-wash text-signal" : "border-edge text-muted",
      )}
    >
      {/* Unseen under the tick too: it sits on the line of the title. */}
      <span aria-hidden="true" className={done ? "invisible" : undefined}>
        {number}
      </span>
      {done && <DrawnCheck className="absolute size-3.5" />}
    </span>
  );
}

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly state: "done" | "next" | "later";
  /** Instructions, shown for the next step. */
  readonly how?: ReactNode;
  /** Its action. */
  readonly children: ReactNode;
}

function Step({ number, title, state, how, children }: StepProps) {
  const isDone = state === "done";
  const isNext = state === "next";
  return (
    <li className="flex items-baseline gap-3 py-2.5">
      <StepMark done={isDone} number={number} />
      <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-6 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <p className={clsx(isDone ? "text-muted" : isNext ? "font-medium text-ink" : "text-soft")}>
            {title}
            <span className="sr-only">{isDone ? " (done)" : " (to do)"}</span>
          </p>
          {isNext && how && <p className="text-sm text-muted">{how}</p>}
        </div>
        {children}
      </div>
    </li>
  );
}

const { valid, number, country_name, location, carrier, line_type } = sample;
const EXCERPT = jsonHtml(JSON.stringify({ valid, number, country_name, location, carrier, line_type }, null, 2));

/** Beside the steps on wide screens: what they lead to, as the engine answers it. */
function Preview() {
  return (
    <figure className="hidden border-l border-line px-6 py-5 @3xl:block">
      <figcaption className="label">Part of the response you’ll get</figcaption>
      <pre className="mt-2.5 font-mono text-sm leading-[1.7] text-ink">
        <code dangerouslySetInnerHTML={{ __html: EXCERPT }} />
      </pre>
    </figure>
  );
}

/** After the last step: what to do with a working key. */
function Next({ onLive }: { onLive: () => void }) {
  return (
    <p className="px-5 py-4 text-soft">
      You’re all set. Next, <TextLink to="/docs/integration">add it to your app</TextLink>,{" "}
      <button type="button" className="text-link text-ink" onClick={onLive}>
        generate a live key
      </button>
      , or <TextLink to="/dashboard/bulk">verify a list</TextLink>.
    </p>
  );
}

/** The way from a new account to the first verification, and what comes next. Steps check themselves off. */
export function Checklist({ progress, busy, onGenerate, onTry, onLive, isTrying, problem }: ChecklistProps) {
  const { done, next, dismiss: onDismiss } = progress;
  if (!done) return null;
  const stateOf = (name: StepName) => (done.has(name) ? "done" : name === next ? "next" : "later");
  return (
    <section aria-labelledby="checklist" className="@container mb-8 rounded-lg border border-line bg-surface">
      <div className="flex items-center gap-x-4 border-b border-line py-2 pr-2 pl-5">
        <h2 id="checklist" className="text-base text-ink">
          Getting started
        </h2>
        <p className="label ml-auto whitespace-nowrap">
          {done.size} of {STEPS.length} done
        </p>
        <IconButton label="Dismiss the checklist" size="sm" className="text-muted" onClick={onDismiss}>
          <X aria-hidden="true" className="size-4" strokeWidth={1.5} />
        </IconButton>
      </div>
      <div
        className={clsx(
          "grid grid-cols-[minmax(0,1fr)]",
          next === undefined ? "border-b border-line" : "@3xl:grid-cols-[minmax(0,1fr)_20rem]",
        )}
      >
        <ol className="px-5 py-2">
          <Step number={1} title="Start the free trial" state={stateOf("trial")}>
            {!done.has("trial") && <SubscriptionWarning isStep className="-mt-2 w-full" />}
          </Step>
          <Step
            number={2}
            title="Generate an API key"
            state={stateOf("key")}
            how="We’ll show it once and send a sample request with it, so you can see a real response."
          >
            {!done.has("key") && (
              <>
                <Button
                  size="sm"
                  variant={next === "key" ? "primary" : "secondary"}
                  disabled={!done.has("trial")}
                  busy={busy}
                  onClick={onGenerate}
                >
                  Generate key
                </Button>
                <Failure className="basis-full">{problem}</Failure>
              </>
            )}
          </Step>
          <Step
            number={3}
            title="See your first verified number"
            state={stateOf("call")}
            how={
              <>
                Send a number with Try it, call the API with your key, or{" "}
                <TextLink to="/dashboard/bulk">verify a list</TextLink>. This step checks itself off within a minute.
              </>
            }
          >
            {next === "call" && (
              <Button size="sm" variant={isTrying ? "secondary" : "primary"} onClick={onTry}>
                Try it
              </Button>
            )}
          </Step>
        </ol>
        {next !== undefined && <Preview />}
      </div>
      {next === undefined && <Next onLive={onLive} />}
    </section>
  );
}
