import { clsx } from "clsx";
import { useEffect, useId, useRef, useState } from "react";
import { MAX_NUMBER_LENGTH } from "../../../../contract/limits.ts";
import type { KeyMode } from "../../../../contract/limits.ts";
import { SANDBOX_FAILURES, SANDBOX_SUCCESSES } from "../../../../contract/sandbox.ts";
import { ResultDrawing, Suggestion } from "../../../components/anatomy/result-drawing.tsx";
import { ConditionChoice } from "../../../components/forms/condition-choice.tsx";
import { acceptanceText, ANY_NUMBER, conditionsOf } from "../../../lib/acceptance.ts";
import type { Condition } from "../../../lib/acceptance.ts";
import { MoreFields } from "../../../components/forms/more-fields.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import type { BadgeTone } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { CodeBlock } from "../../../components/ui/code-block.tsx";
import { Field, Select } from "../../../components/ui/input.tsx";
import { formatCount } from "../../../../contract/format.ts";
import { useMode } from "../../../lib/mode.ts";
import { ApiKeyField, isSendable, modeOf } from "./api-key-field.tsx";
import { useVerify } from "./use-verify.ts";
import type { Outcome } from "./use-verify.ts";

/** The option for a typed number. */
const OWN = "";

const SANDBOX_NUMBERS: readonly string[] = [...SANDBOX_SUCCESSES, ...SANDBOX_FAILURES].map(({ number }) => number);

/** The initial number, if no call leads here. */
const FIRST_NUMBER: string = SANDBOX_SUCCESSES[0].number;

interface NumberToSend {
  /** The field's. */
  readonly id: string;
  readonly number: string;
  readonly error: string | undefined;
  readonly onChange: (number: string) => void;
}

/** The number to send. `isMissing` complains, and leads to its field, if there is none. */
function useNumber(first: string): { choice: NumberToSend; isMissing: (sent: string) => boolean } {
  const id = useId();
  const [number, setNumber] = useState(first);
  const [error, setError] = useState<string>();
  function onChange(next: string) {
    setNumber(next);
    setError(undefined);
  }
  function isMissing(sent: string) {
    if (sent.trim() !== "") return false;
    setError("Enter a number, or pick one");
    document.getElementById(id)?.focus();
    return true;
  }
  return { choice: { id, number, error, onChange }, isMissing };
}

interface NumberChoiceProps extends NumberToSend {
  /** The key's mode, if known. A live key has no sandbox. */
  readonly mode: KeyMode | null;
}

