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
export function valuesOf(form: HTMLFormElement): FormValues {
  const values: Record<string, string> = {};
  for (const [name, value] of new FormData(form)) if (typeof value === "string") values[name] = value;
  return values;
}

/** Whether every required control holds something. Chrome shows what it has filled in, and tells it only after a key or press. */
export function allFilled(form: HTMLFormElement): boolean {
  return controlsOf(form).every((control) => !control.required || control.value !== "" || control.matches(":autofill"));
}

/** The form's control of that name. */
export function controlNamed(form: HTMLFormElement, name: string): Control | undefined {
  return controlsOf(form).find((control) => control.name === name);
}

/** Moves the focus to the first control, in the order of the page, that has an error. */
export function focusFirst(form: HTMLFormElement, errors: FormErrors): void {
  controlsOf(form)
    .find((control) => Object.hasOwn(errors, control.name))
    ?.focus();
}
