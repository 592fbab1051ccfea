import { useState } from "react";
import type { KeyMode } from "../../../../../contract/limits.ts";
import { Button } from "../../../../components/ui/button.tsx";
import { Answer } from "./answer.tsx";
import { FIRST_NUMBER, NumberChoice } from "./number-choice.tsx";
import { useVerify } from "./use-verify.ts";

/** Calls the endpoint with a key that is at hand. */
export function TryKey({ apiKey, mode }: { apiKey: string; mode: KeyMode }) {
  const [number, setNumber] = useState(FIRST_NUMBER);
  const { outcome, asking, send } = useVerify();
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send(apiKey, number);
      }}
    >
      <NumberChoice mode={mode} number={number} onChange={setNumber} />
      <Button type="submit" variant="secondary" busy={asking} className="mt-4 mb-5 w-full sm:w-auto">
        Send request
      </Button>
      <Answer outcome={outcome} />
    </form>
  );
}
