import { expect, test } from "vitest";
import { rateLimitHeaders } from "./headers.ts";
import type { PolicyState } from "./headers.ts";

const REQUESTS = { name: "requests", limit: 60, windowSeconds: 60 };
const NUMBERS = { name: "numbers", limit: 600, windowSeconds: 60 };
const free = (remaining: number, resetSeconds: number) => ({ allowed: true, remaining, resetSeconds }) as const;
const rejected = (retryAfterSeconds: number) => ({ allowed: false, retryAfterSeconds }) as const;
const fieldsOf = (...states: PolicyState[]) => rateLimitHeaders(states);

test("an admitted request reports its policies and what remains, in the same order", () => {
  expect(fieldsOf({ policy: REQUESTS, state: free(59, 60) }, { policy: NUMBERS, state: free(500, 42) })).toStrictEqual({
    "RateLimit-Policy": '"requests";q=60;w=60, "numbers";q=600;w=60',
    RateLimit: '"requests";r=59;t=60, "numbers";r=500;t=42',
  });
});

test("a rejected one reports that nothing remains, and until when", () => {
  expect(fieldsOf({ policy: REQUESTS, state: free(3, 9) }, { policy: NUMBERS, state: rejected(17) })).toStrictEqual({
    "RateLimit-Policy": '"requests";q=60;w=60, "numbers";q=600;w=60',
    RateLimit: '"requests";r=3;t=9, "numbers";r=0;t=17',
  });
});
