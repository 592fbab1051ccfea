import { useId, useState } from "react";
import { ConditionChoice } from "../../../components/forms/condition-choice.tsx";
import { MoreFields } from "../../../components/forms/more-fields.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { ANY_NUMBER, conditionsOf } from "../../../lib/acceptance.ts";
import type { Condition } from "../../../lib/acceptance.ts";
import { useMode } from "../../../lib/mode.ts";
import { ApiKeyField, isSendable, modeOf } from "./api-key-field.tsx";
import { FIRST_NUMBER, ModeNote, NumberChoice, useNumber } from "./number-choice.tsx";
import { OutcomeView } from "./outcome-view.tsx";
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
        <OutcomeView outcome={outcome} onTake={take} />
      </form>
    </Card>
  );
}
