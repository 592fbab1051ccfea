import { useId, useState } from "react";
import type { ComponentProps, ReactNode } from "react";
import { clsx } from "clsx";
import ChevronDown from "lucide-react/icons/chevron-down";
import Eye from "lucide-react/icons/eye";
import EyeOff from "lucide-react/icons/eye-off";

/** What surrounds every form control. */
interface FieldTexts {
  label: ReactNode;
  /** Hides the label, which stays the accessible name. */
  hideLabel?: boolean | undefined;
  /** Help below the control. */
  hint?: ReactNode;
  /** The problem with the value, shown instead of the hint and announced when it appears. */
  error?: ReactNode;
  /** At the end of the label's line: "Optional", a link. */
  aside?: ReactNode;
}

/** The ids that connect a control to its label, hint, and error, with the attributes. */
function useFieldIds(given: string | undefined, { hint, error }: Pick<FieldTexts, "hint" | "error">) {
  const made = useId();
  const id = given ?? made;
  const note = error ? `${id}-error` : hint ? `${id}-hint` : undefined;
  return {
    id,
    control: { id, ...(note !== undefined && { "aria-describedby": note }), "aria-invalid": error ? true : undefined },
  };
}

export const CONTROL = clsx(
  "block min-h-11 w-full rounded-md border border-edge bg-surface px-3 py-2 text-base text-ink",
  // iOS zooms in on anything smaller than 16 px.
  "pointer-coarse:text-[1rem]",
  "transition-colors duration-(--duration-quick) placeholder:text-muted hover:border-muted aria-invalid:border-invalid",
  "focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:opacity-45 [&[readonly]]:bg-sunken",
);

/** Label and control, with the error or the hint below. */
function FieldFrame({
  id,
  label,
  hideLabel,
  hint,
  error,
  aside,
  className,
  children,
}: FieldTexts & { id: string; className?: string | undefined; children: ReactNode }) {
  return (
    <div className={clsx("min-w-0", className)}>
      <div className={clsx("flex items-baseline justify-between gap-4", hideLabel && !aside ? "sr-only" : "mb-1.5")}>
        <label htmlFor={id} className={clsx("text-sm font-medium text-ink", hideLabel && "sr-only")}>
          {label}
        </label>
        {aside && <div className="shrink-0 text-sm text-muted">{aside}</div>}
      </div>
      {children}
      {hint && !error && (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-muted">
          {hint}
        </p>
      )}
      {/* Always rendered, so that a later error is announced. */}
      <div aria-live="polite">
        {error && (
          <p id={`${id}-error`} className="mt-1.5 text-sm text-invalid">
            {error}
          </p>
        )}
      </div>
    </div>
  );
}

export type FieldProps = FieldTexts &
  Omit<ComponentProps<"input">, "className" | "size"> & {
    /** Monospaced, for numbers, keys, and codes. */
    mono?: boolean | undefined;
    /** Widely spaced, for a short numeric code. */
    code?: boolean | undefined;
    /** A control inside, at the end. */
    trailing?: ReactNode;
    /** Of the whole field, label included. */
    className?: string | undefined;
  };

/** A text field with its label, hint, and error. Every other prop is the input's own. */
export function Field({
  label,
  hideLabel,
  hint,
  error,
  aside,
  mono,
  code,
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
          className={clsx(
            CONTROL,
            mono && "font-mono",
            code && "text-center font-mono text-xl! tracking-[0.4em]",
            trailing !== undefined && "pr-12",
          )}
        />
        {trailing !== undefined && <div className="absolute inset-y-0 right-0 flex items-center pr-1">{trailing}</div>}
      </div>
    </FieldFrame>
  );
}

type EmailFieldProps = Omit<FieldProps, "type" | "label" | "autoComplete"> & {
  /** For password managers: whether it is the login name or just an address. */
  autoComplete: "username" | "email";
};

/** A field for the visitor's own address. */
export function EmailField(props: EmailFieldProps) {
  return <Field autoCapitalize="none" spellCheck={false} {...props} label="Email" type="email" />;
}

type PasswordFieldProps = Omit<FieldProps, "type" | "trailing" | "mono" | "autoComplete"> & {
  /** Tells password managers whether to fill in or to suggest. */
  autoComplete: "current-password" | "new-password";
};

/** A password field whose text can be shown. The button's name stays; its pressed state shows which applies. */
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
          className="flex size-9 items-center justify-center rounded-sm pointer-coarse:size-11 text-muted transition-colors duration-(--duration-quick) hover:bg-sunken hover:text-ink"
        >
          <Icon aria-hidden="true" className="size-4" strokeWidth={1.5} />
        </button>
      }
    />
  );
}

type TextAreaProps = Omit<FieldTexts, "hideLabel"> &
  Omit<ComponentProps<"textarea">, "className"> & {
    /** Of the control. */
    className?: string | undefined;
    /** Of the whole field, label included. */
    fieldClass?: string | undefined;
  };

/** Several lines to type or paste as they are, with their label, hint, and error. */
export function TextArea({ label, hint, error, aside, className, fieldClass, id: given, ...rest }: TextAreaProps) {
  const { id, control } = useFieldIds(given, { hint, error });
  return (
    <FieldFrame {...{ id, label, hint, error, aside }} className={fieldClass}>
      <textarea
        {...rest}
        {...control}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        autoCorrect="off"
        className={clsx(CONTROL, "resize-y", className)}
      />
    </FieldFrame>
  );
}

type SelectProps = FieldTexts &
  Omit<ComponentProps<"select">, "className" | "multiple" | "size"> & {
    /** Of the whole field, label included. */
    className?: string | undefined;
  };

/** The native select with its label, hint, and error. Its children are `<option>`s. */
export function Select({ label, hideLabel, hint, error, aside, className, id: given, children, ...rest }: SelectProps) {
  const { id, control } = useFieldIds(given, { hint, error });
  return (
    <FieldFrame {...{ id, label, hideLabel, hint, error, aside, className }}>
      <div className="relative">
        <select {...rest} {...control} className={clsx(CONTROL, "cursor-pointer appearance-none truncate pr-10")}>
          {children}
        </select>
        <ChevronDown
          aria-hidden="true"
          strokeWidth={1.5}
          className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
        />
      </div>
    </FieldFrame>
  );
}
