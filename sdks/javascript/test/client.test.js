import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { inspect } from "node:util";
import { Checkline, InvalidRequestError, RateLimitError, ServerError, VerificationFailedError } from "checkline";
import { answer, clientOf, KEY, rejection, RESULT } from "./answers.js";

const BASE_URL = "https://api.test";

beforeEach(() => {
  delete process.env.CHECKLINE_API_KEY;
  delete process.env.CHECKLINE_BASE_URL;
});

describe("the key", () => {
  test("is read from the environment by default", async () => {
    process.env.CHECKLINE_API_KEY = "ch_test_environment";
    const { checkline, requests } = clientOf([answer()], { apiKey: undefined });
    await checkline.verify("+5511987654321");
    assert.equal(requests[0].headers.Authorization, "Bearer ch_test_environment");
  });

  test("in the options overrides the environment's", async () => {
    process.env.CHECKLINE_API_KEY = "ch_test_environment";
    const { checkline, requests } = clientOf([answer()]);
    await checkline.verify("+5511987654321");
    assert.equal(requests[0].headers.Authorization, `Bearer ${KEY}`);
  });

  test("is required", () => {
    assert.throws(() => new Checkline(), { name: "TypeError", message: /Pass apiKey or set CHECKLINE_API_KEY/ });
    process.env.CHECKLINE_API_KEY = "";
    assert.throws(() => new Checkline(), TypeError);
    assert.throws(() => new Checkline({ apiKey: "" }), TypeError);
  });

  test("with characters that a header can't contain is rejected without being shown", () => {
    for (const apiKey of [["ch_test_secret"], "ch_test_secret\n", "ch_test_sécret", "ch_test secret", " "]) {
      assert.throws(
        () => new Checkline({ apiKey }),
        (error) => error instanceof TypeError && !/secret|sécret/.test(error.stack),
      );
    }
  });

  test("is not read from an unreadable environment", (t) => {
    t.mock.getter(globalThis, "process", () => {
      throw new Error("not permitted");
    });
    assert.throws(() => new Checkline(), TypeError);
    assert.ok(new Checkline({ apiKey: KEY, baseUrl: BASE_URL }));
  });
});

describe("the base URL", () => {
  async function addressOf(baseUrl) {
    const { checkline, requests } = clientOf([answer()], { baseUrl });
    await checkline.verify("+5511987654321");
    return requests[0].url;
  }

  test("is the official one, the environment's, or the given one", async () => {
    // A package served by a site has the site's address; the sources' address belongs to no one.
    await assert.rejects(addressOf(), { name: "TypeError", message: /Pass baseUrl or set CHECKLINE_BASE_URL/ });
    await assert.rejects(addressOf("https://api.EXAMPLE:8443/api/v1"), { name: "TypeError", message: /\.example/ });
    process.env.CHECKLINE_BASE_URL = "http://127.0.0.1:8787";
    assert.equal(await addressOf(), "http://127.0.0.1:8787/api/v1/verify");
    assert.equal(await addressOf("https://proxy.test/checkline//"), "https://proxy.test/checkline/api/v1/verify");
    assert.equal(await addressOf("https://proxy.test///"), "https://proxy.test/api/v1/verify");
  });

  test("may end with the API's path", async () => {
    for (const end of ["", "/", "///", "/api/v1", "/API/v1/", "//api/v1//"]) {
      assert.equal(await addressOf(`HTTP://127.0.0.1:8787${end}`), "http://127.0.0.1:8787/api/v1/verify");
      assert.equal(await addressOf(`http://localhost:${end}`), "http://localhost/api/v1/verify");
      for (const address of ["https://h/a:", "https://proxy.test/checkline"]) {
        assert.equal(await addressOf(address + end), `${address}/api/v1/verify`);
      }
    }
    assert.equal(await addressOf("https://api/v1"), "https://api/v1/api/v1/verify");
    assert.equal(await addressOf("https://a.test/my-api/v1"), "https://a.test/my-api/v1/api/v1/verify");
  });

  test("may be http only on this machine", async () => {
    for (const host of ["localhost:1", "LOCALHOST", "127.0.0.1", "[::1]:8787"]) await addressOf(`http://${host}`);
    for (const host of ["h", "localhost.h", "127.0.0.1.h", "127.0.0.2", "0.0.0.0", "[::2]", "10.0.0.1"]) {
      assert.throws(() => clientOf([], { baseUrl: `http://${host}` }), /^TypeError: The base URL must be an https URL/);
    }
  });

  test("is not shown when rejected: it may contain a password", () => {
    assert.throws(
      () => new Checkline({ apiKey: KEY, baseUrl: "https://user:password@a.test" }),
      (error) => error instanceof TypeError && !inspect(error).includes("password@"),
    );
  });

  test("must be an address that requests can be sent to", () => {
    for (const baseUrl of [
      "",
      "checkline.test",
      "ftp://a.test",
      "https://u:p@a.test",
      "https://a.test/?b",
      "https://a.test/#b",
    ]) {
      assert.throws(() => new Checkline({ apiKey: KEY, baseUrl }), {
        name: "TypeError",
        message: /^The base URL must/,
      });
    }
  });
});

