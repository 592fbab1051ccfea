import { beforeEach, describe, expect, test, vi } from "vitest";
import { MAX_BODY_BYTES, MAX_STREAM_LINES } from "../../contract/limits.ts";
import { DAY_MS } from "../../worker/platform/time.ts";
import { send } from "../requests.ts";
import { INVALID, VALID, verify } from "./calls.ts";
import { pass, skip, until } from "./clock.ts";
import { startNetwork } from "./network.ts";
import type { NetworkIsolate } from "./network.ts";

/** A number that the engine fails to verify, as if it had a bug. */
const POISON = "+55 11 poison 900000000";

const network = startNetwork();
let isolate: NetworkIsolate;
beforeEach(async () => {
  isolate = await network.isolate();
});

type Line = Readonly<Record<string, unknown>>;

const line = (number: unknown, more: object = {}) => `${JSON.stringify({ number, ...more })}\n`;
const lines = (count: number, number = VALID) => line(number).repeat(count);

/** A request whose body is read as far as the response is: `read` counts the chunks read. */
function ask(key: string, chunks: Iterable<string>, headers: Record<string, string> = {}) {
  const seen = { chunks: 0 };
  const source = chunks[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { done, value } = source.next();
        if (done) return controller.close();
        seen.chunks += 1;
        controller.enqueue(new TextEncoder().encode(value));
      },
    },
    { highWaterMark: 0 },
  );
  const type = { "Content-Type": "application/x-ndjson" };
  const init = { ...send("POST", key, undefined, { ...type, ...headers }), body, duplex: "half" } as RequestInit;
  return { seen, response: isolate.fetch("/api/v1/verify/stream", init) };
}

/** A response's lines, read to the end, advancing time as needed. */
async function linesOf(response: Response, ms?: number): Promise<Line[]> {
  const whole = await until(response.text(), ms);
  return whole
    .split("\n")
    .filter((text) => text !== "")
    .map((text) => JSON.parse(text) as Line);
}

async function answered(key: string, chunks: Iterable<string>, ms?: number): Promise<Line[]> {
  const response = await ask(key, chunks).response;
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("application/x-ndjson");
  return linesOf(response, ms);
}

/** The log line of the last stream to end. */
function streamLog(): Line | undefined {
  return network.logs.map((text) => JSON.parse(text) as Line).findLast(({ event }) => event === "stream");
}

async function countedOf(userId: string): Promise<number> {
  await isolate.settled();
  await network.consume();
  return network.counted(userId);
}

const PRO = { plan: "pro" } as const;

