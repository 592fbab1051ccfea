import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { BODY_TIMEOUT_SECONDS } from "../../contract/limits.ts";
import { sessions, users } from "../../schema.ts";
import { generateKey } from "../../worker/keys/key-format.ts";
import { createSession } from "../factories.ts";
import { pathOf, post, send } from "../requests.ts";
import { VALID, verify } from "./calls.ts";
import { pass } from "./clock.ts";
import type { Isolate } from "./isolate.ts";
import { startNetwork } from "./network.ts";
import type { Caller } from "./network.ts";

const network = startNetwork();

const JSON_BODY = JSON.stringify({ numbers: Array<string>(100).fill(VALID) });

/** A batch whose body the test sends in pieces. */
function slowBatch(key: string, headers: Record<string, string>) {
  const sent = new TransformStream<Uint8Array, Uint8Array>();
  const writer = sent.writable.getWriter();
  const init = { ...post(key, "", headers), body: sent.readable, duplex: "half" };
  const write = async (text: string) => {
    await writer.write(new TextEncoder().encode(text));
  };
  return { init, write, end: () => writer.close() };
}

const WAYS: readonly (readonly [string, Record<string, string>])[] = [
  ["says its length", { "Content-Length": String(JSON_BODY.length) }],
  ["comes in chunks", {}],
];

test.each([
  ["says so", { "Content-Length": "5000000" }],
  ["comes in chunks", {}],
])("a body of 5 MB that %s is rejected, and hardly read", async (_, headers) => {
  const isolate = await network.isolate();
  const { key } = await network.caller();
  let read = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      read += 5_000;
      controller.enqueue(new Uint8Array(5_000).fill(0x20));
      if (read === 5_000_000) controller.close();
    },
  });
  const response = await isolate.fetch("/api/v1/verify", {
    ...post(key, "", headers),
    body,
    duplex: "half",
  } as RequestInit);
  expect([response.status, await response.json()]).toMatchObject([413, { code: "PAYLOAD_TOO_LARGE" }]);
  expect(read).toBeLessThan(50_000);
});

describe.each(WAYS)("a body that %s", (_, headers) => {
  test("and never ends is rejected after 30 seconds", async () => {
    const isolate = await network.isolate();
    const { key } = await network.caller();
    await verify(isolate, key);
    const { init, write } = slowBatch(key, headers);
    const began = Date.now();
    void write(JSON_BODY.slice(0, 10));
    const response = await isolate.fetch("/api/v1/verify/batch", init);
    expect(await response.json()).toStrictEqual({
      error: `The request body didn't arrive within ${BODY_TIMEOUT_SECONDS} seconds.`,
      code: "REQUEST_TIMEOUT",
    });
    expect(response.status).toBe(408);
    expect(Date.now() - began).toBe(BODY_TIMEOUT_SECONDS * 1_000);
  });

  test("isn't waited for without a valid key", async () => {
    const isolate = await network.isolate();
    const { init, write } = slowBatch(generateKey("test"), headers);
    const began = Date.now();
    void write(JSON_BODY.slice(0, 10));
    const response = await isolate.fetch("/api/v1/verify/batch", init);
    expect(response.status).toBe(401);
    expect(Date.now() - began).toBeLessThan(1_000);
  });

  test("and ends after its key was revoked is rejected, and nothing is counted", async () => {
    const isolate = await network.isolate();
    const { key, keyId, token, userId } = await network.caller();
    await verify(isolate, key);
    const { init, write, end } = slowBatch(key, headers);
    const outcome = isolate.fetch("/api/v1/verify/batch", init);
    await write(JSON_BODY.slice(0, 10));
    await pass(20_000);
    const revoked = await isolate.fetch(`/api/v1/account/api-keys/${keyId}`, send("DELETE", token));
    expect(revoked.status).toBe(200);
    await write(JSON_BODY.slice(10));
    await end();
    const response = await outcome;
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: "API_KEY_REVOKED" });
    await isolate.settled();
    await network.consume();
    expect(await network.counted(userId)).toBe(1);
  });

  test("and ends in time gets a result", async () => {
    const isolate = await network.isolate();
    const { key } = await network.caller();
    await verify(isolate, key);
    const { init, write, end } = slowBatch(key, headers);
    const outcome = isolate.fetch("/api/v1/verify/batch", init);
    await write(JSON_BODY.slice(0, 10));
    await pass(29_000);
    await write(JSON_BODY.slice(10));
    await end();
    expect((await outcome).status).toBe(200);
  });
});

describe("a session that ends while the body of its change arrives", () => {
  type Ended = (isolate: Isolate, caller: Caller) => Promise<unknown>;
  const ends: readonly (readonly [how: string, end: Ended])[] = [
    ["is logged out", (isolate, { token }) => isolate.fetch(pathOf("logOut"), send("POST", token))],
    [
      "is ended from another",
      async (isolate, { userId }) => {
        const { token } = await createSession(network.worker.db, userId);
        return isolate.fetch(pathOf("endOtherSessions"), send("DELETE", token));
      },
    ],
    [
      "loses its epoch",
      (_, { userId }) => network.worker.db.update(users).set({ sessionEpoch: 9 }).where(eq(users.id, userId)),
    ],
    ["loses its account", (_, { userId }) => network.worker.db.delete(users).where(eq(users.id, userId))],
    [
      "confirms its password elsewhere",
      (_, { userId }) =>
        network.worker.db
          .update(sessions)
          .set({ passwordAt: sql`password_at + 1` })
          .where(eq(sessions.userId, userId)),
    ],
  ];

  test.each(ends)("and %s changes nothing, whatever the body", async (_, end) => {
    const isolate = await network.isolate();
    for (const body of [JSON.stringify({ mode: "test" }), "not JSON", "{}"]) {
      const caller = await network.caller();
      const { init, write, end: finish } = slowBatch(caller.token, {});
      const outcome = isolate.fetch(pathOf("createApiKey"), init);
      await write(body);
      await pass(1_000);
      await end(isolate, caller);
      await finish();
      const response = await outcome;
      expect([response.status, await response.json()]).toMatchObject([401, { code: "SESSION_EXPIRED" }]);
    }
  });
});
