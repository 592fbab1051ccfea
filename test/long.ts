/// <reference types="vite/types/importMeta.d.ts" />
import { test } from "vitest";

/** Whether this is `npm run test:long`, which runs the long forms of sweeps and random trials. */
const IS_LONG = import.meta.env.MODE === "long";

/** The first value in the long form of a test, the second in the short one. */
export function longOrShort<Long, Short = Long>(long: Long, short: Short): Long | Short {
  return IS_LONG ? long : short;
}

/** A test only for the long form: a variation of the short one, or a slow one. */
export const longTest = test.runIf(IS_LONG);

/** All cases in the long form, the first in the short one. */
export function firstOrAll<T>(cases: readonly T[]): readonly T[] {
  return IS_LONG ? cases : cases.slice(0, 1);
}

/**
 * All items in the long form, every eleventh in the short one, so that every position of groups of ten, such as digits,
 * is covered.
 */
export function allOrSome<T>(items: readonly T[]): readonly T[] {
  return IS_LONG ? items : items.filter((_, index) => index % 11 === 0);
}
