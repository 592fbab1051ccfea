import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, test } from "node:test";
import { ConnectionError } from "checkline";
import { answer, clientOf, rejection } from "./answers.js";

/** Ignores its signal and never responds. */
function silence() {
  return new Promise(() => {});
}

/** Never responds, but rejects when aborted. */
function obedient({ signal }) {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}

describe("a signal of the caller's", () => {
  test("that has already aborted sends nothing", async () => {
    const { checkline, requests } = clientOf([answer()]);
    await assert.rejects(checkline.verify("1", { signal: AbortSignal.abort() }), { name: "AbortError" });
    assert.equal(requests.length, 0);
  });

  for (const [what, fetch] of Object.entries({ silence, obedient })) {
    test(`ends an attempt immediately, without a retry (${what})`, async () => {
      const controller = new AbortController();
      const reason = new Error("changed my mind");
      const { checkline, requests } = clientOf([fetch]);
      const call = checkline.verify("1", { signal: controller.signal });
      setTimeout(() => controller.abort(reason), 20);
      await assert.rejects(call, (error) => error === reason);
      assert.equal(requests.length, 1);
      assert.ok(requests[0].signal.aborted);
    });
  }

  test("ends a pause immediately", async () => {
    const controller = new AbortController();
    const { checkline, requests } = clientOf([rejection(429, { "Retry-After": "30" })]);
    const started = performance.now();
    setTimeout(() => controller.abort(), 20);
    await assert.rejects(checkline.lookupBatch(["1"], { signal: controller.signal }), { name: "AbortError" });
    assert.ok(performance.now() - started < 5_000);
    assert.equal(requests.length, 1);
  });

  test("that aborts when the response arrives prevents the pause", async () => {
    const controller = new AbortController();
    const text = async () => queueMicrotask(() => queueMicrotask(() => controller.abort()));
    const limited = () => ({ status: 429, headers: new Headers({ "Retry-After": "30" }), text });
    const { checkline } = clientOf([limited]);
    const started = performance.now();
    await assert.rejects(checkline.verify("1", { signal: controller.signal }), { name: "AbortError" });
    assert.ok(performance.now() - started < 5_000);
  });

  test("retains nothing of its calls", async () => {
    const { signal } = new AbortController();
    const { checkline } = clientOf([rejection(503, { "Retry-After": "0" }), answer()]);
    await checkline.verify("1", { signal });
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });
});

describe("the timeout", () => {
  for (const [what, fetch] of Object.entries({ silence, obedient })) {
    test(`ends an attempt, and the next has its own (${what})`, async () => {
      const { checkline, requests } = clientOf([fetch, answer()], { timeoutMs: 30 });
      assert.equal((await checkline.verify("1")).valid, true);
      assert.equal(requests.length, 2);
      assert.deepEqual(
        requests.map(({ signal }) => signal.aborted),
        [true, false],
      );
    });
  }

  test("covers the body too", async () => {
    const body = () => ({ status: 200, headers: new Headers(), text: silence });
    const { checkline } = clientOf([body], { timeoutMs: 30, maxRetries: 0 });
    await assert.rejects(checkline.verify("1"), (error) => {
      assert.ok(error instanceof ConnectionError);
      assert.deepEqual([error.code, error.message], ["TIMEOUT", "No complete response from 127.0.0.1:1 in time."]);
      return true;
    });
  });

  test("is not fetch's AbortError", async () => {
    const { checkline } = clientOf([() => Promise.reject(new DOMException("aborted", "AbortError"))], {
      maxRetries: 0,
    });
    await assert.rejects(checkline.verify("1"), { name: "ConnectionError", code: "CONNECTION_FAILED" });
  });
});
