import { clsx } from "clsx";
import { ChevronRight } from "lucide-react";
import { Anatomy } from "../../../components/anatomy/anatomy.tsx";
import { anatomyOf, FLAG_NAMES } from "../../../components/anatomy/anatomy-of.ts";
import { REASONS } from "./reasons.ts";
import type { Answered } from "./use-look-up.ts";

type Props = Answered & {
  /** Whether the field holds another number by now, or another answer is awaited. */
  readonly isStale: boolean;
};

/** The engine's answer: the anatomy of a valid number, the reason of an invalid one, and the JSON behind both. */
export function RealAnswer({ result, asked, took, remaining, isStale }: Props) {
  return (
    <div className={clsx("flex flex-1 flex-col transition-opacity", isStale && "opacity-55")}>
      {result.valid ? (
        <Anatomy parts={anatomyOf(result)} />
      ) : (
        <div className="animate-appear">
          <p className="font-mono text-[clamp(1.375rem,1rem+1.6vw,2.25rem)] break-all text-muted line-through decoration-invalid decoration-2">
            {result.number ?? asked}
          </p>
          <p className="mt-5 text-xl font-medium text-invalid">{REASONS[result.reason ?? "NOT_A_NUMBER"]}</p>
          <p className="label mt-2">reason: {result.reason}</p>
          {result.deliverability.flags.map((flag) => (
            <p key={flag} className="mt-3 font-medium text-possible">
              {FLAG_NAMES[flag]}
            </p>
          ))}
        </div>
      )}
      <details className="group mt-8">
        <summary className="inline-flex min-h-9 list-none items-center gap-1.5 text-sm text-soft hover:text-ink [&::-webkit-details-marker]:hidden">
          <ChevronRight aria-hidden="true" className="size-3.5 transition-transform group-open:rotate-90" />
          The whole answer
        </summary>
        <pre
          tabIndex={0}
          aria-label="The answer as JSON"
          className="mt-2 max-h-80 overflow-auto rounded-md border border-line bg-sunken p-4 font-mono text-xs leading-5"
        >
          {JSON.stringify(result, null, 2)}
        </pre>
      </details>
      <p className="mt-auto pt-6 text-sm text-muted">
        Answered in {Math.max(1, Math.round(took))} ms, there and back.
        {remaining !== null && !isStale && ` ${remaining} left this minute.`}
      </p>
    </div>
  );
}
