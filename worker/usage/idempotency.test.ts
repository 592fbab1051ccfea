import { describe, expect, test } from "vitest";
import { callId, createCallMemory, eventIdOf, isIdempotencyKey } from "./idempotency.ts";

const SECRET = "a-secret-of-the-tests-and-no-other";

describe("Idempotency-Key", () => {
  test.each(["a", "8e03978e-40d5-43e8-bc93-6894a57f9324", "!~", "x".repeat(255)])("may be %j", (value) => {
    expect(isIdempotencyKey(value)).toBe(true);
  });
  test.each(["", " ", "a b", "é", "a\n", "x".repeat(256)])("may not be %j", (value) => {
    expect(isIdempotencyKey(value)).toBe(false);
  });
});

describe("the events of a call", () => {
  test("have the same ids when it is repeated, and others for another key, account or item", () => {
    const call = callId(SECRET, "usr_1", "key");
    expect(callId(SECRET, "usr_1", "key")).toBe(call);
    const others = [
      callId(SECRET, "usr_2", "key"),
      callId(SECRET, "usr_1", "yek"),
      callId(`${SECRET}!`, "usr_1", "key"),
    ];
    expect(new Set([call, ...others]).size).toBe(4);
    expect(eventIdOf(call, 0)).not.toBe(eventIdOf(call, 1));
  });

  test("cannot be confused by where the account ends and the key begins", () => {
    expect(callId(SECRET, "usr_1a", "b")).not.toBe(callId(SECRET, "usr_1", "ab"));
  });

  test("have ids of the form that the consumer takes", () => {
    expect(eventIdOf(callId(SECRET, "usr_1", "key"), 99)).toMatch(/^[\w:]{1,100}$/);
  });
});

describe("the memory of an isolate", () => {
  test("tells another body under the same key, and only that", () => {
    const memory = createCallMemory(SECRET);
    expect(memory.matches("call", "one")).toBe(true);
    expect(memory.matches("call", "one")).toBe(true);
    expect(memory.matches("call", "two")).toBe(false);
    expect(memory.matches("call", "one")).toBe(true);
    expect(memory.matches("other", "two")).toBe(true);
  });

  test("forgets the oldest calls rather than grow", () => {
    const memory = createCallMemory(SECRET, 2);
    for (const call of ["a", "b", "c"]) memory.matches(call, "one");
    expect(memory.matches("a", "two")).toBe(true);
    expect(memory.matches("c", "two")).toBe(false);
  });
});
