import { describe, expect, test } from "vitest";
import { callId, createIdempotencyMemory, hoursRemembered, isIdempotencyKey } from "./calls.ts";
import type { IdempotentCall } from "./calls.ts";

const SECRET = "a-secret-of-the-tests-and-no-other";
const SECRETS = { current: SECRET, retiring: null };

describe("Idempotency-Key", () => {
  test.each(["a", "8e03978e-40d5-43e8-bc93-6894a57f9324", "!~", "x".repeat(255)])("may be %j", (value) => {
    expect(isIdempotencyKey(value)).toBe(true);
  });
  test.each(["", " ", "a b", "é", "a\n", "x".repeat(256)])("may not be %j", (value) => {
    expect(isIdempotencyKey(value)).toBe(false);
  });
});

const CALL: IdempotentCall = { userId: "usr_1", mode: "live", idempotencyKey: "key", body: "one" };

describe("the id of a call", () => {
  test("is the same when repeated, and differs when anything about the call differs", () => {
    const call = callId(SECRET, CALL);
    expect(callId(SECRET, { ...CALL })).toBe(call);
    const others = [
      callId(SECRET, { ...CALL, userId: "usr_2" }),
      callId(SECRET, { ...CALL, mode: "test" }),
      callId(SECRET, { ...CALL, idempotencyKey: "yek" }),
      callId(SECRET, { ...CALL, body: "two" }),
      callId(`${SECRET}!`, CALL),
    ];
    expect(new Set([call, ...others]).size).toBe(6);
  });

  test("can't be confused by where the account ends and the key begins", () => {
    const call = callId(SECRET, { ...CALL, idempotencyKey: "ab" });
    expect(callId(SECRET, { ...CALL, userId: "usr_1a", idempotencyKey: "b" })).not.toBe(call);
  });

  test("has an id in the ledgers' format, for an hour for an SDK's and two days otherwise", () => {
    expect(callId(SECRET, CALL)).toMatch(/^[0-9a-f]{24}$/);
    expect(hoursRemembered("sdk-8e03978e-40d5-43e8-bc93-6894a57f9324")).toBe(1);
    expect(hoursRemembered("8e03978e-40d5-43e8-bc93-6894a57f9324")).toBe(48);
  });
});

describe("an isolate's memory", () => {
  test("detects another body under the same key, and only that", () => {
    const memory = createIdempotencyMemory(SECRETS);
    expect(memory.recall(CALL)).not.toBeNull();
    expect(memory.recall(CALL)).not.toBeNull();
    expect(memory.recall({ ...CALL, body: "two" })).toBeNull();
    expect(memory.recall(CALL)).not.toBeNull();
    expect(memory.recall({ ...CALL, mode: "test", body: "two" })).not.toBeNull();
    expect(memory.recall({ ...CALL, userId: "usr_2", body: "two" })).not.toBeNull();
  });

  test("recognizes a finished call by its id", () => {
    const memory = createIdempotencyMemory(SECRETS);
    const call = memory.recall(CALL)!;
    expect(call).toStrictEqual({ call: { id: callId(SECRET, CALL), hours: 48 }, answered: false });
    call.answered = true;
    expect(memory.recall(CALL)?.answered).toBe(true);
  });

  test("recognizes a call under both secrets during a rotation", () => {
    const next = `${SECRET}!`;
    const call = createIdempotencyMemory({ current: next, retiring: SECRET }).recall(CALL);
    expect(call).toStrictEqual({
      call: { id: callId(SECRET, CALL), alias: callId(next, CALL), hours: 48 },
      answered: false,
    });
  });

  test("evicts the oldest calls rather than grow", () => {
    const memory = createIdempotencyMemory(SECRETS, 2);
    for (const idempotencyKey of ["a", "b", "c"]) memory.recall({ ...CALL, idempotencyKey });
    expect(memory.recall({ ...CALL, idempotencyKey: "a", body: "two" })).not.toBeNull();
    expect(memory.recall({ ...CALL, idempotencyKey: "c", body: "two" })).toBeNull();
  });
});
