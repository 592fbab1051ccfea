import { useId, useState } from "react";
import { Button } from "../../../../components/ui/button.tsx";
import { Card, CardHeader } from "../../../../components/ui/card.tsx";
import { ApiKeyField } from "../../../../components/dashboard/api-key-field.tsx";
import { isSendable, modeOf } from "../../../../lib/api-key.ts";
import { Answer } from "./answer.tsx";
import { FIRST_NUMBER, NumberChoice } from "./number-choice.tsx";
import { useVerify } from "./use-verify.ts";

/** What keeps a text from being sent as a key. */
function unsendable(key: string): string | undefined {
  if (key === "") return "Paste a key first";
  if (!isSendable(key)) return "A key is one word of letters, digits and underscores";
  return undefined;
}

/** For a key that was saved elsewhere: it is pasted, held by this component alone, and gone with the page. */
export function TryCard() {
  const id = useId();
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();
  const [number, setNumber] = useState(FIRST_NUMBER);
  const { outcome, asking, send } = useVerify();
  const key = text.trim();

  function submit() {
    const problem = unsendable(key);
    setError(problem);
    if (problem === undefined) send(key, number);
    else document.getElementById(id)?.focus();
  }

  return (
    <Card padding="none">
      <CardHeader
        title={<h2>Try it</h2>}
        description={
          <>
            Calls <code className="font-mono text-xs">POST /api/v1/verify</code> from this page, with a key of yours.
          </>
        }
      />
      <form
        noValidate
        className="grid gap-5 p-5"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <ApiKeyField
          id={id}
          label="Your API key"
          value={text}
          onChange={(value) => {
            setText(value);
            setError(undefined);
          }}
          error={error}
        />
        <NumberChoice mode={modeOf(key)} number={number} onChange={setNumber} />
        <Button type="submit" variant="secondary" busy={asking} className="w-full sm:w-auto sm:justify-self-start">
          Send request
        </Button>
        <Answer outcome={outcome} />
      </form>
    </Card>
  );
}
