import { useState } from "react";
import type { FormEvent } from "react";
import { MAX_NUMBER_LENGTH } from "../../../../contract/limits.ts";
import { API_BASE_PATH } from "../../../../contract/origin.ts";
import { SANDBOX_FAILURES, SANDBOX_SUCCESSES } from "../../../../contract/sandbox.ts";
import { Button } from "../../../components/ui/button.tsx";
import { Field, Select } from "../../../components/ui/input.tsx";
import { TextLink } from "../../../components/ui/link.tsx";
import { announcement } from "./console/announcement.ts";
import { AnswerView } from "./console/answer-view.tsx";
import { CodeDetails } from "./console/code-details.tsx";
import { keyProblem, numberProblem } from "./console/input.ts";
import { useCall } from "./console/use-call.ts";

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
      <option value={OWN}>A number of your own</option>
    </Select>
  );
}

/** A console on the page: calls the API with a test key, which is kept nowhere but in this component. */
export function TryIt() {
  const [key, setKey] = useState("");
  const [number, setNumber] = useState<string>(FIRST);
  const [checked, setChecked] = useState(false);
  const { state, wait, clear, call } = useCall();
  const problems = { key: keyProblem(key.trim()), number: numberProblem(number) };

  /** An answer that stayed, or arrived later, would be taken for the one to what stands there now. */
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
    if (problems.key === null && problems.number === null && wait === 0) call(key.trim(), number);
  }

  return (
    <section aria-label="Console" className="doc-console">
      <div className="flex min-h-11 items-center gap-3 border-b border-line px-4 py-2">
        <span className="label text-ink!">POST</span>
        <span className="label min-w-0 flex-1 truncate">{API_BASE_PATH}/verify</span>
        <span className="label">test keys only</span>
      </div>
      <form
        noValidate
        autoComplete="off"
        onSubmit={send}
        className="grid gap-4 border-b border-line p-4 sm:grid-cols-2"
      >
        <Field
          className="sm:col-span-2"
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
          hint="Held in this page’s memory until you leave it. It is sent to the API and nowhere else."
          aside={<TextLink to="/dashboard">Get one</TextLink>}
          error={checked && problems.key}
        />
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
        <div className="flex flex-wrap items-center gap-3 sm:col-span-2">
          <Button type="submit" busy={state.outcome === "calling"} disabled={wait > 0} className="max-sm:w-full">
            {wait > 0 ? `Again in ${wait} s` : "Send"}
          </Button>
        </div>
      </form>
      <output className="sr-only">{announcement(state)}</output>
      <div className="min-h-24 border-b border-line p-4">
        <AnswerView state={state} wait={wait} />
      </div>
      <CodeDetails number={number} />
    </section>
  );
}
