import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  AuthenticationError,
  ConnectionError,
  InvalidRequestError,
  QuotaError,
  RateLimitError,
  ServerError,
  VerificationFailedError,
} from "checkline";
import { clientOf, KEY, rejection, RESULT, skipWaiting } from "./answers.js";

const resultOf = ({ number }) => ({ ...RESULT, number });
const failure = (line, code, more = {}) => ({
  error: "A sentence.",
  code,
  line,
  http_status: 400,
  ended: false,
  ...more,
});

/** A body with these chunks, which ends after them unless it is endless. */
function sending(pieces, isEndless = false) {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      if (!isEndless) controller.close();
    },
  });
}

/** Responds to each line of a request with the result of `reply`; one with `ended` is the last. */
function stream(reply = resultOf) {
  return ({ body }) => {
    const lines = [];
    for (const [index, line] of body.trimEnd().split("\n").entries()) {
      lines.push(reply(JSON.parse(line), index + 1));
      if (lines.at(-1).ended) break;
    }
    // Chunk boundaries and empty lines are meaningless.
    const bytes = new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join("\n"));
    const pieces = [0, 1, 2].map((part) => bytes.slice((part * bytes.length) / 3, ((part + 1) * bytes.length) / 3));
    return new Response(sending(pieces), { headers: { "X-Request-Id": "req_1" } });
  };
}

async function all(results) {
  const found = [];
  for await (const result of results) found.push(result);
  return found;
}

const numbered = (count) => Array.from({ length: count }, (_, index) => `+1202${String(index).padStart(7, "0")}`);

