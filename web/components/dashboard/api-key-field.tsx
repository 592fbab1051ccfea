import { KEY_MODES } from "../../../contract/limits.ts";
import type { KeyMode } from "../../../contract/limits.ts";
import { Field } from "../ui/input.tsx";

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
  id?: string;
  label?: string;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  /** Where the key is stored. */
  hint?: string;
  placeholder?: string;
}

/** A pasted API key. Kept in memory and used only in calls. */
export function ApiKeyField({
  label = "API key",
  value,
  onChange,
  error,
  hint = "Kept in memory only. Never saved, and sent only to the API.",
  placeholder = "ch_test_…",
  ...rest
}: ApiKeyFieldProps) {
  return (
    <Field
      {...rest}
      mono
      label={label}
      type="password"
      autoComplete="off"
      // Password managers' attributes for the same purpose.
      data-1p-ignore=""
      data-lpignore="true"
      data-bwignore="true"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      placeholder={placeholder}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={error}
      hint={hint}
    />
  );
}