test("timeout and retries must be valid numbers", () => {
  for (const timeoutMs of [0, -1, Number.NaN, Infinity, 2 ** 31, "soon", "5", null]) {
    assert.throws(() => new Checkline({ apiKey: KEY, timeoutMs }), RangeError);
  }
  for (const deadlineMs of [0, -1, Number.NaN, Infinity, 2 ** 31, "5", null]) {
    assert.throws(() => new Checkline({ apiKey: KEY, deadlineMs }), RangeError);
  }
  for (const maxWaitMs of [-1, Number.NaN, Infinity, 2 ** 31, "60", null]) {
    assert.throws(() => new Checkline({ apiKey: KEY, maxWaitMs }), RangeError);
  }
  assert.throws(() => new Checkline({ apiKey: KEY, onResponse: "log" }), TypeError);
  for (const maxRetries of [-1, 0.5, Number.NaN, Infinity, "2"]) {
    assert.throws(() => new Checkline({ apiKey: KEY, maxRetries }), RangeError);
  }
});

describe("options", () => {
  test("of the client must be an object with known ones; values are not shown", () => {
    process.env.CHECKLINE_API_KEY = "ch_test_environment";
    const odd = [
      KEY,
      null,
      [KEY],
      new Map([["apiKey", KEY]]),
      7,
      () => {},
      { apikey: KEY },
      { apiKey: KEY, retries: 2 },
    ];
    for (const options of odd) {
      assert.throws(
        () => new Checkline(options),
        (error) => error instanceof TypeError && /option/i.test(error.message) && !inspect(error).includes(KEY),
      );
    }
    assert.throws(() => new Checkline({ apikey: KEY }), /no option apikey\. There are: apiKey, baseUrl/);
    assert.throws(() => new Checkline({ apiKey: KEY, fetch: 5 }), { name: "TypeError", message: /fetch/ });
    process.env.CHECKLINE_BASE_URL = BASE_URL;
    assert.ok(new Checkline(Object.assign(Object.create(null), { apiKey: KEY, timeoutMs: undefined })));
    assert.ok(new Checkline({ apiKey: KEY, retries: undefined }));
  });

  test("of a call must be an object with known ones, otherwise nothing is sent", async () => {
    const { checkline, requests } = clientOf([answer()]);
    const odd = ["GB", null, ["GB"], new AbortController().signal, { contry: "GB" }, { country: "GB", timeoutMs: 1 }];
    for (const options of odd) {
      for (const call of [
        checkline.verify("1", options),
        checkline.lookup("1", options),
        checkline.lookupBatch(["1"], options),
      ]) {
        await assert.rejects(call, { name: "TypeError", message: /option/i });
      }
    }
    await assert.rejects(checkline.lookup("1", { contry: "GB" }), {
      message: /no option contry\. There are: country,/,
    });
    assert.equal(requests.length, 0);
    await checkline.lookup("1", { country: "GB", idempotencyKey: undefined, contry: undefined });
    assert.equal(requests[0].body, '{"number":"1","country":"GB"}');
  });
});

describe("fetch", () => {
  test("is the global one at the time of the call, called as a function", async (t) => {
    const checkline = new Checkline({ apiKey: KEY, baseUrl: BASE_URL });
    const fetch = t.mock.method(globalThis, "fetch", () => answer()());
    await checkline.verify("+5511987654321");
    assert.equal(fetch.mock.callCount(), 1);
    assert.equal(fetch.mock.calls[0].this, globalThis);
  });

  test("that is injected must follow no redirect", async () => {
    const { checkline, requests } = clientOf([answer()]);
    await checkline.verify("+5511987654321");
    assert.equal(requests[0].redirect, "manual");
  });

  test("may return anything with a status, headers, and a text", async () => {
    const response = { status: 200, headers: new Map(), text: async () => JSON.stringify(RESULT) };
    const { checkline } = clientOf([() => response]);
    assert.deepEqual(await checkline.verify("+5511987654321"), { valid: true, carrier: "TIM" });
  });
});

