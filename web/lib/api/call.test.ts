import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { accounts } from "../../../contract/endpoints/accounts.ts";
import { keys } from "../../../contract/endpoints/keys.ts";
import { sendBatch } from "../../routes/dashboard/bulk/send-batch.ts";
import { renewing } from "../session/on-server.ts";
import { dropToken, readToken, storeToken } from "../session/token.ts";
import { call, renewedSince } from "./call.ts";

function tokenOf(number: number, sub = "usr_1"): string {
  return ["e30", Buffer.from(JSON.stringify({ sub, sid: "ses_1" })).toString("base64url"), String(number)].join(".");
}

const [OLD, NEW] = [tokenOf(1), tokenOf(2)];
/** The path and token of each call, in order. */
const sent: string[] = [];

beforeEach(() => {
  sent.length = 0;
  dropToken();
  storeToken(OLD);
  vi.stubGlobal("fetch", async (path: string, { headers }: RequestInit) => {
    const bearer = new Headers(headers).get("Authorization");
    sent.push(`${path.split("/").at(-1)} ${bearer?.split(".").at(-1)}`);
    if (bearer !== `Bearer ${NEW}`)
      return Response.json({ error: "Log in again.", code: "SESSION_EXPIRED" }, { status: 401 });
    return Response.json({ id: "key_1", token: NEW, results: [{ valid: true }] });
  });
});

afterEach(() => {
  dropToken();
  vi.unstubAllGlobals();
});

const create = () => call(keys.createApiKey, { mode: "test" });
/** A batch of the web worker, which asks the page for a new token. */
const batch = async () => {
  let token: string | null = OLD;
  const session = {
    get token() {
      return token;
    },
    async renew() {
      token = await renewedSince(token!);
      return token !== null;
    },
  };
  const asked = { numbers: ["+12025550106"], conditions: {}, idempotencyKey: "one" };
  const sending = sendBatch(asked, new AbortController().signal, session);
  const first = await sending.next();
  return first.done === true ? first.value : (await sending.next()).value;
};
const change = () =>
  renewing(
    call(accounts.changePassword, { old_password: "an old password", new_password: "a new one" }, { renews: true }),
  );

test.each([
  ["api-keys", create, { id: "key_1" }],
  ["verify", batch, { kind: "answered" }],
])("a call to %s with the old token waits for the new one and is resent", async (path, ask, expected) => {
  const session = Promise.withResolvers<{ token: string }>();
  const renewed = renewing(session.promise);
  const asked = ask();
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(readToken()).toBe(OLD);
  session.resolve({ token: NEW });
  await renewed;
  expect(await asked).toMatchObject(expected);
  expect(sent).toStrictEqual([`${path} 1`, `${path} 2`]);
  expect(readToken()).toBe(NEW);
});

test("one stored by another tab in the meantime works too, also for a new password", async () => {
  const [key, changed] = [create(), change()];
  storeToken(NEW);
  expect(await key).toMatchObject({ id: "key_1" });
  await changed;
  expect(sent.map((each) => each.split(" ")[1])).toStrictEqual(["1", "1", "2", "2"]);
});

test.each([
  ["a new key", create],
  ["a new password, which does not wait for itself", change],
])("without a newer one, or with another account's, a 401 ends the session once: %s", async (_, ask) => {
  await expect(ask()).rejects.toMatchObject({ status: 401, code: "SESSION_EXPIRED" });
  expect(readToken()).toBeNull();
  storeToken(OLD);
  const asked = ask();
  const other = tokenOf(3, "usr_2");
  storeToken(other);
  await expect(asked).rejects.toMatchObject({ status: 401 });
  expect(readToken()).toBe(other);
  expect(sent).toHaveLength(2);
});

test("a rejected batch ends the session too, and says so", async () => {
  expect(await batch()).toStrictEqual({ kind: "rejected", message: "Log in again." });
  expect(readToken()).toBeNull();
});
