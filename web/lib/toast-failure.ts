import { failureMessage, isAboutFields } from "./api/failure.ts";
import { wasCalledOff } from "./session/password-prompt.ts";
import { toast } from "./toast.ts";

/** Says that something failed, and why. Silent if the user canceled the password prompt. Nothing is left to show. */
export function toastFailure(title: string, error: unknown): undefined {
  if (!wasCalledOff(error)) toast.error(title, failureMessage(error, "Try again in a moment."));
}

/** The same for a form, where the errors about fields are already beside them. */
export function toastFormFailure(title: string, error: unknown): undefined {
  if (!isAboutFields(error)) toastFailure(title, error);
}
