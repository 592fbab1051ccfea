import { Field } from "../ui/input.tsx";

export interface ApiKeyFieldProps {
  id?: string;
  label?: string;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  /** Where the key is kept, and how long. */
  hint?: string;
}

/** An API key, pasted. It lives in the page's memory and goes nowhere but into calls. */
export function ApiKeyField({
  label = "API key",
  value,
  onChange,
  error,
  hint = "Kept in this page’s memory until you leave it, and sent to the API only.",
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
      placeholder="ch_test_…"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={error}
      hint={hint}
    />
  );
}
