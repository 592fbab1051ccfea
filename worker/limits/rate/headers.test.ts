import { expect, test } from "vitest";
import { rateLimitHeaders } from "./headers.ts";

const POLICY = { name: "default", limit: 60, windowSeconds: 60 };

test("an admitted request is told its policy and what remains", () => {
  expect(rateLimitHeaders(POLICY, { allowed: true, remaining: 59, resetSeconds: 60 })).toStrictEqual({
    "RateLimit-Policy": '"default";q=60;w=60',
    RateLimit: '"default";r=59;t=60',
  });
});

test("a refused one is told when to come back", () => {
  expect(rateLimitHeaders(POLICY, { allowed: false, retryAfterSeconds: 17 })).toStrictEqual({
    "RateLimit-Policy": '"default";q=60;w=60',
    RateLimit: '"default";r=0;t=17',
    "Retry-After": "17",
  });
});
