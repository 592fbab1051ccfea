import { ERRORS, SANDBOX_ERRORS } from "../../contract/errors.ts";

/** What a caller got. `code` is null for an answer that is no error. */
export interface Answer {
  readonly status: number;
  readonly code: string | null;
  /** The body, parsed when it is JSON. */
  readonly body: unknown;
}

/** A status that is no HTTP status: nothing came, or the connection broke. */
export const NO_ANSWER = 0;

const STATUSES: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries({ ...ERRORS, ...SANDBOX_ERRORS }).map(([code, { status }]) => [code, status]),
);

/** The name under which answers are counted: "200", "401 INVALID_API_KEY", "no answer". */
export function classOf({ status, code }: Answer): string {
  if (status === NO_ANSWER) return "no answer";
  return code === null ? String(status) : `${status} ${code}`;
}

/**
 * Whether the contract names an answer: a success, or an error by its code and that code's status. INTERNAL_ERROR is named, but stands
 * for what nobody foresaw, so that it is none of those that may happen.
 */
export function isNamed({ status, code }: Answer): boolean {
  if (code === null) return status >= 200 && status < 300;
  return code !== "INTERNAL_ERROR" && STATUSES[code] === status;
}

/** Whether an answer is one that a kind of traffic may get. `expects` has error codes, and "OK" for an answer that is none. */
export function isExpected(answer: Answer, expects: readonly string[]): boolean {
  return isNamed(answer) && expects.includes(answer.code ?? "OK");
}