test("a redirect that a browser hides is a redirect", async () => {
  const { checkline, requests } = clientOf([() => ({ status: 0, headers: new Headers(), text: async () => "" })]);
  await assert.rejects(checkline.verify("+5511987654321"), (error) => {
    assert.ok(error instanceof ServerError);
    assert.deepEqual([error.code, error.status], ["UNEXPECTED_RESPONSE", null]);
    assert.match(error.message, /redirect/);
    return true;
  });
  assert.equal(requests.length, 1);
});

test("fields of the wrong type in a response are ignored", async () => {
  const types = { number: 7, possible: "yes", time_zones: ["Europe/Paris", 7], deliverability: [], extension: {} };
  const body = { valid: false, ...types, CARRIER: "TIM" };
  const { checkline } = clientOf([answer(200, body)]);
  const result = await checkline.lookup("+33123456789");
  const { number, possible, deliverability, extension, carrier } = result;
  assert.deepEqual(
    [number, possible, deliverability, extension, carrier],
    [null, false, { sms: "unknown", voice: "unknown", flags: [] }, null, null],
  );
  assert.deepEqual(result.timeZones, ["Europe/Paris"]);
  assert.ok(!Object.keys(result).includes("response"));
});

test("a non-boolean or misspelled valid is not a result", async () => {
  for (const body of [{ valid: "true" }, { valid: null }, { VALID: true }, {}, [], "valid", null]) {
    const { checkline } = clientOf([answer(200, body)]);
    await assert.rejects(checkline.lookup("1"), { name: "ServerError", code: "UNEXPECTED_RESPONSE", status: 200 });
  }
});

test("only a 200 has a result", async () => {
  for (const status of [201, 202, 203, 206, 299, 304]) {
    const body = JSON.stringify({ ...RESULT, error: "A sentence.", code: "A_CODE" });
    const { checkline, requests } = clientOf([() => ({ status, headers: new Headers(), text: async () => body })]);
    await assert.rejects(checkline.lookup("1"), { name: "ServerError", code: "UNEXPECTED_RESPONSE", status });
    assert.equal(requests.length, 1);
  }
});

test("unknown fields may be nested deeply, but NaN is not JSON", async () => {
  function text(later) {
    return () => new Response(`{"valid":true,"later":${later}}`);
  }
  assert.equal((await clientOf([text(`${"[".repeat(100)}${"]".repeat(100)}`)]).checkline.verify("1")).valid, true);
  for (const later of ["NaN", "Infinity", "-Infinity"]) {
    await assert.rejects(clientOf([text(later)]).checkline.verify("1"), { code: "UNEXPECTED_RESPONSE" });
  }
});

test("a number that is not well-formed text is sent with a replacement character", async () => {
  const { checkline, requests } = clientOf([answer(), answer(200, { results: [RESULT] })]);
  await checkline.verify("+55\ud800", { country: "\udfff" });
  await checkline.lookupBatch(["\udc00😀"]);
  assert.deepEqual(
    requests.map(({ body }) => JSON.parse(body)),
    [{ number: "+55\ufffd", country: "\ufffd" }, { numbers: ["\ufffd😀"] }],
  );
});

test("numbers and countries must be strings, otherwise nothing is sent, and values are not shown", async () => {
  const { checkline, requests } = clientOf([answer()]);
  const odd = [undefined, null, 4711, true, {}, ["4711"], Object("4711"), Promise.resolve("4711"), Symbol("4711")];
  for (const value of odd) {
    const calls = [
      ["number", checkline.verify(value)],
      ["number", checkline.lookup(value)],
    ];
    // null means none, as for the service.
    if (value != null) {
      calls.push(["country", checkline.verify("1", { country: value })]);
      calls.push(["country", checkline.lookupBatch(["1"], { country: value })]);
      calls.push(["expectCountry", checkline.lookup("1", { expectCountry: value })]);
    }
    if (value !== undefined) {
      for (const name of ["acceptTypes", "acceptLineTypes"]) {
        calls.push([`${name}[0]`, checkline.lookup("1", { [name]: [value] })]);
      }
    }
    const item = checkline.lookupBatch(["1", value]);
    await assert.rejects(item, { name: "TypeError", message: /^numbers\[1\](\.number)? must be a string/ });
    for (const [name, call] of calls) {
      await assert.rejects(call, { name: "TypeError", message: `${name} must be a string.` });
    }
  }
  await assert.rejects(checkline.lookup("1", { rejectUnallocated: "false" }), {
    message: "rejectUnallocated must be true or false.",
  });
  for (const name of ["acceptTypes", "acceptLineTypes"]) {
    const message = `${name} must be an array of strings.`;
    await assert.rejects(checkline.lookup("1", { [name]: "mobile" }), { message });
  }
  await assert.rejects(checkline.lookupBatch(Array(1)), { message: /^numbers\[0\] must be a string/ });
  assert.equal(requests.length, 0);
});

