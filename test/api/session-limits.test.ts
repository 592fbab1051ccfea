import { expect, test } from "vitest";
import { CHANGES_PER_HOUR, SESSION_CALLS_PER_MINUTE } from "../../contract/limits.ts";
import { LIMITS } from "../../worker/limits/table.ts";
import { from, newAddress, startAttempts } from "../attempts.ts";
import { createSignedIn, PASSWORD } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { pathOf, post, send } from "../requests.ts";

const worker = startWorker();
const { call } = startAttempts(worker);

/** Sends requests, 20 at a time. @returns how many got each status */
async function flood(count: number, path: string, init: (index: number) => RequestInit) {
  const statuses: Record<number, number> = {};
  let sent = 0;
  async function sendOn(): Promise<void> {
    while (sent < count) {
      sent += 1;
      const { status } = await call(path, init(sent));
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  }
  await Promise.all(Array.from({ length: 20 }, sendOn));
  return statuses;
}

test("an account logs in rightly at most 60 times per hour", async () => {
  const { email } = await createSignedIn(worker.db);
  const address = newAddress();
  let right = 0;
  // One after another: ten may be in flight for an account from one address.
  for (let sent = 0; sent < 65; sent++) {
    const { status } = await call(pathOf("login"), post(null, { email, password: PASSWORD }, from(address)));
    if (status === 200) right += 1;
    else expect(status).toBe(429);
  }
  expect(right).toBe(LIMITS.rightPasswordPerAccount.max);
});

test("a session reads at most 120 times per minute", async () => {
  const { token } = await createSignedIn(worker.db);
  const read = () => send("GET", token, undefined, from(newAddress()));
  const admitted = SESSION_CALLS_PER_MINUTE;
  expect(await flood(1_000, pathOf("usageReport"), read)).toStrictEqual({ 200: admitted, 429: 1_000 - admitted });
});

test("an account changes its keys and its name at most 120 times per hour together", async () => {
  const { token } = await createSignedIn(worker.db);
  const made = await worker.fetch(pathOf("createApiKey"), post(token, { mode: "live" }));
  const { id } = (await made.json()) as { id: string };
  const path = `${pathOf("listApiKeys")}/${id}`;
  const left = CHANGES_PER_HOUR - 1;
  const change = (index: number) => send("PATCH", token, { monthly_cap: 100 + index }, from(newAddress()));
  expect(await flood(200, path, change)).toStrictEqual({ 200: left, 429: 200 - left });
  const rename = (index: number) => send("PATCH", token, { name: `Ada ${index}` }, from(newAddress()));
  expect(await flood(30, pathOf("renameAccount"), rename)).toStrictEqual({ 429: 30 });
});
