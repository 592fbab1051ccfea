import { useEffect, useRef } from "react";
import { formatCount } from "../../../../contract/format.ts";
import { SANDBOX_FAILURES } from "../../../../contract/sandbox.ts";
import { ResultDrawing, Suggestion } from "../../../components/anatomy/result-drawing.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import type { BadgeTone } from "../../../components/ui/badge.tsx";
import { CodeBlock } from "../../../components/ui/code-block.tsx";
import { Cross } from "../../../components/ui/cross.tsx";
import { acceptanceText } from "../../../lib/acceptance.ts";
import type { Outcome } from "./use-verify.ts";

type Answered = Extract<Outcome, { kind: "answered" }>;

/** Green means verified; an invalid number is a success too, in a neutral tone. */
function toneOf({ answer: { status }, result }: Answered): BadgeTone {
  if (status >= 400) return "invalid";
  return result?.valid ? "verified" : "neutral";
}

/** What the status alone does not say. */
function remarkOn({ code, retryAfter, result }: Answered): string | null {
  const acceptance = result && acceptanceText(result);
  // A number of the sandbox has no result in its error.
  const strict =
    code !== null &&
    result !== null &&
    "Test keys return an error for fewer than six digits. Live keys return this result, with 200 OK.";
  if (strict || acceptance) return [strict, acceptance].filter(Boolean).join(" ");
  if (retryAfter !== null) return `Try again in ${formatCount(retryAfter, "second")}.`;
  if (code === "API_KEY_REVOKED" || code === "INVALID_API_KEY") {
    return "That key was rejected. You’re still logged in; the dashboard doesn’t use API keys.";
  }
  if (SANDBOX_FAILURES.some(({ name }) => name === code)) {
    return "This is a sandbox error, exactly as your code would receive it.";
  }
  return null;
}

interface OutcomeViewProps {
  readonly outcome: Outcome | null;
  /** Above the drawing of a valid number that arrives by itself: it comes first. */
  readonly title?: string | undefined;
  /** Sends a suggested number. */
  readonly onTake: (number: string) => void;
}

/** The response: its drawing, status, time, what is left of the rate limit, and the body, folded where it opens by itself. */
export function OutcomeView({ outcome, title, onTake }: OutcomeViewProps) {
  const view = useRef<HTMLDivElement>(null);
  const arrivesByItself = title !== undefined;
  useEffect(() => {
    if (outcome !== null && !arrivesByItself) view.current?.scrollIntoView({ block: "nearest" });
  }, [outcome, arrivesByItself]);
  const drawing = outcome?.kind === "answered" && outcome.result !== null && (
    <ResultDrawing
      key={outcome.answer.text}
      result={outcome.result}
      typed={outcome.number}
      className={arrivesByItself ? "mb-5" : "mt-4"}
    />
  );
  return (
    <div ref={view} className="min-w-0 scroll-mb-6 max-sm:scroll-mt-6 sm:-scroll-mt-2">
      {outcome?.kind === "answered" && outcome.result?.valid && title && <h3 className="mb-3 text-lg">{title}</h3>}
      {arrivesByItself && drawing}
      {/* Always rendered, so that each response is announced; the body is not. */}
      <output data-answer="" className="block text-sm text-soft">
        {outcome?.kind === "answered" && <Summary outcome={outcome} onTake={onTake} />}
        {outcome?.kind === "unreachable" && (
          <span className="text-invalid">No response. Check your connection and try again.</span>
        )}
        {outcome === null && <span className="text-muted">The response appears here.</span>}
      </output>
      {!arrivesByItself && drawing}
      {outcome?.kind === "answered" && (
        <details className="group mt-3" open={!arrivesByItself}>
          <summary className="inline-flex min-h-9 items-center gap-1.5 text-sm text-soft hover:text-ink pointer-coarse:min-h-11">
            <Cross />
            JSON
          </summary>
          <CodeBlock
            label="Response"
            title="Response"
            html={outcome.answer.html}
            code={outcome.answer.text}
            className="mt-1 [&_pre]:max-h-80"
          />
        </details>
      )}
    </div>
  );
}

function Summary({ outcome, onTake }: { outcome: Answered } & Pick<OutcomeViewProps, "onTake">) {
  const { status, took } = outcome.answer;
  const { left } = outcome;
  const remark = remarkOn(outcome);
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={toneOf(outcome)}>{`${status} ${outcome.code ?? "OK"}`}</Badge>
        <span className="font-mono text-xs">{formatCount(Math.max(1, Math.round(took)))} ms</span>
        {left && (
          <span className="font-mono text-xs">
            {left.remaining} of {left.limit} requests left this minute
          </span>
        )}
      </span>
      {remark && <span className="mt-2 block">{remark}</span>}
      {outcome.result && <Suggestion result={outcome.result} typed={outcome.number} onTake={onTake} className="mt-2" />}
    </>
  );
}