test("errors are Errors with a name, and the properties of their kind", async () => {
  const { checkline } = clientOf([rejection(429, { "Retry-After": "7", "X-Request-Id": "req_1" }), rejection(404)], {
    maxRetries: 0,
  });
  const limited = await checkline.verify("1").catch((error) => error);
  assert.ok(limited instanceof RateLimitError && limited instanceof Error);
  assert.match(limited.stack, /^RateLimitError: A sentence\.\n/);
  assert.deepEqual({ ...limited }, { code: "A_CODE", status: 429, requestId: "req_1", retryAfter: 7 });
  const rejected = await checkline.verify("1").catch((error) => error);
  assert.ok(rejected instanceof InvalidRequestError);
  assert.deepEqual(rejected.fields, {});
});

describe("a batch", () => {
  const failure = {
    number: "+1202",
    error: "verification failed: Invalid number format (code: 7)",
    code: "REJECTED_FORMAT",
  };

  test("returns an error for a number that failed, without throwing it", async () => {
    const { checkline } = clientOf([answer(200, { results: [failure, RESULT] }, { "X-Request-Id": "req_2" })]);
    const [first, second] = await checkline.lookupBatch(["+1202", "+5511987654321"]);
    assert.ok(first instanceof VerificationFailedError);
    assert.deepEqual({ ...first }, { code: "REJECTED_FORMAT", status: null, requestId: "req_2" });
    assert.equal(second.countryName, "Brazil");
  });

  test("whose caller changes the list in the meantime is counted as sent", async () => {
    const numbers = ["+5511987654321"];
    const { checkline } = clientOf([answer(200, { results: [RESULT] })]);
    const items = checkline.lookupBatch(numbers);
    numbers.push("+1202");
    assert.equal((await items).length, 1);
  });

  for (const item of [{}, { error: 1, code: "A_CODE" }, { valid: "true" }, [], "valid", null]) {
    test(`with an item that is neither result nor error is unusable: ${JSON.stringify(item)}`, async () => {
      const { checkline } = clientOf([answer(200, { results: [RESULT, item] })]);
      await assert.rejects(checkline.lookupBatch(["1", "2"]), { name: "ServerError", code: "UNEXPECTED_RESPONSE" });
    });
  }

  test("has an error wherever error is a string, whatever else the item contains", async () => {
    const results = [
      { valid: true, error: "x" },
      { valid: true, error: null },
      { valid: true, error: 1 },
    ];
    const { checkline } = clientOf([answer(200, { results: [...results, { error: "x", code: 7 }] })]);
    const items = await checkline.lookupBatch(["1", "2", "3", "4"]);
    assert.deepEqual(
      items.map((item) => (item instanceof VerificationFailedError ? [item.code, item.message] : item.valid)),
      [["UNEXPECTED_RESPONSE", "x"], true, true, ["UNEXPECTED_RESPONSE", "x"]],
    );
  });

  test("is not one number", async () => {
    const { checkline, requests } = clientOf([answer()]);
    await assert.rejects(checkline.lookupBatch("+5511987654321"), { name: "TypeError", message: /lookup takes one/ });
    assert.equal(requests.length, 0);
  });
});

test("one client serves many calls at a time", async () => {
  const { checkline, requests } = clientOf([
    async ({ body }) => {
      const { number } = JSON.parse(body);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
      return Response.json({ ...RESULT, number });
    },
  ]);
  const numbers = Array.from({ length: 500 }, (_, index) => `+55119876${String(index).padStart(5, "0")}`);
  const results = await Promise.all(numbers.map((number) => checkline.lookup(number)));
  assert.deepEqual(
    results.map(({ number }) => number),
    numbers,
  );
  assert.equal(new Set(requests.map(({ headers }) => headers["Idempotency-Key"])).size, 500);
});