describe("the lines of a stream", () => {
  test("get results in order, like single calls", async () => {
    const { key, userId } = await network.caller("live", PRO);
    const national = { country: "gb", expect_country: "GB", accept_types: ["mobile"] };
    const found = await answered(key, [line(VALID) + line(INVALID), line("020 7946 0018", national).trimEnd()]);
    expect(found).toHaveLength(3);
    expect(found[0]).toStrictEqual((await verify(isolate, key, VALID)).body);
    expect(found[1]).toStrictEqual((await verify(isolate, key, INVALID)).body);
    expect(found[2]).toMatchObject({ number: "+442079460018", accepted: false, rejected_because: "OTHER_TYPE" });
    expect(await countedOf(userId)).toBe(5);
  });

  test("that are invalid each get an error with their line number, and are not counted", async () => {
    const { key, userId } = await network.caller("live", PRO);
    const long = `{"number":"${"1".repeat(MAX_BODY_BYTES)}"}\n`;
    const wrong = ["\r\n", "no json\n", line(1), line(""), line(VALID, { country: "AQ" }), "[]\n", long, "\n"];
    const found = await answered(key, [...wrong, line(VALID)]);
    expect(found.map(({ line: at, code, ended }) => [at, code, ended])).toStrictEqual([
      [2, "INVALID_JSON", false],
      [3, "VALIDATION_FAILED", false],
      [undefined, undefined, undefined],
      [5, "VALIDATION_FAILED", false],
      [6, "VALIDATION_FAILED", false],
      [7, "PAYLOAD_TOO_LARGE", false],
      [undefined, undefined, undefined],
    ]);
    expect(found[1]).toMatchObject({ fields: { number: "Must be a string" } });
    // An empty number is a result, as in a batch.
    expect(found[2]).toMatchObject({ valid: false, reason: "NOT_A_NUMBER" });
    expect(found[6]).toMatchObject({ valid: true });
    expect(await countedOf(userId)).toBe(2);
  });

  test("that a test key's sandbox rejects get its error", async () => {
    const { key } = await network.caller("test");
    const [failed, fine] = await answered(key, [line("+12025550106"), line(VALID)]);
    expect(failed).toStrictEqual({
      error: "verification failed: Network is forbidden (code: 6)",
      code: "REJECTED_NETWORK",
      line: 1,
      http_status: 400,
      ended: false,
    });
    expect(fine).toMatchObject({ status: "DELIVERED_TO_HANDSET" });
  });

  test("fail alone when we fail to verify them", async () => {
    const { key, userId } = await network.caller("live", PRO);
    const { normalize } = String.prototype;
    vi.spyOn(String.prototype, "normalize").mockImplementation(function broken(this: string, form) {
      if (this.includes("poison")) throw new Error("a bug in the engine");
      return normalize.call(this, form);
    });
    const found = await answered(key, [line(VALID) + line(POISON) + line(VALID)]);
    expect(found).toMatchObject([
      { valid: true },
      { code: "INTERNAL_ERROR", line: 2, http_status: 500, ended: false },
      { valid: true },
    ]);
    expect(await countedOf(userId)).toBe(2);
  });

  test("may be none", async () => {
    const { key, userId } = await network.caller("live", PRO);
    expect(await answered(key, [])).toStrictEqual([]);
    expect(await answered(key, ["\n \n"])).toStrictEqual([]);
    expect(await countedOf(userId)).toBe(0);
  });

  test(`are at most ${MAX_STREAM_LINES}`, async () => {
    const { key } = await network.caller("live", PRO);
    const found = await answered(key, ["\n".repeat(MAX_STREAM_LINES - 1), lines(2)]);
    expect(found).toHaveLength(2);
    expect(found[1]).toMatchObject({ code: "PAYLOAD_TOO_LARGE", line: MAX_STREAM_LINES + 1, ended: true });
  });
});

describe("a stream is rejected as a whole", () => {
  const rejected = async (key: string, headers: Record<string, string>) => {
    const { seen, response } = ask(key, [line(VALID)], headers);
    const { status } = await response;
    expect(seen.chunks).toBe(0);
    return [status, ((await (await response).json()) as { code: string }).code];
  };

  test("for its key, media type, encoding, and Idempotency-Key", async () => {
    const { key } = await network.caller("live", PRO);
    expect(await rejected("ch_live_nonsense", {})).toStrictEqual([401, "INVALID_API_KEY"]);
    expect(await rejected(key, { "Content-Type": "application/json" })).toStrictEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    expect(await rejected(key, { "Content-Encoding": "gzip" })).toStrictEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    expect(await rejected(key, { "Idempotency-Key": "order-1" })).toStrictEqual([400, "VALIDATION_FAILED"]);
  });

  test("as one request too many", async () => {
    const { key } = await network.caller("test");
    for (let made = 0; made < 60; made++) await verify(isolate, key);
    expect(await rejected(key, {})).toStrictEqual([429, "RATE_LIMITED"]);
  });
});

