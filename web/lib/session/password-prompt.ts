import { ApiFailure } from "../api/failure.ts";

/** Asks for the password and gives it to the server. False where the user calls it off. */
type Ask = () => Promise<boolean>;

let ask: Ask | null = null;
let underWay: Promise<boolean> | null = null;

/** Says how the password is asked for, while there is a place to ask. Returns what takes it back. */
export function provideQuestion(next: Ask): () => void {
  ask = next;
  return () => {
    if (ask === next) ask = null;
  };
}

/** Asks for the password, once for all that need it now. False when it was called off, or where nothing can ask. */
export async function passwordGiven(): Promise<boolean> {
  underWay ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    underWay = null;
  });
  return underWay;
}

/** Whether a call failed because its user called off the question for the password: nothing that they need to hear. */
export function wasCalledOff(error: unknown): boolean {
  return error instanceof ApiFailure && error.code === "PASSWORD_REQUIRED";
}
