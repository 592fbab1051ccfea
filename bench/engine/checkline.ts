import { verifyNumber } from "../../worker/verification/engine.ts";

/** The deployed engine, with its tables. */
export const resultOf = (text: string, country?: string): object => verifyNumber(text, country, "2026-11-26");
