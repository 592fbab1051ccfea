import type { VerificationResult } from "../../contract/verification.ts";
import results from "./results.json";

/** Numbers that anyone may call or test with, and the engine's results for them, for drawings. results.test.ts writes them. */
export const SPECIMENS = {
  /** A number of the sandbox. */
  BR: results["+5511987654321"] as VerificationResult,
  /** The US Capitol's switchboard. */
  US: results["+12022243121"] as VerificationResult,
  /** Ofcom, the UK's regulator. */
  GB: results["+442079813000"] as VerificationResult,
};

/** A mobile number of São Paulo as it was before 2012. */
export const OLD_BRAZILIAN = results["+551187654321"] as VerificationResult;
