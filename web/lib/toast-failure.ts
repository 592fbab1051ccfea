import { failureMessage } from "./api/failure.ts";
import { wasCalledOff } from "./session/password-prompt.ts";
import { toast } from "./toast.ts";

/** Says that something failed, and why. Nothing where the user called off the question for the password. */
export function toastFailure(title: string, error: unknown): void {
  if (!wasCalledOff(error)) toast.error(title, failureMessage(error, "Try again in a moment."));
}
