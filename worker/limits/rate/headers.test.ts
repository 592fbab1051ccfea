import { expect, test } from "vitest";
import { rateLimitHeaders } from "./headers.ts";
import type { PolicyStanding } from "./headers.ts";

const REQUESTS = { name: "requests", limit: 60, windowSeconds: 60 };
const NUMBERS = { name: "numbers", limit: 600, windowSeconds: 60 };
const free = (remaining: number, resetSeconds: number) => ({ allowed: true, remaining, resetSeconds }) as const;
const rejected = (retryAfterSeconds: number) => ({ allowed: false, retryAfterSeconds }) as const;
const fieldsOf = (...standings: PolicyStanding[]) => rateLimitHeaders(standings);

test("an admitted request reports its policies and what remains, in the same order", () => {
  expect(fieldsOf([REQUESTS, free(59, 60)], [NUMBERS, free(500, 42)])).toStrictEqual({
    "RateLimit-Policy": '"requests";q=60;w=60, "numbers";q=600;w=60',
    RateLimit: '"requests";r=59;t=60, "numbers";r=500;t=42',
  });
});

test("a rejected one says when to retry", () => {
  expect(fieldsOf([REQUESTS, rejected(17)])).toStrictEqual({
    "RateLimit-Policy": '"requests";q=60;w=60',
    RateLimit: '"requests";r=0;t=17',
    "Retry-After": "17",
  });
});

test("one rejected by two policies waits for both", () => {
  const headers = fieldsOf([REQUESTS, rejected(17)], [NUMBERS, rejected(40)]);
  expect(headers).toMatchObject({ RateLimit: '"requests";r=0;t=17, "numbers";r=0;t=40', "Retry-After": "40" });
});
