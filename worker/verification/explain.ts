import { ERRORS, SANDBOX_ERRORS } from "../../contract/errors.ts";
import { FLAGS, REASONS, REJECTIONS, SUGGESTIONS } from "../../contract/reasons.ts";

interface Explanation {
  readonly message: string;
  readonly fix?: string;
}

/** A test key's error for real numbers too. */
const TOO_SHORT: Explanation = {
  message: "A test key's error for an input of fewer than six digits. A live key returns a result with the reason.",
};

/** By code. */
const EXPLANATIONS: ReadonlyMap<string, Explanation> = new Map<string, Explanation>([
  ...Object.entries(ERRORS),
  ...Object.entries(SANDBOX_ERRORS).map(([code, { message }]) => [code, sandboxScenario(message)] as const),
  ["REJECTED_FORMAT", TOO_SHORT],
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

/** What a reason, a flag, or an error code means and what to do about it, in any letter case; null for an unknown code. */
export function explainCode(typed: string): { code: string; explanation: string } | null {
  const code = [typed, typed.toUpperCase(), typed.toLowerCase()].find((each) => EXPLANATIONS.has(each));
  if (code === undefined) return null;
  const { message, fix } = EXPLANATIONS.get(code)!;
  return { code, explanation: fix === undefined ? message : `${message} ${fix}` };
}
