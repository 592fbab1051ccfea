import { Children, useEffect, useId, useRef, useState } from "react";
import type { FormEvent, ReactNode } from "react";
import { service } from "../../../../../contract/endpoints/service.ts";
import { MAX_NUMBER_LENGTH } from "../../../../../contract/limits.ts";
import { SANDBOX_FAILURES, SANDBOX_SUCCESSES } from "../../../../../contract/sandbox.ts";
import { Badge } from "../../../../components/ui/badge.tsx";
import { Button } from "../../../../components/ui/button.tsx";
import { Cross } from "../../../../components/ui/cross.tsx";
import { CodeBlock } from "../../../../components/ui/code-block.tsx";
import { Field, Select } from "../../../../components/ui/input.tsx";
import { TextLink } from "../../../../components/ui/link.tsx";
import { Failure } from "../../../../components/ui/notice.tsx";
import { useLate } from "../../../../lib/use-late.ts";
import { CodeFrame } from "../elements.tsx";
import { announcement, credentialFor, isPlain, keyProblem, numberProblem, useCall } from "./call.ts";
import type { Answer } from "./call.ts";

const STILL = "Still waiting…";

/** After this long, a call says that it is still waiting. */
const SLOW_MS = 3000;

/** A call's response, which comes into sight: below a long sample it would go unnoticed. */
function AnswerView({ answer }: { answer: Answer }) {
  const view = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In new browsers it returns a promise, which React would take for a cleanup.
    view.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const { status, took, headers, body, html } = answer;
  const title = (
    <span className="flex flex-wrap items-center gap-2">
      <Badge tone={status === 200 ? "verified" : "invalid"}>{status}</Badge>
      {Math.max(1, Math.round(took))} ms from this browser
    </span>
  );
  return (
    <div ref={view} className="doc-flow scroll-mb-6">
      <CodeBlock html={html} code={body} label="Response" title={title} wrap />
      <dl className="grid gap-1 font-mono text-xs @min-[28rem]:grid-cols-[8.5rem_minmax(0,1fr)] @min-[28rem]:gap-x-4">
        {headers.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted @max-[28rem]:mt-1">{name}</dt>
            <dd className="wrap-anywhere text-ink">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

const FIRST = SANDBOX_SUCCESSES[0].number;
const OWN = "own";

interface ScenarioProps {
  readonly number: string;
  readonly onChoose: (number: string) => void;
}

function Scenario({ number, onChoose }: ScenarioProps) {
  const known = [...SANDBOX_SUCCESSES, ...SANDBOX_FAILURES].some((scenario) => scenario.number === number);
  return (
    <Select
      label="Scenario"
      value={known ? number : OWN}
      onChange={({ currentTarget }) => onChoose(currentTarget.value === OWN ? "" : currentTarget.value)}
    >
      <optgroup label="Successes">
        {SANDBOX_SUCCESSES.map((scenario) => (
          <option key={scenario.number} value={scenario.number}>
            {scenario.title}
          </option>
        ))}
      </optgroup>
      <optgroup label="Failures">
        {SANDBOX_FAILURES.map(({ number: value, code, name }) => (
          <option key={value} value={value}>
            {code}: {name}
          </option>
        ))}
      </optgroup>
      <option value={OWN}>Another number</option>
    </Select>
  );
}

/**
 * The call and a response to it, as a console: any number without a key, or with a test key, kept only in this
 * component. Until something is sent, it shows the page's own response.
 */
export function TryIt({ children }: { children: ReactNode }) {
  const [call, example] = Children.toArray(children);
  const form = useId();
  const [key, setKey] = useState("");
  const [number, setNumber] = useState<string>(FIRST);
  const [checked, setChecked] = useState(false);
  const { state, wait, clear, send } = useCall();
  const isSlow = useLate(state.outcome === "calling", SLOW_MS);
  const credential = credentialFor(key.trim(), number);
  const problems = { key: keyProblem(key.trim()), number: numberProblem(number) };
  const isWritten = isPlain(number);

  /** An old or late response would be mistaken for the current input's. */
  function changeKey(value: string) {
    setKey(value);
    clear();
  }

  function changeNumber(value: string) {
    setNumber(value);
    clear();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    setChecked(true);
    if (problems.key === null && problems.number === null && wait === 0) send(credential, number);
  }

  const button = (
    <Button
      form={form}
      type="submit"
      size="sm"
      busy={state.outcome === "calling"}
      disabled={wait > 0}
      data-needs-script
    >
      {wait > 0 ? `Try again in ${wait} s` : "Send"}
    </Button>
  );
  return (
    <section aria-label="Console" className="doc-console doc-flow">
      <form
        id={form}
        noValidate
        autoComplete="off"
        onSubmit={submit}
        data-needs-script
        className="grid gap-3 @min-[28rem]:grid-cols-2"
      >
        <Scenario number={number} onChoose={changeNumber} />
        <Field
          label="Number"
          mono
          type="tel"
          value={number}
          maxLength={MAX_NUMBER_LENGTH}
          onChange={({ currentTarget }) => changeNumber(currentTarget.value)}
          autoComplete="off"
          error={checked && problems.number}
        />
      </form>
      <CodeFrame value={{ end: button, adapt: (html) => (isWritten ? html.replaceAll(FIRST, () => number) : html) }}>
        {call}
      </CodeFrame>
      <details data-needs-script className="group text-sm">
        <summary className="inline-flex min-h-8 items-center gap-1.5 text-muted hover:text-ink">
          <Cross />
          With a test key
        </summary>
        <Field
          form={form}
          label="Test key"
          mono
          value={key}
          onChange={({ currentTarget }) => changeKey(currentTarget.value)}
          placeholder="ch_test_…"
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          data-1p-ignore
          data-lpignore="true"
          data-sensitive
          hint="Optional. Scenarios work without a key. Other numbers go to the demo endpoint, which responds like a live key."
          aside={<TextLink to="/dashboard">Get one</TextLink>}
          error={(checked || key.trim().startsWith("ch_live_")) && problems.key}
        />
      </details>
      {!isWritten && number !== "" && (
        <p className="text-sm text-muted">
          The code has {FIRST}: what you wrote would have to be escaped, in each language in its own way.
        </p>
      )}
      {number !== "" && credential === "demo" && (
        <p className="text-sm text-muted">
          Without a key, this is sent to <code>{service.demoLookup.path}</code>.
        </p>
      )}
      <output className="sr-only">{isSlow ? STILL : announcement(state)}</output>
      <Failure>{state.outcome === "unreachable" && "No response. Check your connection and try again."}</Failure>
      {isSlow && <p className="text-sm text-muted">{STILL}</p>}
      {state.outcome === "answered" ? (
        <AnswerView answer={state} />
      ) : number === FIRST ? (
        example
      ) : (
        <p className="text-base text-muted">The response appears here.</p>
      )}
    </section>
  );
}
