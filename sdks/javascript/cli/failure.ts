import { Unusable } from "../../../lists/unusable.ts";
import {
  AuthenticationError,
  ChecklineError,
  ConnectionError,
  QuotaError,
  RateLimitError,
  ServerError,
} from "../src/index.js";

/** The exit codes, as documented. */
export const EXIT = { done: 0, input: 1, stopped: 2, interrupted: 130 } as const;

/** A text for a terminal: a control character in it could move the cursor, or change the title. */
export function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]/gu, "\uFFFD");
}

/** A wrong command, file, or setting. `message` says what to do. */
export class InputError extends Error {
  override readonly name = "InputError";
}

/** The user ended the program. */
export class Interruption extends Error {
  override readonly name = "Interruption";
}

/** What to print about a failure, and the exit code. */
export interface Failure {
  readonly message: string;
  readonly exit: number;
}

/** "40 seconds", "3 hours". */
function duration(seconds: number): string {
  const [count, unit] =
    seconds < 100
      ? [seconds, "second"]
      : seconds < 6_000
        ? [seconds / 60, "minute"]
        : ([seconds / 3_600, "hour"] as const);
  const whole = Math.ceil(count);
  return `${whole} ${unit}${whole === 1 ? "" : "s"}`;
}

function day(iso: string): string {
  return new Date(iso).toLocaleDateString("en-US", {
    year: "numeric",
    month: "short",
    day: "numeric",
    timeZone: "UTC",
  });
}

/** What to do about an error of the service, and whether the same command works later. */
function remedyFor(error: ChecklineError): { readonly remedy: string; readonly exit: number } {
  if (error instanceof QuotaError) {
    const more = error.code === "KEY_CAP_REACHED" ? "Raise the key’s cap in the dashboard" : "Email support for more";
    const resets = error.quota?.resetsAt;
    return { remedy: resets ? `${more}, or wait for ${day(resets)}.` : `${more}.`, exit: EXIT.stopped };
  }
  if (error instanceof RateLimitError) {
    const wait = error.retryAfter === null ? "a minute" : duration(error.retryAfter);
    return { remedy: `Wait ${wait}. Other programs with this account’s keys use the same limit.`, exit: EXIT.stopped };
  }
  if (error instanceof ConnectionError) return { remedy: "Check your connection.", exit: EXIT.stopped };
  if (error instanceof ServerError) return { remedy: "Wait a few minutes.", exit: EXIT.stopped };
  if (error instanceof AuthenticationError) {
    const remedy = error.status === 401 ? "Set CHECKLINE_API_KEY to a key from the dashboard." : "";
    return { remedy, exit: EXIT.input };
  }
  return { remedy: "", exit: EXIT.input };
}

const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: "There is no such file or folder",
  EACCES: "You have no permission",
  EPERM: "You have no permission",
  EISDIR: "It is a folder",
  ENOSPC: "The disk is full",
};

function pathFailure({ code, path, message }: NodeJS.ErrnoException): string {
  // The program reading the output has closed it.
  if (code === "EPIPE") return "";
  const why = SYSTEM_ERRORS[code ?? ""];
  return why === undefined ? message : `${path ?? "Output"}: ${why} (${code}).`;
}

/** What to print about anything thrown, and the exit code. No message contains the key or a number. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ChecklineError) {
    const { remedy, exit } = remedyFor(error);
    const id = error.requestId !== null && exit === EXIT.stopped ? ` Request ${error.requestId}.` : "";
    return { message: [`${error.code}: ${error.message}`, remedy].filter(Boolean).join(" ") + id, exit };
  }
  if (error instanceof InputError || error instanceof Unusable) return { message: error.message, exit: EXIT.input };
  // Node's streams throw an error of their own when they are aborted.
  if (error instanceof Interruption || (error instanceof Error && error.name === "AbortError"))
    return { message: "Interrupted.", exit: EXIT.interrupted };
  if (error instanceof Error && "code" in error)
    return { message: pathFailure(error as NodeJS.ErrnoException), exit: EXIT.input };
  throw error;
}
