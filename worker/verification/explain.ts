import { ERRORS, SANDBOX_ERRORS } from "../../contract/errors.ts";
import { FLAGS, REASONS, REJECTIONS, SUGGESTIONS } from "../../contract/reasons.ts";

interface Explanation {
  readonly message: string;
  readonly fix?: string;
}

/** Errors of test keys for real lookups too, not just for sandbox numbers. */
const LOOKUP_FAILURES: Readonly<Record<string, Explanation>> = {
  REJECTED_FORMAT: {
    message: "A test key's error for an invalid number. A live key returns a result with the reason.",
  },
  REJECTED_PREFIX_MISSING: {
    ...REASONS.MISSING_COUNTRY_CODE,
    message: "A test key's error: the number has no plus sign and the request has no country.",
  },
};

/** By code. */
const EXPLANATIONS: ReadonlyMap<string, Explanation> = new Map<string, Explanation>([
  ...Object.entries(ERRORS),
  ...Object.entries(SANDBOX_ERRORS).map(([code, { message }]) => [code, sandboxScenario(message)] as const),
  ...Object.entries(LOOKUP_FAILURES),
  ...Object.entries(REASONS),
  ...Object.entries(REJECTIONS),
  ...Object.entries(SUGGESTIONS).map(([code, row]) => [code, { ...row, fix: "Ask before you use it." }] as const),
  ...Object.entries(FLAGS),
]);

function sandboxScenario(message: string): Explanation {
  return {
    message: `A sandbox scenario, for test keys only: "${message}".`,
    fix: "It tells you nothing about a real number.",
  };
}

/** What a reason, a flag, or an error code means and what to do about it; null for an unknown code. */
export function explainCode(code: string): string | null {
  const explanation = EXPLANATIONS.get(code);
  if (explanation === undefined) return null;
  const { message, fix } = explanation;
  return fix === undefined ? message : `${message} ${fix}`;
}
