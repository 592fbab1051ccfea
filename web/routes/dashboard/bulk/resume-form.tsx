import { useState } from "react";
import type { KeyMode } from "../../../../contract/limits.ts";
import { Button } from "../../../components/ui/button.tsx";
import { KEY_HINT } from "./check.ts";
import { modeOf } from "../../../lib/api-key.ts";
import { ApiKeyField } from "../../../components/dashboard/api-key-field.tsx";

export interface ResumeFormProps {
  mode: KeyMode;
  /** With another key, or the same once more. */
  onResume: (key?: string) => void;
}

/** After a refusal: goes on where it stopped, with another key of the same mode or with the one there was. */
export function ResumeForm({ mode, onResume }: ResumeFormProps) {
  const [key, setKey] = useState("");
  const [error, setError] = useState<string>();

  function resume() {
    const text = key.trim();
    if (text === "") onResume();
    else if (modeOf(text) === mode) onResume(text);
    else setError(`This check began with a ${mode} key. Paste another ${mode} key, or begin a new check.`);
  }

  return (
    <form
      noValidate
      className="mx-5 mt-5 grid gap-3 rounded-md border border-line bg-sunken p-4"
      onSubmit={(event) => {
        event.preventDefault();
        resume();
      }}
    >
      <ApiKeyField
        label="Another key"
        value={key}
        onChange={(text) => {
          setKey(text);
          setError(undefined);
        }}
        error={error}
        hint={KEY_HINT}
      />
      <Button type="submit" size="sm" className="justify-self-start">
        {key.trim() === "" ? "Try again with the same key" : "Resume with this key"}
      </Button>
    </form>
  );
}
