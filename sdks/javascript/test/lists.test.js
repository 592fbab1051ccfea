import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { QuotaError } from "checkline";
import { clientOf, RESULT } from "./answers.js";

/** Responds to a chunk with a result for each of its numbers. */
function echo({ body }) {
  return Response.json({ results: JSON.parse(body).numbers.map((number) => ({ ...RESULT, number })) });
}

async function* slowly(count) {
  for (let index = 0; index < count; index += 1) yield `+${index}`;
}

describe("a list", () => {
  test("may be generated lazily, and sent with the caller's own idempotency key", async () => {
    const { checkline, requests } = clientOf([echo]);
    const items = [];
    for await (const item of checkline.lookupAll(slowly(201), { country: null, idempotencyKey: "job" }))
      items.push(item);
    assert.deepEqual([items.length, items[200].number], [201, "+200"]);
    assert.deepEqual(
      requests.map(({ headers }) => headers["Idempotency-Key"]),
      ["job-1", "job-2", "job-3"],
    );
    assert.equal(JSON.parse(requests[2].body).country, undefined);
  });

  test("is read no further than its requests", async () => {
    let read = 0;
    function* numbers() {
      for (;;) yield `+${(read += 1)}`;
    }
    const { checkline } = clientOf([echo]);
    for await (const { number } of checkline.lookupAll(numbers(), { concurrency: 2 })) {
      assert.equal(number, "+1");
      break;
    }
    assert.equal(read, 200);
  });

  test("aborts pending requests when abandoned", async () => {
    const signals = [];
    const { checkline } = clientOf([
      (init) => echo(init),
      ({ signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      },
    ]);
    for await (const item of checkline.lookupAll(slowly(200))) {
      assert.equal(item.number, "+0");
      break;
    }
    assert.equal(signals[0].aborted, true);
  });

  test("ends with a chunk's error, which is handled while it waits for its turn", async () => {
    const quota = { limit: 100, used: 99, remaining: 1 };
    const { checkline } = clientOf([
      async (init) => {
        await new Promise((resolve) => {
          setTimeout(resolve, 20);
        });
        return echo(init);
      },
      () => Response.json({ error: "Too little is left.", code: "QUOTA_TOO_SMALL", quota }, { status: 402 }),
    ]);
    let count = 0;
    await assert.rejects(
      async () => {
        for await (const { number } of checkline.lookupAll(slowly(200))) count += number ? 1 : 0;
      },
      (error) => error instanceof QuotaError && error.quota.remaining === 1,
    );
    assert.equal(count, 100);
  });

  test("must be a list of strings, with a valid concurrency", async () => {
    const { checkline, requests } = clientOf([echo]);
    for (const [numbers, options, name] of [
      ["+1", {}, "TypeError"],
      [["+1", 7], {}, "TypeError"],
      [["+1"], { contry: "BR" }, "TypeError"],
      [["+1"], { idempotencyKey: "a b" }, "TypeError"],
      [["+1"], { concurrency: 0 }, "RangeError"],
      [["+1"], { concurrency: 1.5 }, "RangeError"],
    ]) {
      await assert.rejects(checkline.lookupAll(numbers, options).next(), { name });
    }
    assert.equal(requests.length, 0);
    const list = [...Array.from({ length: 101 }, String), { number: 7 }];
    const message = "numbers[101].number must be a string.";
    const items = checkline.lookupAll(list, { concurrency: 1 });
    for (let count = 0; count < 100; count += 1) await items.next();
    await assert.rejects(items.next(), { name: "TypeError", message });
  });
});

test("a result's response is not part of its copies", async () => {
  const { checkline } = clientOf([() => Response.json(RESULT, { headers: { "X-Request-Id": "req_1" } })]);
  const result = await checkline.lookup("1");
  assert.equal(result.response.requestId, "req_1");
  assert.equal("response" in { ...result }, false);
});

test("what onResponse throws, the call throws", async () => {
  const onResponse = () => {
    throw new RangeError("mine");
  };
  const { checkline } = clientOf([() => Response.json(RESULT)], { onResponse });
  await assert.rejects(checkline.lookup("1"), RangeError);
});
