import { verifyNumber } from "../../../worker/verification/engine.ts";

export function answer(number: string): string {
  return JSON.stringify(verifyNumber(number));
}