describe("back-pressure", () => {
  test("the request is read ahead of the response's reader, but nothing is counted", async () => {
    const { key, userId } = await network.caller("live", PRO);
    const { seen, response } = ask(key, Array<string>(50).fill(lines(100)));
    const reader = (await response).body!.getReader();
    await pass(1_000);
    expect(seen.chunks).toBe(50);
    for (let read = 1; read <= 3; read++) await until(reader.read());
    await pass(1_000);
    await reader.cancel();
    expect(await countedOf(userId)).toBe(300);
  });

  test("a slow body is waited for, and available lines get results", async () => {
    const { key } = await network.caller("live", PRO);
    const sent = new TransformStream<Uint8Array, Uint8Array>();
    const writer = sent.writable.getWriter();
    const init = { ...send("POST", key, undefined, { "Content-Type": "application/x-ndjson" }), body: sent.readable };
    const response = await isolate.fetch("/api/v1/verify/stream", { ...init, duplex: "half" } as RequestInit);
    const reader = response.body!.getReader();
    for (let times = 0; times < 3; times++) {
      void writer.write(new TextEncoder().encode(line(VALID)));
      const { value } = await until(reader.read());
      expect(JSON.parse(new TextDecoder().decode(value))).toMatchObject({ valid: true });
      await pass(60_000);
    }
    void writer.close();
    expect((await until(reader.read())).done).toBe(true);
  });
});

describe("what a stream reads ahead", () => {
  /** Megabytes of lines. */
  const megabytes = (count: number) => Array<string>(count).fill(`${" ".repeat(1023)}\n`.repeat(1024));
  /** Reads nothing of a stream. @returns its response, and how many megabytes of its request were read */
  async function unread(key: string, first = lines(1)) {
    const { seen, response } = ask(key, [first, ...megabytes(20)]);
    const reader = (await response).body!.getReader();
    await pass(100);
    return { seen, reader };
  }

  test("is bounded, and what it held is free once it was canceled, even unread", async () => {
    const { key } = await network.caller("live", PRO);
    const { seen, reader } = await unread(key);
    expect(seen.chunks).toBe(9);
    await reader.cancel();
    expect(streamLog()).toMatchObject({ outcome: "aborted", numbers: 0 });
    for (let times = 0; times < 3; times++) expect((await unread(key)).seen.chunks).toBe(9);
    // All streams together have room for 24 MB.
    expect((await unread(key)).seen.chunks).toBe(0);
  });

  test("is free once it ended early", async () => {
    const { key } = await network.caller("live", PRO);
    for (let times = 0; times < 3; times++) {
      const one = await network.caller();
      await network.use(one.userId, 1_000);
      // A single number wouldn't wait for the ledger.
      const { seen, reader } = await unread(one.key, lines(2));
      expect(seen.chunks).toBe(9);
      expect(new TextDecoder().decode((await until(reader.read())).value)).toContain("QUOTA_EXCEEDED");
      expect((await until(reader.read())).done).toBe(true);
    }
    expect((await unread(key)).seen.chunks).toBe(9);
  });
});

