import { useEffect, useRef, useState } from "react";
import type { FormEvent } from "react";
import { flushSync } from "react-dom";
import type { InferOutput } from "valibot";
import { checkBody } from "../../../contract/body.ts";
import type { BodySchema } from "../../../contract/body.ts";
import { ApiFailure } from "../../lib/api/failure.ts";

/** What the fields of a form hold, by name. */
export type FormValues = Readonly<Record<string, string>>;

/** What is wrong with fields, by name. */
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

/** The texts of a form. Files are left out. */
function valuesOf(form: HTMLFormElement): FormValues {
  const values: Record<string, string> = {};
  for (const [name, value] of new FormData(form)) if (typeof value === "string") values[name] = value;
  return values;
}

/** Whether every required control holds something. Chrome shows what it has filled in, and tells it only after a key or press. */
function allFilled(form: HTMLFormElement): boolean {
  return controlsOf(form).every((control) => !control.required || control.value !== "" || control.matches(":autofill"));
}

/** The form's control of that name. */
function controlNamed(form: HTMLFormElement, name: string): Control | undefined {
  return controlsOf(form).find((control) => control.name === name);
}

/** Moves the focus to the first control, in the order of the page, that has an error. */
function focusFirst(form: HTMLFormElement, errors: FormErrors): void {
  controlsOf(form)
    .find((control) => Object.hasOwn(errors, control.name))
    ?.focus();
}

interface FormOptions<S extends BodySchema> {
  /** The request's schema, from contract/. Fields of the form are named as there. */
  readonly schema: S;
  /** The body to check and send, where it is not just the fields that the schema knows. */
  readonly body?: (values: FormValues) => unknown;
  /** Fields that repeat another: `{ confirm_password: "new_password" }`. */
  readonly confirm?: Readonly<Record<string, string>>;
  /** Further complaints by field. They take the place of what the schema says about the same field. */
  readonly rules?: (values: FormValues) => FormErrors;
  /** Whether the submit button stays disabled until every `required` field holds something. */
  readonly whenFilled?: boolean;
  /** Sends it. What it throws is a failed submission; until it settles no other one starts. */
  readonly submit: (body: InferOutput<S>, form: HTMLFormElement) => Promise<void>;
  /** Tells of a failed submission. Complaints of the server about fields stand beside them already. */
  readonly failed: (error: unknown) => void;
}

/** Password managers fill in after the page has loaded, some of them without an event. Milliseconds. */
const LOOK_AGAIN = [100, 400, 1000, 2500];

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
 * A native form, its fields uncontrolled: checked by the contract when it is submitted, with the first complaint focused and every
 * complaint beside its field until that changes.
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
  /** Null until the script has taken the form over: a password must not be sent by a form that nobody handles. */
  const [filled, setFilled] = useState<boolean | null>(null);

  useEffect(() => {
    const form = ref.current;
    if (form === null) return;
    function look(): void {
      if (form) setFilled(allFilled(form));
    }
    // The value after a reset is there only once the event is over.
    const lookLater = () => setTimeout(look);
    look();
    const timers = LOOK_AGAIN.map((delay) => setTimeout(look, delay));
    // Natively: React leaves out events after which it finds the value that a script has set.
    form.addEventListener("input", look);
    form.addEventListener("change", look);
    form.addEventListener("reset", lookLater);
    return () => {
      timers.forEach(clearTimeout);
      form.removeEventListener("input", look);
      form.removeEventListener("change", look);
      form.removeEventListener("reset", lookLater);
    };
  }, []);

  function clear({ target }: FormEvent<HTMLFormElement>): void {
    const name = target instanceof Element ? (target.getAttribute("name") ?? "") : "";
    // A repetition that did not match may do so now, whichever of the two was changed.
    const repetitions = Object.keys(confirm).filter((field) => confirm[field] === name);
    setErrors((before) => without(before, [name, ...repetitions]));
  }

  function complain(form: HTMLFormElement, found: FormErrors): void {
    // At once, so that the field is focused with its complaint already attached.
    flushSync(() => setErrors(found));
    focusFirst(form, found);
  }

  async function send(form: HTMLFormElement, checked: InferOutput<S>): Promise<void> {
    running.current = true;
    setBusy(true);
    try {
      await submit(checked, form);
    } catch (error) {
      if (error instanceof ApiFailure && form.isConnected) complain(form, error.fields);
      failed(error);
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
    // Wrong in what the page itself puts in: nothing that anybody could correct.
    else if (!Object.keys(found).some((name) => controlNamed(form, name))) failed(new Error("Not to be sent"));
  }

  return {
    /** For the `<form>`. With `method="post"` nothing typed can end up in an address. */
    props: { ref, method: "post", noValidate: true, onSubmit, onInput: clear } as const,
    /** Name and complaint of a field. */
    field: (name: string) => ({ name, error: errors[name] }),
    /** For the `<Button>` that submits. */
    submitButton: {
      type: "submit",
      busy,
      disabled: filled === null || (whenFilled && !filled),
    } as const,
    busy,
    errors,
    /** Takes complaints back, all of them: where a form closes and opens again. */
    clearErrors: () => setErrors({}),
  };
}
