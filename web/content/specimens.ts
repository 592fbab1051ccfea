import type { VerificationResult } from "../../contract/verification.ts";
import results from "./results.json";

/** A number that anyone may call or test with, and the engine's result for it. */
interface Specimen {
  /** Whose number it is. */
  readonly owner: string;
  readonly result: VerificationResult;
}

/** The drawings' numbers. results.test.ts writes their results. */
export const SPECIMENS = {
  BR: { owner: "Sandbox number", result: results["+5511987654321"] as VerificationResult },
  US: { owner: "The US Capitol’s switchboard", result: results["+12022243121"] as VerificationResult },
  GB: { owner: "Ofcom, the UK’s regulator", result: results["+442079813000"] as VerificationResult },
} as const satisfies Record<string, Specimen>;
