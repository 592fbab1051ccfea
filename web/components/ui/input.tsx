import { useState } from "react";
import type { ComponentProps, ReactNode } from "react";
import { clsx } from "clsx";
import { Eye, EyeOff } from "lucide-react";
import { CONTROL, FieldFrame, useFieldIds } from "./field-frame.tsx";
import type { FieldTexts } from "./field-frame.tsx";

export type FieldProps = FieldTexts &
  Omit<ComponentProps<"input">, "className" | "size"> & {
    /** Monospaced, for numbers, keys and codes. */
    mono?: boolean | undefined;
    /** A control inside, at the end. */
    trailing?: ReactNode;
    /** Of the whole field, label included. */
    className?: string | undefined;
  };

/** A text field with its label, hint and error. Every other prop is the input's own. */
export function Field({
  label,
  hideLabel,
  hint,
  error,
  aside,
  mono,
  trailing,
  className,
  id: given,
  type = "text",
  ...input
}: FieldProps) {
  const { id, control } = useFieldIds(given, { hint, error });
  return (
    <FieldFrame {...{ id, label, hideLabel, hint, error, aside, className }}>
      <div className="relative">
        <input
          {...input}
          {...control}
          type={type}
          className={clsx(CONTROL, mono && "font-mono", trailing !== undefined && "pr-12")}
        />
        {trailing !== undefined && <div className="absolute inset-y-0 right-0 flex items-center pr-1">{trailing}</div>}
      </div>
    </FieldFrame>
  );
}

export type EmailFieldProps = Omit<FieldProps, "type" | "label" | "autoComplete"> & {
  /** Whether it says who signs in, for password managers, or is only an address. */
  autoComplete: "username" | "email";
};

/** A field for the visitor's own address. */
export function EmailField(props: EmailFieldProps) {
  return <Field autoCapitalize="none" spellCheck={false} {...props} label="Email" type="email" />;
}

export type PasswordFieldProps = Omit<FieldProps, "type" | "trailing" | "mono" | "autoComplete"> & {
  /** Tells password managers whether to fill in or to suggest. */
  autoComplete: "current-password" | "new-password";
};

/** A password field whose text can be shown. The button's name stays; its pressed state tells what is the case. */
export function PasswordField(props: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <Field
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...props}
      type={shown ? "text" : "password"}
      trailing={
        <button
          type="button"
          aria-label="Show password"
          aria-pressed={shown}
          disabled={props.disabled}
          onClick={() => setShown(!shown)}
          className="flex size-9 items-center justify-center rounded-sm text-muted transition-colors duration-(--duration-quick) hover:bg-sunken hover:text-ink"
        >
          <Icon aria-hidden="true" className="size-4" strokeWidth={1.5} />
        </button>
      }
    />
  );
}
