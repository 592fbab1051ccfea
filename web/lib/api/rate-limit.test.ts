import { expect, test } from "vitest";
import { rateLimitOf, retryAfterOf } from "./rate-limit.ts";

test.each([
  ['"requests";r=59;t=60', { remaining: 59, seconds: 60 }],
  ['"requests"; t=60; r=0', { remaining: 0, seconds: 60 }],
  ['"requests";r=4;x="a";t=2', { remaining: 4, seconds: 2 }],
  ['"requests";r=4, "numbers";r=9;t=7', { remaining: 4, seconds: null }],
  ['"requests"', { remaining: null, seconds: null }],
  ["", { remaining: null, seconds: null }],
])("RateLimit: %s", (header, expected) => {
  expect(rateLimitOf(new Headers({ RateLimit: header }))).toStrictEqual({ ...expected, limit: null });
});

test("the whole limit comes from the policy", () => {
  expect(rateLimitOf(new Headers({ "RateLimit-Policy": '"requests";q=60;w=60' }))).toStrictEqual({
    remaining: null,
    seconds: null,
    limit: 60,
  });
});

test.each([
  ["0", 0],
  ["12", 12],
  ["", null],
  ["-1", null],
  ["soon", null],
  ["Wed, 21 Oct 2026 07:28:00 GMT", null],
])("Retry-After: %s", (header, expected) => {
  expect(retryAfterOf(new Headers({ "Retry-After": header }))).toBe(expected);
});

test("without the headers nothing is known", () => {
  expect(rateLimitOf(new Headers())).toStrictEqual({ remaining: null, seconds: null, limit: null });
  expect(retryAfterOf(new Headers())).toBeNull();
});
