import { KEY_MODES } from "../../../contract/limits.ts";
import type { KeyMode } from "../../../contract/limits.ts";
import { Field } from "../ui/input.tsx";

/** Whether a text can be sent as a key at all: one word of characters that a header allows. The API decides whether the key is good. */
export function isSendable(key: string): boolean {
  return /^[\x21-\x7e]+$/.test(key);
}

/** Which keys a text seems to be one of; null for text that is no key. */
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
  /** Where the key is kept. */
  hint?: string;
  placeholder?: string;
}

/** An API key, pasted. It lives in the page's memory and goes nowhere but into calls. */
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
      // The words of password managers for the same wish.
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
