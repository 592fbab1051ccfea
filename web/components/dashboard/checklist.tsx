import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { X } from "lucide-react";
import { useState } from "react";
import type { ReactNode } from "react";
import { queries } from "../../lib/queries.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { DrawnCheck } from "../ui/drawn-check.tsx";
import { TextLink } from "../ui/link.tsx";
import { useAccount } from "./account-context.ts";
import { focusHeading } from "./page-heading.tsx";
import { ResendVerification } from "./subscription-warning.tsx";

/** The ids of accounts whose owner has dismissed the checklist, separated by spaces. */
const STORED_AS = "checklist-dismissed";

function dismissedAccounts(): string[] {
  return (localStorage.getItem(STORED_AS) ?? "").split(" ").filter((account) => account !== "");
}

function wasDismissed(account: string): boolean {
  try {
    return dismissedAccounts().includes(account);
  } catch {
    return false;
  }
}

function dismiss(account: string): void {
  try {
    localStorage.setItem(STORED_AS, [...dismissedAccounts().filter((other) => other !== account), account].join(" "));
  } catch {
    // Storage is closed: it stays dismissed for this page.
  }
}

/** For a deleted account: its id is not kept either. */
export function forgetDismissal(account: string): void {
  try {
    const others = dismissedAccounts().filter((other) => other !== account);
    if (others.length === 0) localStorage.removeItem(STORED_AS);
    else localStorage.setItem(STORED_AS, others.join(" "));
  } catch {
    // Storage is closed: nothing is kept in it.
  }
}

interface ChecklistProps {
  /** A key is being generated. */
  busy: boolean;
  /** Generates a test key, and shows the first response with it. */
  onGenerate: () => void;
}

interface Step {
  readonly title: string;
  readonly done: boolean;
  /** How to do it, shown for the step that is next. */
  readonly how: ReactNode;
  readonly action?: ReactNode;
}

/** What is still to do; undefined until everything about it is known. */
function useSteps({ busy, onGenerate }: ChecklistProps): readonly Step[] | undefined {
  const { is_verified: isVerified, email } = useAccount();
  const { data: subscription } = useQuery(queries.subscription);
  const { data: listed } = useQuery(queries.keys);
  const { data: usage } = useQuery(queries.summary(undefined));
  if (subscription === undefined || listed === undefined || usage === undefined) return undefined;
  const hasVerified = usage.total_verifications > 0;
  return [
    {
      title: "Verify your email address",
      done: isVerified,
      how: `Open the link in the email to ${email}.`,
      action: <ResendVerification />,
    },
    {
      title: "Start the free trial",
      done: subscription.status !== "none",
      how: "Press Activate Free Trial above. No card, and it never renews.",
    },
    {
      title: "Generate an API key",
      // An account that has verified something had one, even if it is revoked by now.
      done: listed.keys.length > 0 || hasVerified,
      how: "It is shown once, with a first response from the sandbox.",
      action: (
        <Button size="sm" busy={busy} onClick={onGenerate}>
          Generate a test key
        </Button>
      ),
    },
    {
      title: "Make your first verification",
      done: hasVerified,
      how: (
        <>
          Send a number with Try it, call the API with your key, or{" "}
          <TextLink to="/dashboard/bulk">check a list</TextLink>. This updates within a minute.
        </>
      ),
    },
  ];
}

function StepMark({ done, number }: { done: boolean; number: number }) {
  return (
    <span
      className={clsx(
        "mt-px grid size-6 shrink-0 place-items-center rounded-full border font-mono text-xs",
        done ? "border-signal/45 bg-signal-wash text-signal" : "border-edge text-muted",
      )}
    >
      {done ? <DrawnCheck className="size-3.5" /> : <span aria-hidden="true">{number}</span>}
    </span>
  );
}

/** The way from a new account to the first verification. Steps tick themselves. Gone when all are done, or once dismissed. */
export function Checklist(props: ChecklistProps) {
  const { id } = useAccount();
  const [isDismissed, setDismissed] = useState(() => wasDismissed(id));
  const steps = useSteps(props);
  const next = steps?.findIndex((step) => !step.done) ?? -1;
  if (isDismissed || steps === undefined || next === -1) return null;
  const done = steps.filter((step) => step.done).length;
  return (
    <section aria-labelledby="checklist" className="mb-8 rounded-lg border border-line bg-surface">
      <div className="flex items-center gap-4 border-b border-line py-2 pr-2 pl-5">
        <h2 id="checklist" className="text-base text-ink">
          Getting started
        </h2>
        <p className="label ml-auto">
          {done} of {steps.length} done
        </p>
        <IconButton
          label="Dismiss the checklist"
          size="sm"
          className="text-muted"
          onClick={() => {
            dismiss(id);
            setDismissed(true);
            focusHeading();
          }}
        >
          <X aria-hidden="true" className="size-4" strokeWidth={1.5} />
        </IconButton>
      </div>
      <ol className="px-5 py-2">
        {steps.map((step, at) => (
          <li key={step.title} className="flex items-start gap-3 py-2.5">
            <StepMark done={step.done} number={at + 1} />
            <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-6 gap-y-3">
              <div className="min-w-0 flex-1 basis-60">
                <p className={clsx(step.done ? "text-muted" : at === next ? "font-medium text-ink" : "text-soft")}>
                  {step.title}
                  <span className="sr-only">{step.done ? " (done)" : " (to do)"}</span>
                </p>
                {at === next && <p className="text-sm text-muted">{step.how}</p>}
              </div>
              {at === next && step.action}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
