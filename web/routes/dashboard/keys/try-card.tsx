import { useId, useState } from "react";
import { ConditionChoice } from "../../../components/forms/condition-choice.tsx";
import { MoreFields } from "../../../components/forms/more-fields.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { Field } from "../../../components/ui/input.tsx";
import { ANY_NUMBER, conditionsOf } from "../../../lib/acceptance.ts";
import type { Condition } from "../../../lib/acceptance.ts";
import { useMode } from "../../../lib/mode.ts";
import { isSendable, modeOf } from "./key-words.ts";
import { TryForm } from "./try-form.tsx";
import { useVerify } from "./use-verify.ts";

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
export function TryCard({ first }: { first: string | undefined }) {
  const id = useId();
  const numberId = useId();
  const [text, setText] = useState("");
  const [withKey, setWithKey] = useState(false);
  const [error, setError] = useState<string>();
  const [condition, setCondition] = useState<Condition>(ANY_NUMBER);
  const [withConditions, setWithConditions] = useState(false);
  const { outcome, isPending, send } = useVerify();
  const dashboardMode = useMode();
  const key = text.trim();
  const mode = withKey ? modeOf(key) : dashboardMode;

  function submit(number: string | null) {
    const problem = withKey ? unsendable(key) : undefined;
    setError(problem);
    if (number === null) return;
    const input = { number, conditions: withConditions ? conditionsOf(condition) : {} };
    if (problem === undefined) send(withKey ? { key } : { session: dashboardMode }, input);
    else document.getElementById(id)?.focus();
  }

  return (
    <Card padding="none">
      <h2 className="sr-only">Try it</h2>
      <TryForm
        id={numberId}
        mode={mode}
        first={first}
        outcome={outcome}
        isPending={isPending}
        onSend={submit}
        className="grid gap-4 p-5"
      >
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
            <Field
              id={id}
              mono
              label="Your API key"
              type="password"
              autoComplete="off"
              // Password managers' attributes for the same purpose.
              data-1p-ignore=""
              data-lpignore="true"
              data-bwignore="true"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              value={text}
              onChange={(event) => {
                setText(event.target.value);
                setError(undefined);
              }}
              error={error}
              placeholder={`ch_${dashboardMode}_…`}
              hint="Kept in memory only. Never saved, and sent only to the API."
            />
          </MoreFields>
        </div>
      </TryForm>
    </Card>
  );
}