describe("a stream of numbers", () => {
  test("is sent as JSON lines and yields results in order", async () => {
    const { checkline, requests } = clientOf([stream()]);
    const numbers = ["+1", { number: "2", country: "GB" }];
    const options = { country: "US", expectCountry: "US", acceptTypes: ["mobile"], acceptLineTypes: ["unknown"] };
    const results = await all(checkline.lookupStream(numbers, options));
    assert.deepEqual(
      results.map(({ number }) => number),
      ["+1", "2"],
    );
    const accepted = { expect_country: "US", accept_types: ["mobile"], accept_line_types: ["unknown"] };
    const [{ url, headers, body }] = requests;
    assert.equal(url, "http://127.0.0.1:1/api/v1/verify/stream");
    assert.equal(headers["Content-Type"], "application/x-ndjson");
    assert.equal(headers["Idempotency-Key"], undefined);
    assert.deepEqual(
      body
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
      [
        { number: "+1", country: "US", ...accepted },
        { number: "2", country: "GB", ...accepted },
      ],
    );
  });

  test("is sent 500 at a time, and read from its source as results are consumed", async () => {
    const { checkline, requests } = clientOf([stream()]);
    let taken = 0;
    async function* source() {
      for (const number of numbered(1_200)) {
        taken += 1;
        yield number;
      }
    }
    const results = checkline.lookupStream(source());
    await results.next();
    assert.deepEqual([taken, requests.length], [500, 1]);
    assert.equal((await all(results)).length, 1_199);
    assert.equal(requests.length, 3);
  });

  test("of long lines is sent in smaller parts", async () => {
    const { checkline, requests } = clientOf([stream()]);
    await all(checkline.lookupStream(Array(500).fill("1".repeat(240))));
    for (const { body } of requests) assert.ok(body.length < 34_000);
  });

  test("without numbers sends nothing", async () => {
    const { checkline, requests } = clientOf([stream()]);
    assert.deepEqual(await all(checkline.lookupStream([])), []);
    assert.equal(requests.length, 0);
  });

  test("has errors of single numbers in position", async () => {
    const { checkline } = clientOf([
      stream((line, at) =>
        at === 1
          ? failure(1, "REJECTED_NETWORK")
          : at === 2
            ? failure(2, "VALIDATION_FAILED", { fields: { country: "No" } })
            : RESULT,
      ),
    ]);
    const [first, second, third] = await all(checkline.lookupStream(["1", "2", "3"]));
    assert.ok(first instanceof VerificationFailedError);
    assert.ok(second instanceof InvalidRequestError);
    assert.deepEqual(second.fields, { country: "No" });
    assert.equal(third.valid, true);
  });

  test("ends with its final error, after the earlier results", async () => {
    const kinds = [
      [402, QuotaError],
      [401, AuthenticationError],
      [413, InvalidRequestError],
      [429, RateLimitError],
      [500, ServerError],
    ];
    for (const [status, Kind] of kinds) {
      const end = failure(3, "A_CODE", { http_status: status, ended: true, retry_after: 900 });
      const { checkline, requests } = clientOf([stream((line, at) => (at === 3 ? end : resultOf(line)))]);
      const results = checkline.lookupStream(numbered(5));
      assert.equal((await results.next()).value.valid, true);
      assert.equal((await results.next()).value.valid, true);
      await assert.rejects(results.next(), (error) => {
        assert.ok(error instanceof Kind);
        assert.deepEqual([error.code, error.status, error.requestId], ["A_CODE", status, "req_1"]);
        if (Kind === RateLimitError) assert.equal(error.retryAfter, 900);
        return true;
      });
      assert.equal(requests.length, 1);
    }
  });

  test("continues after a pause when the service could not go further, with the rest", async (t) => {
    const waits = skipWaiting(t);
    const end = failure(3, "TEMPORARILY_UNAVAILABLE", { http_status: 503, ended: true, retry_after: 5 });
    const { checkline, requests } = clientOf([stream((line, at) => (at === 3 ? end : resultOf(line))), stream()]);
    const results = await all(checkline.lookupStream(["1", "2", "3", "4"]));
    assert.deepEqual(
      results.map(({ number }) => number),
      ["1", "2", "3", "4"],
    );
    assert.equal(requests[1].body, '{"number":"3"}\n{"number":"4"}\n');
    assert.ok(waits.includes(5_000));
  });

  test("is retried before there is a response, like any call", async (t) => {
    skipWaiting(t);
    const { checkline, requests } = clientOf([rejection(503), rejection(429), stream()]);
    assert.equal((await all(checkline.lookupStream(["1"]))).length, 1);
    assert.equal(requests.length, 3);
    const rejected = clientOf([rejection(401)]);
    await assert.rejects(all(rejected.checkline.lookupStream(["1"])), AuthenticationError);
  });

  test("that is cut off is an error, and nothing is resent: it may have been counted", async () => {
    const broken = () =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode(`${JSON.stringify(RESULT)}\n{"val`));
          },
          pull: (controller) => controller.error(new Error(KEY)),
        }),
      );
    const { checkline, requests } = clientOf([broken]);
    const results = checkline.lookupStream(["1", "2"]);
    assert.equal((await results.next()).value.valid, true);
    await assert.rejects(results.next(), (error) => error instanceof ConnectionError && !error.stack.includes(KEY));
    assert.equal(requests.length, 1);
  });

  test("without a response is not resent either", async (t) => {
    skipWaiting(t);
    const lost = () => {
      throw new TypeError("fetch failed", { cause: { code: "ECONNRESET" } });
    };
    const { checkline, requests } = clientOf([lost, stream()]);
    await assert.rejects(all(checkline.lookupStream(["1"])), { name: "ConnectionError", code: "CONNECTION_FAILED" });
    assert.equal(requests.length, 1);
    // The same after a retried error.
    const later = clientOf([rejection(503), lost, stream()]);
    await assert.rejects(all(later.checkline.lookupStream(["1"])), { name: "ConnectionError" });
    assert.equal(later.requests.length, 2);
    // An immediate timeout.
    const silent = clientOf([() => new Promise(() => {}), stream()], { timeoutMs: 20 });
    await assert.rejects(all(silent.checkline.lookupStream(["1"])), { name: "ConnectionError", code: "TIMEOUT" });
    assert.equal(silent.requests.length, 1);
  });

  test("waits as long as a timer can if its client does", async () => {
    const late = new ReadableStream({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        controller.enqueue(new TextEncoder().encode(JSON.stringify(RESULT)));
        controller.close();
      },
    });
    const { checkline } = clientOf([() => new Response(late)], { timeoutMs: 2 ** 31 - 1 });
    assert.equal((await all(checkline.lookupStream(["1"]))).length, 1);
  });

  test("with fewer lines, more lines or others is an error", async () => {
    const odd = ["", "7\n", "null\n", "{}\n", "no json\n", `${JSON.stringify(RESULT)}\n`.repeat(3)];
    for (const text of odd) {
      const { checkline } = clientOf([() => new Response(text)]);
      await assert.rejects(all(checkline.lookupStream(["1", "2"])), {
        name: "ServerError",
        code: "UNEXPECTED_RESPONSE",
      });
    }
  });

  test("that stalls times out", async () => {
    const { checkline } = clientOf([() => new Response(new ReadableStream())], { timeoutMs: 20, maxRetries: 0 });
    const { setTimeout } = globalThis;
    const mocked = (callback, ms) => setTimeout(callback, ms === 10_020 ? 1 : ms);
    globalThis.setTimeout = mocked;
    try {
      await assert.rejects(all(checkline.lookupStream(["1"])), { name: "ConnectionError", code: "TIMEOUT" });
    } finally {
      globalThis.setTimeout = setTimeout;
    }
  });

  test("ends with its signal, or when its reader leaves", async () => {
    const controller = new AbortController();
    const endless = () => new Response(sending([new TextEncoder().encode(`${JSON.stringify(RESULT)}\n`)], true));
    const { checkline, requests } = clientOf([endless]);
    const results = checkline.lookupStream(["1", "2"], { signal: controller.signal });
    await results.next();
    const next = results.next();
    controller.abort(new Error("stop"));
    await assert.rejects(next, { message: "stop" });
    for await (const result of checkline.lookupStream(["1", "2"])) {
      assert.equal(result.valid, true);
      break;
    }
    assert.ok(requests.every(({ signal }) => signal.aborted));
  });

  test("accepts only numbers and known options", async () => {
    const { checkline, requests } = clientOf([stream()]);
    assert.throws(() => checkline.lookupStream("+1202"), TypeError);
    assert.throws(() => checkline.lookupStream([], { idempotencyKey: "a" }), TypeError);
    for (const item of [7, null, {}, { number: 7 }, { number: "1", contry: "US" }, { number: "1", country: 7 }]) {
      const named = { name: "TypeError", message: /^numbers\[1\]/ };
      await assert.rejects(checkline.lookupBatch(["+1", item]), named);
      await assert.rejects(all(checkline.lookupStream(["+1", item])), named);
    }
    assert.equal(requests.length, 0);
  });
});
