/** The day on which tests run, "2027-03-01", if it isn't today: from the environment. */
export const TEST_DAY = process.env["TEST_DAY"];

declare global {
  interface DateConstructor {
    /** How far a moved clock is ahead, in milliseconds. */
    ahead?: number;
  }
}

function toNoon(day: string): number {
  return Date.parse(`${day}T12:00:00Z`) - Date.now();
}

/** A script that moves a program's clock to the day of the tests, once; empty today. */
export const CLOCK =
  TEST_DAY === undefined
    ? ""
    : `if (Date.ahead === undefined) globalThis.Date = class extends Date {
  static ahead = ${Date.ahead ?? toNoon(TEST_DAY)};
  static now() { return super.now() + Date.ahead; }
  constructor(...at) { super(...(at.length === 0 ? [Date.now()] : at)); }
};
`;

// Vitest loads this file before each test file.
// oxlint-disable-next-line no-eval -- The script is for the worker and the browser too.
(0, eval)(CLOCK);
