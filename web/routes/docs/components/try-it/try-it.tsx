import { useState } from "react";
import type { ComponentType, FormEvent } from "react";
import { service } from "../../../../../contract/endpoints/service.ts";
import { MAX_NUMBER_LENGTH } from "../../../../../contract/limits.ts";
import { API_BASE_PATH } from "../../../../../contract/origin.ts";
import { SANDBOX_FAILURES, SANDBOX_SUCCESSES } from "../../../../../contract/sandbox.ts";
import { Cross } from "../../../../components/ui/cross.tsx";
import { Badge } from "../../../../components/ui/badge.tsx";
import { Button } from "../../../../components/ui/button.tsx";
import { CodeBlock } from "../../../../components/ui/code-block.tsx";
import { Field, Select } from "../../../../components/ui/input.tsx";
import { TextLink } from "../../../../components/ui/link.tsx";
import { Failure } from "../../../../components/ui/notice.tsx";
import { toast } from "../../../../lib/toast.ts";
import { useLate } from "../../../../lib/use-late.ts";
import { announcement, credentialFor, keyProblem, numberProblem, useCall } from "./call.ts";
import type { CallState } from "./call.ts";
import type { CodeViewProps } from "./code-view.tsx";

const EMPTY = {
  idle: "The response appears here.",
  calling: "Sending…",
} as const;
const STILL = "Still waiting…";

/** After this long, a call says that it is still waiting. */
const SLOW_MS = 3000;

/** A call's response. */
function AnswerView({ state, isSlow }: { state: CallState; isSlow: boolean }) {
  if (state.outcome === "unreachable") return null;
  if (state.outcome !== "answered") {
    return <p className="text-base text-muted">{isSlow ? STILL : EMPTY[state.outcome]}</p>;
  }
  const { status, took, headers, body, html } = state;
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 text-base">
        <Badge tone={status === 200 ? "verified" : "invalid"}>{status}</Badge>
        <span className="label">{Math.max(1, Math.round(took))} ms from this browser</span>
      </p>
      <dl className="mt-4 grid gap-1 font-mono text-xs sm:grid-cols-[8.5rem_minmax(0,1fr)] sm:gap-x-4">
        {headers.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted max-sm:mt-1">{name}</dt>
            <dd className="wrap-anywhere text-ink">{value}</dd>
          </div>
        ))}
      </dl>
      <CodeBlock html={html} code={body} label="Response" title="Body" className="mt-4" wrap />
    </>
  );
}

/** The call as code, collapsed. The samples are large, so they are loaded when it is first opened. */
function CodeDetails({ number }: CodeViewProps) {
  const [View, setView] = useState<ComponentType<CodeViewProps>>();

  async function load(): Promise<void> {
    try {
      const { CodeView } = await import("./code-view.tsx");
      setView(() => CodeView);
    } catch {
      toast.error("Couldn’t load the code", "Check your connection, then open it again.");
    }
  }

  return (
    <details className="group" data-needs-script onToggle={({ currentTarget }) => currentTarget.open && void load()}>
      <summary className="flex min-h-12 items-center justify-between px-4 text-base font-medium text-ink">
        The same call as code
        <Cross />
      </summary>
      <div className="min-h-80 px-4 pb-4">
        {View ? <View number={number} /> : <p className="text-muted">Loading…</p>}
      </div>
    </details>
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

/** A console on the page: any number without a key, or with a test key, kept only in this component. */
export function TryIt() {
  const [key, setKey] = useState("");
  const [number, setNumber] = useState<string>(FIRST);
  const [checked, setChecked] = useState(false);
  const { state, wait, clear, call } = useCall();
  const isSlow = useLate(state.outcome === "calling", SLOW_MS);
  const credential = credentialFor(key.trim(), number);
  const isDemo = number !== "" && credential === "demo";
  const problems = { key: keyProblem(key.trim()), number: numberProblem(number) };

  /** An old or late response would be mistaken for the current input's. */
  function changeKey(value: string) {
    setKey(value);
    clear();
  }

  function changeNumber(value: string) {
    setNumber(value);
    clear();
  }

  function send(event: FormEvent) {
    event.preventDefault();
    setChecked(true);
    if (problems.key === null && problems.number === null && wait === 0) call(credential, number);
  }

  return (
    <section aria-label="Console" className="doc-console">
      <div className="flex min-h-11 items-center gap-3 border-b border-line px-4 py-2">
        <span className="label text-ink!">POST</span>
        <span className="label min-w-0 flex-1 truncate">
          {isDemo ? service.demoLookup.path : `${API_BASE_PATH}/verify`}
        </span>
        <span className="label max-[22rem]:hidden">{isDemo ? "demo" : "sandbox"}</span>
      </div>
      <noscript>
        <p className="p-4">The console needs JavaScript.</p>
      </noscript>
      <div
        data-needs-script
        className="border-b border-line @min-[48rem]:grid @min-[48rem]:grid-cols-[minmax(0,13fr)_minmax(0,15fr)]"
      >
        <form
          noValidate
          autoComplete="off"
          onSubmit={send}
          className="grid gap-4 p-4 @min-[28rem]:@max-[48rem]:grid-cols-2 @min-[48rem]:sticky @min-[48rem]:top-16 @min-[48rem]:self-start"
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
          <Field
            className="col-span-full"
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
            hint="The scenarios need none. Without one, the demo’s endpoint responds to other numbers, as to a live key. Kept in memory only, and sent only to the API."
            aside={<TextLink to="/dashboard">Get one</TextLink>}
            error={(checked || key.trim().startsWith("ch_live_")) && problems.key}
          />
          <div className="col-span-full">
            <Button type="submit" busy={state.outcome === "calling"} disabled={wait > 0} className="max-sm:w-full">
              {wait > 0 ? `Try again in ${wait} s` : "Send"}
            </Button>
          </div>
        </form>
        <output className="sr-only">{isSlow ? STILL : announcement(state)}</output>
        <div className="min-h-24 border-line p-4 @max-[48rem]:border-t @min-[48rem]:border-l">
          <Failure>{state.outcome === "unreachable" && "No response. Check your connection and try again."}</Failure>
          <AnswerView state={state} isSlow={isSlow} />
        </div>
      </div>
      <CodeDetails number={number} />
    </section>
  );
}
