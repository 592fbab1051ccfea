import { ApiFailure } from "../api/failure.ts";

/** Asks for the password and sends it to the server. False if the user cancels. */
type Ask = () => Promise<boolean>;

let ask: Ask | null = null;
let underWay: Promise<boolean> | null = null;

/** Registers the password prompt while it is mounted. Returns the unregistration. */
export function provideQuestion(next: Ask): () => void {
  ask = next;
  return () => {
    if (ask === next) ask = null;
  };
}

/** Asks for the password, once for all pending calls. False if it was canceled, or there is no prompt. */
export async function passwordGiven(): Promise<boolean> {
  underWay ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    underWay = null;
  });
  return underWay;
}

/** Whether a call failed because the user canceled the password prompt, which needs no message. */
export function wasCalledOff(error: unknown): boolean {
  return error instanceof ApiFailure && error.code === "PASSWORD_REQUIRED";
}
