import { verifyNumber } from "../../worker/verification/engine.ts";

/** The deployed engine, with its tables. */
export const resultOf = verifyNumber;
