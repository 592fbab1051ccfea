import { SANDBOX_FAILURES } from "../../../../../contract/sandbox.ts";
import { Badge } from "../../../../components/ui/badge.tsx";
import type { BadgeTone } from "../../../../components/ui/badge.tsx";
import { CodeBlock } from "../../../../components/ui/code-block.tsx";
import type { Outcome } from "./outcome.ts";

type Answered = Extract<Outcome, { kind: "answered" }>;

/** What the statuses of the endpoint are called. HTTP/2 does not send the words. */
const STATUS_WORDS: Readonly<Record<number, string>> = {
  200: "OK",
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  408: "Request Timeout",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

/** Green means verified: a number that is not valid is an answer too, but a plain one. */
function toneOf({ status, valid }: Answered): BadgeTone {
  if (status >= 400) return "invalid";
  return valid ? "verified" : "neutral";
}

function milliseconds(took: number): string {
  return `${Math.max(1, Math.round(took)).toLocaleString("en-US")} ms`;
}

/** More about an answer than its status says, in a sentence. */
function remarkOn({ code, retryAfter }: Answered): string | null {
  if (retryAfter !== null) return `Try again in ${retryAfter} ${retryAfter === 1 ? "second" : "seconds"}.`;
  if (code === "API_KEY_REVOKED" || code === "INVALID_API_KEY") {
    return "The key was refused. You are still signed in: the dashboard does not use API keys.";
  }
  if (SANDBOX_FAILURES.some(({ name }) => name === code)) {
    return "A test key’s sandbox answered. Your program would get this error in the same form.";
  }
  return null;
}

/** The answer as it came: status, time, what is left of the rate limit, and the body. */
export function Answer({ outcome }: { outcome: Outcome | null }) {
  return (
    <div className="min-w-0">
      {/* Always there, so that each answer is read out; the body is left to be read at will. */}
      <output data-answer="" className="block text-sm text-soft">
        {outcome?.kind === "answered" && <Summary answer={outcome} />}
        {outcome?.kind === "unreachable" && (
          <span className="text-invalid">No answer arrived. Check your connection, then send it again.</span>
        )}
        {outcome === null && (
          <span className="text-muted">The answer will stand here, with its status and timing.</span>
        )}
      </output>
      {outcome?.kind === "answered" && (
        <CodeBlock label="Answer" title="Answer" code={outcome.text} className="mt-3 [&_pre]:max-h-80" />
      )}
    </div>
  );
}

function Summary({ answer }: { answer: Answered }) {
  const { status, took, left } = answer;
  const remark = remarkOn(answer);
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={toneOf(answer)}>{`${status} ${STATUS_WORDS[status] ?? ""}`.trim()}</Badge>
        <span className="font-mono text-xs">{milliseconds(took)}</span>
        {left && (
          <span className="font-mono text-xs">
            {left.remaining} of {left.limit} requests left this minute
          </span>
        )}
      </span>
      {remark && <span className="mt-2 block">{remark}</span>}
    </>
  );
}
