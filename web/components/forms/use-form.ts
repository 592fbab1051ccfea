import { useEffect, useRef, useState } from "react";
import type { FormEvent } from "react";
import { flushSync } from "react-dom";
import type { InferOutput } from "valibot";
import { checkBody } from "../../../contract/body.ts";
import type { BodySchema } from "../../../contract/body.ts";
import { ApiFailure } from "../../lib/api/failure.ts";

/** A form's field values, by name. */
export type FormValues = Readonly<Record<string, string>>;

/** Problems with fields, by name. */
export type FormErrors = Readonly<Record<string, string>>;

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function controlsOf(form: HTMLFormElement): Control[] {
  return [...form.elements].filter(
    (element) =>
      element instanceof HTMLInputElement ||
      element instanceof HTMLSelectElement ||
      element instanceof HTMLTextAreaElement,
  );
}

/** A form's text values. Files are omitted. */
function valuesOf(form: HTMLFormElement): FormValues {
  const values: Record<string, string> = {};
  for (const [name, value] of new FormData(form)) if (typeof value === "string") values[name] = value;
  return values;
}

/**
 * Whether every required control has a value. Chrome shows autofilled values, but only reports them after a key press or
 * click. Until then, the controls match `:autofill`, and an animation in base.css tells when.
 */
function allFilled(form: HTMLFormElement): boolean {
  return controlsOf(form).every((control) => !control.required || control.value !== "" || control.matches(":autofill"));
}

/** The form's control with that name. */
function controlNamed(form: HTMLFormElement, name: string): Control | undefined {
  return controlsOf(form).find((control) => control.name === name);
}

/** Moves focus to the first control, in page order, that has an error. */
function focusFirst(form: HTMLFormElement, errors: FormErrors): void {
  controlsOf(form)
    .find((control) => Object.hasOwn(errors, control.name))
    ?.focus();
}

interface FormOptions<S extends BodySchema> {
  /** The request's schema, from contract/. The form's fields have the same names. */
  readonly schema: S;
  /** The body to validate and send, if it is not just the schema's fields. */
  readonly body?: (values: FormValues) => unknown;
  /** Fields that repeat another: `{ confirm_password: "new_password" }`. */
  readonly confirm?: Readonly<Record<string, string>>;
  /** Further errors by field. They override the schema's for the same field. */
  readonly rules?: (values: FormValues) => FormErrors;
  /** Whether the submit button stays disabled until every `required` field has a value. */
  readonly whenFilled?: boolean;
  /** Sends it. If it throws, the submission failed; no other one starts until it settles. */
  readonly submit: (body: InferOutput<S>, form: HTMLFormElement) => Promise<void>;
  /**
   * Reports a failed submission, and may return why, for `problem`. The server's errors about fields are already shown
   * next to them.
   */
  readonly failed: (error: unknown) => string | null | undefined;
}

function confirmErrors(values: FormValues, confirm: Readonly<Record<string, string>>): FormErrors {
  const wrong = Object.entries(confirm).filter(([field, of]) => !values[field] || values[field] !== values[of]);
  return Object.fromEntries(
    wrong.map(([field]) => [field, values[field] ? "Passwords do not match" : "Type the password again"]),
  );
}

function knownFields(schema: BodySchema, values: FormValues): FormValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(schema.entries, name)));
}

function without(errors: FormErrors, names: readonly string[]): FormErrors {
  if (!names.some((name) => Object.hasOwn(errors, name))) return errors;
  return Object.fromEntries(Object.entries(errors).filter(([name]) => !names.includes(name)));
}

/**
 * A native form with uncontrolled fields: validated by the contract on submit, focusing the first error and showing
 * every error next to its field until that changes.
 *
 *     <form {...form.props}>
 *       <Field {...form.field("email")} label="Email" required />
 *       <Button {...form.submitButton}>Send</Button>
 */
export function useForm<S extends BodySchema>(options: FormOptions<S>) {
  const { schema, body, confirm = {}, rules, whenFilled = false, submit, failed } = options;
  const ref = useRef<HTMLFormElement>(null);
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<FormErrors>({});
  const [problem, setProblem] = useState<string | null | undefined>(null);
  /** Null until hydration: a password must not be sent by an unhandled form. */
  const [filled, setFilled] = useState<boolean | null>(null);

  useEffect(() => {
    const form = ref.current;
    if (form === null) return;
    function look(): void {
      if (form) setFilled(allFilled(form));
    }
    // The value after a reset is only available after the event.
    const lookLater = () => setTimeout(look);
    look();
    const mounted = new AbortController();
    // Natively: React skips events that find the value a script has set.
    for (const type of ["input", "change", "animationstart"])
      form.addEventListener(type, look, { signal: mounted.signal });
    form.addEventListener("reset", lookLater, { signal: mounted.signal });
    return () => mounted.abort();
  }, []);

  function clear({ target }: FormEvent<HTMLFormElement>): void {
    const name = target instanceof Element ? (target.getAttribute("name") ?? "") : "";
    // A repetition may match now, whichever of the two was changed.
    const repetitions = Object.keys(confirm).filter((field) => confirm[field] === name);
    setErrors((before) => without(before, [name, ...repetitions]));
  }

  function complain(form: HTMLFormElement, found: FormErrors): void {
    // Synchronously, so that the field gets focus with its error already attached.
    flushSync(() => setErrors(found));
    focusFirst(form, found);
  }

  async function send(form: HTMLFormElement, checked: InferOutput<S>): Promise<void> {
    running.current = true;
    setBusy(true);
    setProblem(null);
    try {
      await submit(checked, form);
    } catch (error) {
      if (error instanceof ApiFailure && form.isConnected) complain(form, error.fields);
      setProblem(failed(error));
    } finally {
      running.current = false;
      setBusy(false);
    }
  }

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (running.current) return;
    const form = event.currentTarget;
    const values = valuesOf(form);
    const check = checkBody(schema, body ? body(values) : knownFields(schema, values));
    const found = { ...(!check.ok && check.fields), ...confirmErrors(values, confirm), ...rules?.(values) };
    complain(form, found);
    if (check.ok && Object.keys(found).length === 0) void send(form, check.output);
    // An error in a value the page itself adds, which no one could correct.
    else if (!Object.keys(found).some((name) => controlNamed(form, name))) {
      setProblem(failed(new Error("Not to be sent")));
    }
  }

  return {
    /** For the `<form>`. With `method="post"`, typed values can't end up in a URL. */
    props: { ref, method: "post", noValidate: true, onSubmit, onInput: clear } as const,
    /** A field's name and error. */
    field: (name: string) => ({ name, error: errors[name] }),
    /** For the `<Button>` that submits. */
    submitButton: {
      type: "submit",
      busy,
      disabled: filled === null || (whenFilled && !filled),
    } as const,
    busy,
    errors,
    /** What `failed` returned for the last submission, for a `<Failure>`. */
    problem,
  };
}
