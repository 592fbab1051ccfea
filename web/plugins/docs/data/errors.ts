import { ENDPOINTS } from "../../../../contract/endpoints/index.ts";
import { ANY_OPERATION } from "../../../../contract/endpoints/endpoint.ts";
import { ERRORS } from "../../../../contract/errors.ts";
import type { ErrorCode } from "../../../../contract/errors.ts";

/** An error as the catalogue lists it. */
export interface DocError {
  readonly code: string;
  readonly id: string;
  readonly status: number;
  readonly message: string;
  readonly fix: string;
}

/** Where an error is explained: `error-rate_limited`. */
export function errorId(code: string): string {
  return `error-${code.toLowerCase()}`;
}

/** The errors that calls with an API key may answer with. */
const OF_VERIFICATION: ReadonlySet<string> = new Set([
  ...ENDPOINTS.filter((endpoint) => endpoint.credential === "key").flatMap((endpoint) => endpoint.errors),
  ...ANY_OPERATION,
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
]);

const SETS: Readonly<Record<string, (code: string) => boolean>> = {
  all: () => true,
  verification: (code) => OF_VERIFICATION.has(code),
  dashboard: (code) => !OF_VERIFICATION.has(code),
};

/** The errors of a set, by status: `all`, `verification` (calls with an API key) or `dashboard` (all others). */
export function docErrors(set: string): DocError[] {
  const isIn = SETS[set];
  if (isIn === undefined)
    throw new Error(`There is no set of errors ${set}. There are ${Object.keys(SETS).join(", ")}.`);
  return (Object.keys(ERRORS) as ErrorCode[])
    .filter(isIn)
    .map((code) => {
      const { status, message, fix } = ERRORS[code];
      return { code, id: errorId(code), status, message, fix };
    })
    .toSorted((a, b) => a.status - b.status);
}
