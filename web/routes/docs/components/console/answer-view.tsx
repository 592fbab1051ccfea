import { Badge } from "../../../../components/ui/badge.tsx";
import { CodeBlock } from "../../../../components/ui/code-block.tsx";
import type { CallState } from "./call-state.ts";

const EMPTY = {
  idle: "The answer will stand here: its status, its headers and its body, as the API sent them.",
  calling: "Asking…",
  unreachable: "No answer arrived. Check your connection, then send it again.",
} as const;

/** What a call came back with. */
export function AnswerView({ state, wait }: { state: CallState; wait: number }) {
  if (state.outcome !== "answered") {
    return (
      <p className={state.outcome === "unreachable" ? "text-base text-invalid" : "text-base text-muted"}>
        {EMPTY[state.outcome]}
      </p>
    );
  }
  const { status, took, headers, body } = state;
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 text-base">
        <Badge tone={status === 200 ? "verified" : "invalid"}>{status}</Badge>
        <span className="label">{Math.max(1, Math.round(took))} ms from this browser</span>
        {wait > 0 && <span className="label text-possible!">again in {wait} s</span>}
      </p>
      <dl className="mt-4 grid gap-1 font-mono text-xs sm:grid-cols-[8.5rem_minmax(0,1fr)] sm:gap-x-4">
        {headers.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted max-sm:mt-1">{name}</dt>
            <dd className="wrap-anywhere text-ink">{value}</dd>
          </div>
        ))}
      </dl>
      <CodeBlock code={body} label="Answer" title="Body" className="mt-4" wrap />
    </>
  );
}
