import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { sessions } from "../../schema.ts";
import { createIsolate } from "../../worker/io.ts";
import { runJob } from "../schedule.ts";
import { createAccount, createSession } from "../factories.ts";
import { NOON } from "../usage.ts";
import { send } from "../requests.ts";
import { skip, until } from "./clock.ts";
import { startNetwork } from "./network.ts";
import type { NetworkIsolate } from "./network.ts";

const network = startNetwork();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PATH = "/api/v1/account/me";

/** A session that begins now. */
async function begin() {
  return createSession(network.worker.db, await createAccount(network.worker.db));
}

async function open(isolate: NetworkIsolate, token: string): Promise<string> {
  const response = await isolate.fetch(PATH, send("GET", token));
  const { code } = (await response.json()) as { code?: string };
  await isolate.settled();
  return code === undefined ? String(response.status) : `${response.status} ${code}`;
}

async function lastUse(id: string): Promise<number | undefined> {
  return (await network.worker.db.select().from(sessions).where(eq(sessions.id, id)).get())?.lastUsedAt;
}

test("a session used every day ends after seven days, to the second", async () => {
  const [isolate, { token }] = [await network.isolate(), await begin()];
  for (let day = 1; day <= 8; day++) {
    skip(NOON + day * 21 * HOUR - Date.now());
    // Seven days are eight times 21 hours.
    expect(await open(isolate, token)).toBe(day < 8 ? "200" : "401 SESSION_EXPIRED");
    if (day === 7) {
      skip(NOON + 7 * DAY - 1000 - Date.now());
      expect(await open(isolate, token)).toBe("200");
    }
  }
});

test("an unused one ends after a day, and no use brings it back", async () => {
  const [isolate, { token }] = [await network.isolate(), await begin()];
  skip(DAY - 1000);
  expect(await open(isolate, token)).toBe("200");
  skip(DAY - 1000);
  // The previous use was in the hour that began an hour before its day was over.
  expect(await open(isolate, token)).toBe("401 SESSION_EXPIRED");
  expect(await open(isolate, token)).toBe("401 SESSION_EXPIRED");
});

test("a check reads D1 once, and only the first of an hour writes", async () => {
  const [isolate, { id, token }] = [await network.isolate(), await begin()];
  // The second read is the account's own: its pending change of email.
  const calls = async () => {
    isolate.calls.length = 0;
    expect(await open(isolate, token)).toBe("200");
    return isolate.calls.filter((name) => name !== "backstop").join();
  };
  expect(await calls()).toBe("d1,d1");
  skip(59 * MINUTE);
  expect(await calls()).toBe("d1,d1");
  skip(2 * MINUTE);
  expect(await calls()).toBe("d1,d1,d1");
  expect(await lastUse(id)).toBe(NOON + HOUR);
  expect(await calls()).toBe("d1,d1");
});

test("ten concurrent tabs are one session, used once in the hour", async () => {
  const [isolate, { id, token }] = [await network.isolate(), await begin()];
  skip(3 * HOUR + MINUTE);
  const tabs = Array.from({ length: 10 }, () => isolate.fetch(PATH, send("GET", token)));
  for (const response of await Promise.all(tabs)) expect(response.status).toBe(200);
  await isolate.settled();
  expect(await lastUse(id)).toBe(NOON + 3 * HOUR);
  expect(await network.worker.db.select().from(sessions).where(eq(sessions.id, id))).toHaveLength(1);
});

test("if its use can't be recorded, it stays active, and this is logged", async () => {
  const [isolate, { id, token }] = [await network.isolate(), await begin()];
  skip(HOUR);
  network.faults.d1 = "takes no writes";
  expect(await open(isolate, token)).toBe("200");
  expect(network.logs.filter((line) => line.includes("session_not_touched"))).toHaveLength(1);
  expect(await lastUse(id)).toBe(NOON);
  network.repair();
  expect(await open(isolate, token)).toBe("200");
  expect(await lastUse(id)).toBe(NOON + HOUR);
});

test("without the database no one is let in, and no one is logged out", async () => {
  const [isolate, { token }] = [await network.isolate(), await begin()];
  network.faults.d1 = "down";
  expect(await open(isolate, token)).toBe("500 INTERNAL_ERROR");
  network.repair();
  expect(await open(isolate, token)).toBe("200");
});

test("the hourly cleanup deletes sessions that have ended, and no others", async () => {
  const { db } = network.worker;
  await db.delete(sessions);
  const [old, used] = [await begin(), await begin()];
  const isolate = await network.isolate();
  skip(20 * HOUR);
  expect(await open(isolate, used.token)).toBe("200");
  skip(4 * HOUR + 1);
  await until(runJob("17 * * * *", createIsolate(network.behind())));
  expect(await db.select({ id: sessions.id }).from(sessions)).toStrictEqual([{ id: used.id }]);
  expect(await open(isolate, old.token)).toBe("401 SESSION_EXPIRED");
  expect(await open(isolate, used.token)).toBe("200");
});
