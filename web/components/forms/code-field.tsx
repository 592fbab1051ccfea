import type { FormEvent } from "react";
import { Field } from "../ui/input.tsx";
import type { FieldProps } from "../ui/input.tsx";

/** A field for an authenticator app's six digits. Submits its form once they are complete. */
export function CodeField(props: Omit<FieldProps, "autoComplete" | "inputMode" | "code">) {
  function submit({ currentTarget: { value, form } }: FormEvent<HTMLInputElement>): void {
    if (/^\d{6}$/.test(value.replace(/[\s-]/g, ""))) form?.requestSubmit();
  }
  return <Field {...props} code autoComplete="one-time-code" inputMode="numeric" onInput={submit} required />;
}
