import { expect, test } from "vitest";
import { parseOptions, UsageError } from "./arguments.ts";

const DEFAULTS = { environment: "production", dryRun: false, gradual: false, watchMinutes: 10 };

test.each([
  ["", DEFAULTS],
  ["--env production", DEFAULTS],
  ["--env staging --dry-run", { ...DEFAULTS, environment: "staging", dryRun: true }],
  ["--gradual --watch 5", { ...DEFAULTS, gradual: true, watchMinutes: 5 }],
  ["--help", null],
])("npm run deploy -- %s", (line, options) => {
  expect(parseOptions(line.split(" ").filter(Boolean), false)).toStrictEqual(options);
});

test("Workers Builds deploys the top level, which it has filled in, unless told otherwise", () => {
  expect(parseOptions([], true)).toStrictEqual({ ...DEFAULTS, environment: null });
  expect(parseOptions(["--env", "staging"], true)).toMatchObject({ environment: "staging" });
});

test.each([
  ["--env prod", '--env must be production or staging, not "prod".'],
  ["--watch 5", "--watch goes with --gradual."],
  ["--gradual --watch 0", '--watch must be a whole number of minutes from 1 to 60, not "0".'],
  ["--force", "Unknown option '--force'."],
  ["production", "Unexpected argument 'production'."],
])("%s is refused", (line, message) => {
  expect(() => parseOptions(line.split(" "), false)).toThrow(UsageError);
  expect(() => parseOptions(line.split(" "), false)).toThrow(message);
});
