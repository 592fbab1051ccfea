import { KEY_MODES } from "../../../../contract/limits.ts";
import type { KeyMode } from "../../../../contract/limits.ts";
import { Field } from "../../../components/ui/input.tsx";

/**
 * Whether a text could be sent as a key: one word of characters allowed in a header. The API decides whether the key is
 * valid.
 */
export function isSendable(key: string): boolean {
  return /^[\x21-\x7e]+$/.test(key);
}

/** The mode of a text that looks like a key; null for other text. */
export function modeOf(key: string): KeyMode | null {
  if (!isSendable(key)) return null;
  return KEY_MODES.find((mode) => key.startsWith(`ch_${mode}_`)) ?? null;
}

interface ApiKeyFieldProps {
  readonly id: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
  readonly placeholder: string;
}

/** A pasted API key. Kept in memory and used only in calls. */
export function ApiKeyField({ onChange, ...props }: ApiKeyFieldProps) {
  return (
    <Field
      {...props}
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
      onChange={(event) => onChange(event.target.value)}
      hint="Kept in memory only. Never saved, and sent only to the API."
    />
  );
}