/** Pick a sandbox number or type any. The field always shows what is sent. */
function NumberChoice({ mode, id, number, error, onChange }: NumberChoiceProps) {
  const live = mode === "live";
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Select
        label="Pick a number"
        value={SANDBOX_NUMBERS.includes(number) ? number : OWN}
        onChange={(event) => onChange(event.target.value)}
      >
        <optgroup label="Successes">
          {SANDBOX_SUCCESSES.map(({ number: value, title }) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </optgroup>
        <optgroup label={live ? "Errors, with test keys only" : "Errors"} disabled={live}>
          {SANDBOX_FAILURES.map(({ number: value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </optgroup>
        <option value={OWN}>Another number</option>
      </Select>
      <Field
        id={id}
        mono
        error={error}
        label="Number to send"
        type="tel"
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_NUMBER_LENGTH}
        placeholder="+55 11 98765 4321"
        value={number}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

/** Beside the button: what a call costs. */
function ModeNote({ mode }: { mode: KeyMode | null }) {
  if (mode === null) return null;
  return (
    <p className="text-sm text-muted">
      {mode === "live"
        ? "This is a real lookup. A valid number counts against your quota."
        : "Test mode: free, with sandbox responses."}
    </p>
  );
}

type Answered = Extract<Outcome, { kind: "answered" }>;

/** Names of the endpoint's statuses, which HTTP/2 does not send. */
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

/** Green means verified; an invalid number is a success too, in a neutral tone. */
function toneOf({ answer: { status }, result }: Answered): BadgeTone {
  if (status >= 400) return "invalid";
  return result?.valid ? "verified" : "neutral";
}

function milliseconds(took: number): string {
  return `${formatCount(Math.max(1, Math.round(took)))} ms`;
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

/** The raw response: status, time, what is left of the rate limit, and the body. */
interface OutcomeViewProps {
  readonly outcome: Outcome | null;
  /** Above the drawing of a valid number that arrives by itself: it comes first. */
  readonly title?: string | undefined;
  /** Sends a suggested number. */
  readonly onTake: (number: string) => void;
  readonly className: string;
}

function OutcomeView({ outcome, title, onTake, className }: OutcomeViewProps) {
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
        <CodeBlock
          label="Response"
          title="Response"
          html={outcome.answer.html}
          code={outcome.answer.text}
          className={clsx("mt-3", className)}
        />
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
        <Badge tone={toneOf(outcome)}>{`${status} ${STATUS_WORDS[status] ?? ""}`.trim()}</Badge>
        <span className="font-mono text-xs">{milliseconds(took)}</span>
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

/** Calls the endpoint with an available key; with `auto`, once automatically, and then the form waits for a press. */
export function TryKey({ apiKey, mode, auto = false }: { apiKey: string; mode: KeyMode; auto?: boolean }) {
  const sendId = useId();
  const { choice, isMissing } = useNumber(FIRST_NUMBER);
  const [isOpen, setOpen] = useState(!auto);
  const { outcome, isPending, send } = useVerify();
  function submit(number: string) {
    if (!isMissing(number)) send({ key: apiKey }, { number, conditions: {} });
  }
  function take(number: string) {
    choice.onChange(number);
    submit(number);
    // The pressed button is about to disappear.
    document.getElementById(sendId)?.focus({ preventScroll: true });
  }
  const sendFirst = useRef(() => send({ key: apiKey }, { number: FIRST_NUMBER, conditions: {} }));
  useEffect(() => {
    if (auto) sendFirst.current();
  }, [auto]);
  useEffect(() => {
    if (auto && isOpen) document.getElementById(choice.id)?.focus();
  }, [auto, isOpen, choice.id]);
  if (!isOpen) {
    return (
      <>
        <OutcomeView outcome={outcome} title="Your first verified number" onTake={take} className="[&_pre]:max-h-40" />
        {outcome !== null && (
          <Button variant="secondary" size="sm" className="mt-4" onClick={() => setOpen(true)}>
            Try another number
          </Button>
        )}
      </>
    );
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit(choice.number);
      }}
    >
      <NumberChoice mode={mode} {...choice} />
      <div className="mt-4 mb-5 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button id={sendId} type="submit" variant="secondary" busy={isPending} className="w-full sm:w-auto">
          Send request
        </Button>
        <ModeNote mode={mode} />
      </div>
      <OutcomeView outcome={outcome} onTake={take} className="[&_pre]:max-h-40" />
    </form>
  );
}

/** Why a text can't be sent as a key. */
function unsendable(key: string): string | undefined {
  if (key === "") return "Paste a key first";
  if (!isSendable(key)) return "A key contains only letters, digits, and underscores";
  return undefined;
}

/**
 * Verifies with the session, in the dashboard's mode; or with a key that is stored elsewhere, which is pasted, held only
 * by this component, and gone with the page.
 */
export function TryCard({ first = FIRST_NUMBER }: { first?: string | undefined }) {
  const id = useId();
  const sendId = useId();
  const [text, setText] = useState("");
  const [withKey, setWithKey] = useState(false);
  const [error, setError] = useState<string>();
  const { choice, isMissing } = useNumber(first);
  const [condition, setCondition] = useState<Condition>(ANY_NUMBER);
  const [withConditions, setWithConditions] = useState(false);
  const { outcome, isPending, send } = useVerify();
  const dashboardMode = useMode();
  const key = text.trim();
  const mode = withKey ? modeOf(key) : dashboardMode;

  function submit(number: string) {
    const problem = withKey ? unsendable(key) : undefined;
    setError(problem);
    if (isMissing(number)) return;
    const input = { number, conditions: withConditions ? conditionsOf(condition) : {} };
    if (problem === undefined) send(withKey ? { key } : { session: dashboardMode }, input);
    else document.getElementById(id)?.focus();
  }
  function take(number: string) {
    choice.onChange(number);
    submit(number);
    // The pressed button is about to disappear.
    document.getElementById(sendId)?.focus({ preventScroll: true });
  }

  return (
    <Card padding="none">
      <h2 className="sr-only">Try it</h2>
      <form
        noValidate
        className="grid gap-4 p-5"
        onSubmit={(event) => {
          event.preventDefault();
          submit(choice.number);
        }}
      >
        <NumberChoice mode={mode} {...choice} />
        <div className="flex flex-wrap gap-x-6 gap-y-2">
          <MoreFields title="Add conditions" isOpen={withConditions} onToggle={setWithConditions}>
            <ConditionChoice
              hasRanges
              hint="Sets accept_types, accept_line_types, expect_country, and reject_unallocated in the request."
              value={condition}
              onChange={setCondition}
            />
          </MoreFields>
          <MoreFields title="Use a specific key" isOpen={withKey} onToggle={setWithKey}>
            <ApiKeyField
              id={id}
              value={text}
              onChange={(value) => {
                setText(value);
                setError(undefined);
              }}
              error={error}
              placeholder={`ch_${dashboardMode}_…`}
            />
          </MoreFields>
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button id={sendId} type="submit" busy={isPending} className="w-full sm:w-auto">
            Send request
          </Button>
          <ModeNote mode={mode} />
        </div>
        <OutcomeView outcome={outcome} onTake={take} className="[&_pre]:max-h-80" />
      </form>
    </Card>
  );
}