describe("an aborted stream", () => {
  test("has counted what was written, and reads nothing more", async () => {
    const { key, userId } = await network.caller("live", PRO);
    const { seen, response } = ask(key, Array<string>(50).fill(lines(150)));
    const reader = (await response).body!.getReader();
    let read = 0;
    for (let times = 0; times < 5; times++) {
      read += new TextDecoder()
        .decode((await until(reader.read())).value)
        .trimEnd()
        .split("\n").length;
    }
    await reader.cancel();
    const { chunks } = seen;
    expect(await countedOf(userId)).toBe(read);
    await pass(10_000);
    expect(seen.chunks).toBe(chunks);
    expect(network.logs.map((text) => JSON.parse(text) as Line)).toContainEqual(
      expect.objectContaining({ event: "stream", outcome: "aborted", numbers: read, successful: read }),
    );
  });

  test("during a charge logs the charged numbers, whenever it finishes", async () => {
    for (let turns = 0; turns < 60; turns += 2) {
      const { key, userId } = await network.caller();
      const reader = (await ask(key, [lines(100)]).response).body!.getReader();
      void reader.read().catch(() => {});
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      await until(reader.cancel());
      const counted = await countedOf(userId);
      const logged = network.logs.map((text) => JSON.parse(text) as Line).findLast(({ event }) => event === "stream");
      expect(logged, `after ${turns} turns`).toMatchObject({ outcome: "aborted", numbers: counted });
    }
  });

  test("while it waits for its limit counts nothing more", async () => {
    const { key, userId } = await network.caller("test");
    const { response } = ask(key, [lines(1_000)]);
    const reader = (await response).body!.getReader();
    for (let times = 0; times < 6; times++) await until(reader.read());
    const next = reader.read();
    await pass(2_000);
    await reader.cancel();
    await next;
    await pass(120_000);
    expect(await countedOf(userId)).toBe(600);
  });

  test("while it waits for its limit ends at once, and leaves the limit to others", async () => {
    const { key, userId } = await network.caller("test");
    const reader = (await ask(key, [lines(700)]).response).body!.getReader();
    for (let times = 0; times < 6; times++) await until(reader.read());
    void reader.read();
    await pass(2_000);
    await reader.cancel();
    expect(streamLog()).toMatchObject({ outcome: "aborted", lines: 700, numbers: 600, duration_ms: 2_000 });
    await pass(60_000);
    const { headers } = await verify(isolate, key);
    expect(headers.get("RateLimit")).toMatch(/"numbers";r=599;/);
    expect(await countedOf(userId)).toBe(601);
  });

  test.each(["", line(VALID).trimEnd()])("while it waits for lines, after %j, ends at once", async (begun) => {
    const { key, userId } = await network.caller("live", PRO);
    const sent = new TransformStream<Uint8Array, Uint8Array>();
    const init = { ...send("POST", key, undefined, { "Content-Type": "application/x-ndjson" }), body: sent.readable };
    const response = await isolate.fetch("/api/v1/verify/stream", { ...init, duplex: "half" } as RequestInit);
    const reader = response.body!.getReader();
    void reader.read();
    const writer = sent.writable.getWriter();
    await writer.write(new TextEncoder().encode(begun));
    await until(reader.cancel());
    expect(streamLog()).toMatchObject({ outcome: "aborted", numbers: 0 });
    expect(await countedOf(userId)).toBe(0);
    await expect(writer.write(new Uint8Array(1))).rejects.toBeUndefined();
  });

  test("while its key is looked up counts nothing", async () => {
    const { key, userId } = await network.caller("live", PRO);
    const reader = (await ask(key, [lines(100), lines(100)]).response).body!.getReader();
    await until(reader.read());
    Object.assign(network.faults, { kv: "hangs" });
    skip(DAY_MS / 2);
    void reader.read();
    await pass(10);
    await until(reader.cancel());
    network.repair();
    expect(streamLog()).toMatchObject({ outcome: "aborted", numbers: 100 });
    expect(await countedOf(userId)).toBe(100);
  });

  test("whose request is cut off has counted what was written", async () => {
    const { key, userId } = await network.caller("live", PRO);
    function* broken() {
      yield lines(10);
      throw new Error("connection lost");
    }
    const response = await ask(key, broken()).response;
    await expect(until(response.text())).rejects.toThrow("connection lost");
    expect(await countedOf(userId)).toBe(10);
  });
});

