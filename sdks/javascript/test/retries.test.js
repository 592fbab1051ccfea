import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ConnectionError, RateLimitError, ServerError } from "checkline";
import { answer, clientOf, KEY, rejection, skipWaiting } from "./answers.js";

const ATTEMPT = 10_000;

/** The pauses among the timers. */
function pausesOf(waits) {
  return waits.filter((ms) => ms !== ATTEMPT);
}

test("there are two retries and ten seconds for each attempt by default", async (t) => {
  const waits = skipWaiting(t);
  const { checkline, requests } = clientOf([rejection(500)]);
  await assert.rejects(checkline.verify("1"), ServerError);
  assert.equal(requests.length, 3);
  assert.equal(waits.filter((ms) => ms === ATTEMPT).length, 3);
});

describe("pauses", () => {
  for (const [random, pauses] of [
    [0, [250, 500, 1000, 2000, 4000, 4000]],
    [0.5, [375, 750, 1500, 3000, 6000, 6000]],
    [1 - 2 ** -52, [500, 1000, 2000, 4000, 8000, 8000]],
  ]) {
    test(`double up to eight seconds, and half of them is random (${random})`, async (t) => {
      const waits = skipWaiting(t);
      t.mock.method(Math, "random", () => random);
      const { checkline } = clientOf([rejection(502)], { maxRetries: 6 });
      await assert.rejects(checkline.verify("1"), ServerError);
      assert.deepEqual(pausesOf(waits).map(Math.round), pauses);
    });
  }

  for (const status of [429, 503]) {
    test(`follow a ${status}'s Retry-After, up to a minute`, async (t) => {
      const waits = skipWaiting(t);
      const { checkline } = clientOf([rejection(status, { "Retry-After": "60" }), answer()]);
      await checkline.verify("1");
      assert.deepEqual(pausesOf(waits), [60_000]);
    });

    test(`of more than that are left to the caller (${status})`, async () => {
      const { checkline, requests } = clientOf([rejection(status, { "Retry-After": "61" })]);
      await assert.rejects(checkline.verify("1"), { status });
      assert.equal(requests.length, 1);
    });
  }

  for (const value of [
    "-1",
    "1.5",
    "1e3",
    "1000000000",
    "9".repeat(400),
    "Wed, 21 Oct 2026",
    "Wed, 99 Oct 2026 07:28:00 GMT",
    "",
  ]) {
    test(`are the default ones after Retry-After: ${value}`, async (t) => {
      const waits = skipWaiting(t);
      const { checkline } = clientOf([rejection(429, { "Retry-After": value })], { maxRetries: 1 });
      await assert.rejects(
        checkline.verify("1"),
        (error) => error instanceof RateLimitError && error.retryAfter === null,
      );
      const [pause] = pausesOf(waits);
      assert.ok(pause >= 250 && pause <= 500, `${pause} ms`);
    });
  }
});

describe("the Idempotency-Key", () => {
  async function keysOf(checkline, requests, options) {
    await checkline.lookup("1", options);
    return requests.splice(0).map(({ headers }) => headers["Idempotency-Key"]);
  }

  test("is the same in all attempts of a call and new for each call", async (t) => {
    skipWaiting(t);
    const { checkline, requests } = clientOf([rejection(500), rejection(429), answer()]);
    const [first, ...others] = await keysOf(checkline, requests);
    assert.match(first, /^sdk-[0-9a-f]{32}$/);
    assert.deepEqual(others, [first, first]);
    const { checkline: again, requests: later } = clientOf([answer()]);
    assert.notEqual((await keysOf(again, later))[0], first);
  });

  test("is the caller's own if given", async () => {
    const { checkline, requests } = clientOf([answer()]);
    assert.deepEqual(await keysOf(checkline, requests, { idempotencyKey: "order-4711" }), ["order-4711"]);
    assert.match((await keysOf(checkline, requests))[0], /^sdk-[0-9a-f]{32}$/);
  });

  test("of 1 to 255 printable characters is accepted, and anything else rejected before anything is sent", async () => {
    const { checkline, requests } = clientOf([answer()]);
    for (const idempotencyKey of ["!", "~".repeat(255)]) {
      assert.deepEqual(await keysOf(checkline, requests, { idempotencyKey }), [idempotencyKey]);
    }
    for (const idempotencyKey of ["", "order 7", " order", "a\nb", "order\n", "é", "x".repeat(256), 4711, null]) {
      await assert.rejects(checkline.lookup("1", { idempotencyKey }), TypeError);
    }
    assert.equal(requests.length, 0);
  });
});

test("statuses beyond 599 are not retried", async () => {
  const body = { status: 600, headers: new Headers(), text: async () => "" };
  const { checkline, requests } = clientOf([() => body]);
  await assert.rejects(checkline.verify("1"), ServerError);
  assert.equal(requests.length, 1);
});

describe("what fetch throws", () => {
  function thrower(error) {
    return () => {
      throw error;
    };
  }

  test("is retried, and finally reported by the system's code", async (t) => {
    skipWaiting(t);
    const cause = Object.assign(new Error("connect 127.0.0.1"), { code: "ECONNREFUSED" });
    const { checkline, requests } = clientOf([thrower(new TypeError("fetch failed", { cause }))]);
    await assert.rejects(checkline.verify("1"), (error) => {
      assert.ok(error instanceof ConnectionError);
      assert.equal(error.message, "The connection to 127.0.0.1:1 failed (ECONNREFUSED).");
      assert.deepEqual({ ...error }, { code: "CONNECTION_FAILED", status: null, requestId: null });
      return true;
    });
    assert.equal(requests.length, 3);
  });

  test("for a connection that took too long is a timeout", async () => {
    const cause = Object.assign(new Error("late"), { code: "UND_ERR_CONNECT_TIMEOUT" });
    const { checkline } = clientOf([thrower(new TypeError("fetch failed", { cause }))], { maxRetries: 0 });
    await assert.rejects(checkline.verify("1"), { name: "ConnectionError", code: "TIMEOUT" });
  });

  for (const [what, thrown] of [
    ["an error that shows the request", Object.assign(new Error(`Bearer ${KEY}`), { code: KEY, config: { KEY } })],
    ["a text", `Bearer ${KEY}`],
    ["nothing", undefined],
    ["null", null],
  ]) {
    test(`may be ${what}, which is omitted`, async () => {
      const { checkline } = clientOf([thrower(thrown)], { maxRetries: 0 });
      await assert.rejects(checkline.verify("1"), (error) => {
        assert.ok(error instanceof ConnectionError);
        assert.deepEqual([error.message, error.cause], ["The connection to 127.0.0.1:1 failed.", undefined]);
        return true;
      });
    });
  }
});
