/// <reference types="vite/types/importMeta.d.ts" />
import { test } from "vitest";

/** Whether this is `npm run test:long`, where sweeps and random trials take their long forms. */
const IS_LONG = import.meta.env.MODE === "long";

/** The first in the long form of a test, the second in the short one. */
export function longOrShort<Long, Short = Long>(long: Long, short: Short): Long | Short {
  return IS_LONG ? long : short;
}

/** A test of the long form alone: a variation of what the short one tests, or one that takes long. */
export const longTest = test.runIf(IS_LONG);

/** All cases in the long form, the first in the short one. */
export function firstOrAll<T>(cases: readonly T[]): readonly T[] {
  return IS_LONG ? cases : cases.slice(0, 1);
}

/** All items in the long form, every eleventh in the short one: what comes in tens, such as digits, is then met in every place. */
export function allOrSome<T>(items: readonly T[]): readonly T[] {
  return IS_LONG ? items : items.filter((_, index) => index % 11 === 0);
}