describe("limits", () => {
  test("of numbers make it wait, with an empty line every ten seconds", async () => {
    const { key, userId } = await network.caller("test");
    const began = Date.now();
    const response = await ask(key, [lines(1_500)]).response;
    const text = await until(response.text(), 300_000);
    const all = text.trimEnd().split("\n");
    expect(all.filter((one) => one !== "")).toHaveLength(1_500);
    // 600 immediately, 600 a minute later, and the rest a minute after that.
    expect(Date.now() - began).toBeGreaterThanOrEqual(120_000);
    expect(Date.now() - began).toBeLessThan(130_000);
    expect(all.filter((one) => one === "").length).toBeGreaterThanOrEqual(10);
    expect(await countedOf(userId)).toBe(1_500);
  });

  test("of numbers count lines that can't be read, which are not charged", async () => {
    const { key, userId } = await network.caller("test");
    const began = Date.now();
    const found = await answered(key, ["{\n".repeat(1_500)], 300_000);
    expect(found.map(({ code }) => code)).toStrictEqual(Array<string>(1_500).fill("INVALID_JSON"));
    // As for valid ones: 600 immediately, 600 a minute later, and the rest a minute after that.
    expect(Date.now() - began).toBeGreaterThanOrEqual(120_000);
    expect(await verify(isolate, key)).toMatchObject({ status: 200 });
    expect(await countedOf(userId)).toBe(1);
  });

  test("of numbers bound what 100,000 broken lines get in a minute", async () => {
    const { key } = await network.caller("test");
    const response = await ask(key, ["{\n".repeat(MAX_STREAM_LINES)]).response;
    const reader = response.body!.getReader();
    let errors = 0;
    const began = Date.now();
    while (Date.now() - began < 60_000) {
      const { value } = await until(reader.read());
      errors += new TextDecoder().decode(value).split("\n").filter(Boolean).length;
    }
    await reader.cancel();
    // A chunk passes while there is any room, and one more a minute later.
    expect(errors).toBeLessThanOrEqual(700);
  });

  test("of numbers are shared with other calls, and a stream is one request", async () => {
    const { key } = await network.caller("test");
    await answered(key, [lines(600)]);
    expect(await verify(isolate, key)).toMatchObject({ status: 429, code: "RATE_LIMITED" });
    await pass(60_000);
    const { headers } = await verify(isolate, key);
    expect(headers.get("RateLimit")).toMatch(/^"requests";r=59;t=\d+, "numbers";r=599;t=\d+$/);
  });

  test("of the quota end it exactly when nothing is left", async () => {
    const { key, userId } = await network.caller();
    await network.use(userId, 963);
    const before = await countedOf(userId);
    const found = await answered(key, [lines(20), line(INVALID).repeat(5), lines(100)]);
    // Invalid numbers use none.
    expect(found).toHaveLength(37 + 5 + 1);
    expect(found.slice(0, -1).every(({ code }) => code === undefined)).toBe(true);
    expect(found.at(-1)).toMatchObject({ code: "QUOTA_EXCEEDED", http_status: 402, line: 43, ended: true });
    expect((await verify(isolate, key)).status).toBe(402);
    expect(await countedOf(userId)).toBe(before + 42);
  });

  test("of the quota leave the lines before the first that doesn't fit, readable or not", async () => {
    const { key, userId } = await network.caller();
    await network.use(userId, 998);
    const found = await answered(key, [`oops\n${line(VALID)}${line(VALID)}${line(INVALID)}oops\n${lines(3)}oops\n`]);
    expect(found.map(({ valid, code }) => valid ?? code)).toStrictEqual([
      "INVALID_JSON",
      true,
      true,
      false,
      "INVALID_JSON",
      "QUOTA_EXCEEDED",
    ]);
    expect(found.at(-1)).toMatchObject({ line: 6, ended: true });
    expect(streamLog()).toMatchObject({ outcome: "QUOTA_EXCEEDED", lines: 9, numbers: 3, successful: 2 });
    await isolate.settled();
    const { calls } = network.ledgerOf(userId).ledger.activity({});
    expect(calls).toMatchObject([{ operation: "verifyStream", status: 200, code: "QUOTA_EXCEEDED", numbers: 3 }]);
  });

  test("of a test key's real lookups end it with the seconds to wait", async () => {
    const { key } = await network.caller("test");
    const found = await answered(key, [lines(1_001, "+5511987654322")], 300_000);
    expect(found).toHaveLength(1_001);
    expect(found.at(-1)).toMatchObject({ code: "RATE_LIMITED", line: 1_001, ended: true });
    expect(found.at(-1)!["retry_after"]).toBeGreaterThan(40_000);
  });
});

test("the account's activity includes a stream when it ends, with its numbers", async () => {
  const { key, userId } = await network.caller("live", PRO);
  expect(await answered(key, [lines(150)])).toHaveLength(150);
  expect(await countedOf(userId)).toBe(150);
  await network.consume();
  const { calls } = network.ledgerOf(userId).ledger.activity({});
  expect(calls).toMatchObject([{ operation: "verifyStream", status: 200, code: null, country: null, numbers: 150 }]);
});

describe("faults", () => {
  test("without a ledger, a stream with a quota ends with an error and its results are counted", async () => {
    const { key, userId } = await network.caller();
    await verify(isolate, key);
    await isolate.settled();
    const before = await countedOf(userId);
    network.faults.ledger = "down";
    // The blank line keeps the two apart, however they are read.
    const found = await answered(key, [`${lines(10)}${" ".repeat(4_096)}\n`, lines(100)]);
    expect(found.at(-1)).toMatchObject({ code: "TEMPORARILY_UNAVAILABLE", line: 12, ended: true, retry_after: 5 });
    network.repair();
    expect(await countedOf(userId)).toBe(before + 10);
  });

  test("without a queue, results are counted by the ledger", async () => {
    const { key, userId } = await network.caller("live", PRO);
    network.faults.queue = "rejects";
    expect(await answered(key, [lines(250)])).toHaveLength(250);
    expect(await countedOf(userId)).toBe(250);
  });

  test("a key that can't be looked up midway ends it with the seconds to wait", async () => {
    const { key, userId } = await network.caller("live", PRO);
    const reader = (await ask(key, [lines(100), lines(100)]).response).body!.getReader();
    await until(reader.read());
    Object.assign(network.faults, { d1: "down", kv: "down" });
    skip(DAY_MS);
    const { value } = await until(reader.read());
    expect(JSON.parse(new TextDecoder().decode(value))).toMatchObject({
      code: "TEMPORARILY_UNAVAILABLE",
      line: 101,
      ended: true,
      retry_after: 5,
    });
    network.repair();
    expect(await countedOf(userId)).toBe(100);
  });

  test("a key that is revoked midway ends it", async () => {
    const { key, keyId, token } = await network.caller("live", PRO);
    function* slowly() {
      yield lines(100);
      yield lines(100);
    }
    const reader = (await ask(key, slowly()).response).body!.getReader();
    await until(reader.read());
    expect((await isolate.fetch(`/api/v1/account/api-keys/${keyId}`, send("DELETE", token))).status).toBe(200);
    const { value } = await until(reader.read());
    expect(JSON.parse(new TextDecoder().decode(value))).toMatchObject({
      code: "API_KEY_REVOKED",
      line: 101,
      ended: true,
    });
    expect((await until(reader.read())).done).toBe(true);
  });

  test("a key that is revoked once its quota has cut what is read ends it", async () => {
    const { key, keyId, token, userId } = await network.caller();
    await network.use(userId, 990);
    const reader = (await ask(key, [lines(100)]).response).body!.getReader();
    expect(new TextDecoder().decode((await until(reader.read())).value).split("\n")).toHaveLength(11);
    expect((await isolate.fetch(`/api/v1/account/api-keys/${keyId}`, send("DELETE", token))).status).toBe(200);
    const { value } = await until(reader.read());
    expect(JSON.parse(new TextDecoder().decode(value))).toMatchObject({ code: "API_KEY_REVOKED", line: 11 });
  });

  test("a key that is revoked while the stream waits for its limit ends it within ten seconds", async () => {
    const { key, keyId, token, userId } = await network.caller("test");
    const reader = (await ask(key, [lines(700)]).response).body!.getReader();
    for (let times = 0; times < 6; times++) await until(reader.read());
    const began = Date.now();
    const next = reader.read();
    await pass(1_000);
    expect((await isolate.fetch(`/api/v1/account/api-keys/${keyId}`, send("DELETE", token))).status).toBe(200);
    let text = new TextDecoder().decode((await until(next)).value);
    if (text === "\n") text = new TextDecoder().decode((await until(reader.read())).value);
    expect(JSON.parse(text)).toMatchObject({ code: "API_KEY_REVOKED", line: 601, ended: true });
    expect(Date.now() - began).toBe(10_000);
    expect(await countedOf(userId)).toBe(600);
  });
});
