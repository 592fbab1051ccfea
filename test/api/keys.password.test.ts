import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { ListedKey } from "../../contract/keys.ts";
import { apiKeys, securityEvents } from "../../schema.ts";
import { changeApiKey, insertApiKey } from "../../worker/keys/api-keys.ts";
import { createSession, createSignedIn, PASSWORD } from "../factories.ts";
import type { SignedIn } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { ioOf, sessionOf } from "../io.ts";
import { pathOf, post, send } from "../requests.ts";

// What someone can do with a session that isn't theirs, once its password is no longer recent.

const worker = startWorker();
const KEYS = "/api/v1/account/api-keys";
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let ada: SignedIn;
/** A session of Ada's whose password was given eleven minutes ago. */
let stolen: string;

beforeEach(async () => {
  ada = await createSignedIn(worker.db);
  ({ token: stolen } = await createSession(worker.db, ada.id, { passwordAt: Date.now() - 11 * MINUTE }));
});

/** Status and code, such as "403 PASSWORD_REQUIRED". */
async function ask(method: string, path: string, body?: unknown, token = stolen): Promise<string> {
  const response = await worker.fetch(path, send(method, token, body));
  const { code } = (await response.json()) as { code?: string };
  return code === undefined ? String(response.status) : `${response.status} ${code}`;
}

const key = (mode: "live" | "test", options: { monthlyCap?: number; expiresAt?: number } = {}) =>
  insertApiKey({ db: worker.db, now: Date.now(), userId: ada.id, mode, name: mode, ...options });

const rowsOf = (userId: string) => worker.db.select().from(apiKeys).where(eq(apiKeys.userId, userId));

async function verifyWith(apiKey: string): Promise<number> {
  return (await worker.fetch(pathOf("verify"), post(apiKey, { number: "+442079460018" }))).status;
}

async function listed(token: string): Promise<readonly ListedKey[]> {
  const response = await worker.fetch(KEYS, send("GET", token));
  return ((await response.json()) as { keys: ListedKey[] }).keys;
}

describe("a session eleven minutes after its password", () => {
  test.each([
    ["alone", {}],
    ["with a cap and an expiry", { monthly_cap: 1, expires_at: new Date(Date.now() + MINUTE).toISOString() }],
    ["with a name", { name: "Test key" }],
  ])("makes no live key, %s", async (_, options) => {
    expect(await ask("POST", KEYS, { mode: "live", ...options })).toBe("403 PASSWORD_REQUIRED");
    expect(await rowsOf(ada.id)).toStrictEqual([]);
  });

  test.each([0, 1, 24, 72])(
    "rolls no live key with %i hours of grace, and the old one keeps working",
    async (hours) => {
      const { id, apiKey } = await key("live");
      expect(await ask("POST", `${KEYS}/${id}/roll`, { grace_hours: hours })).toBe("403 PASSWORD_REQUIRED");
      expect(await rowsOf(ada.id)).toMatchObject([{ id, revokedAt: null, rolledAt: null, expiresAt: null }]);
      expect(await verifyWith(apiKey)).toBe(200);
    },
  );

  test.each([
    ["higher", 101],
    ["none", null],
  ])("gives a live key no cap that allows more: %s", async (_, cap) => {
    const { id } = await key("live", { monthlyCap: 100 });
    expect(await ask("PATCH", `${KEYS}/${id}`, { monthly_cap: cap })).toBe("403 PASSWORD_REQUIRED");
    expect(await ask("PATCH", `${KEYS}/${id}`, { name: "Renamed", monthly_cap: cap })).toBe("403 PASSWORD_REQUIRED");
    expect(await rowsOf(ada.id)).toMatchObject([{ name: "live", monthlyCap: 100 }]);
  });

  test("can't raise a cap by lowering it while its owner lowers it further", async () => {
    const { id } = await key("live", { monthlyCap: 100 });
    const io = ioOf(worker);
    const [owner, thief] = await Promise.all([ada.token, stolen].map((token) => sessionOf(io, token)));
    // Both read the cap of 100 before either changes it.
    const [, theirs] = await Promise.allSettled([
      changeApiKey(io, owner!, { id, monthlyCap: 10 }),
      changeApiKey(io, thief!, { id, monthlyCap: 50 }),
    ]);
    // Theirs may come first, when it allows no more than before; the owner's then follows.
    if (theirs.status === "rejected") expect(theirs.reason).toMatchObject({ code: "PASSWORD_REQUIRED" });
    expect(await rowsOf(ada.id)).toMatchObject([{ monthlyCap: 10 }]);
  });

  test.each([
    ["turns into a live key", { mode: "live" }],
    ["turns into a live key along with a name", { name: "Renamed", mode: "live" }],
    ["is rolled without asking", { name: "Renamed", grace_hours: 0 }],
    ["expires later", { expires_at: new Date(Date.now() + 30 * DAY).toISOString() }],
    ["never expires", { name: "Renamed", expires_at: null }],
    ["says that the password is recent", { monthly_cap: null, password: "recent", password_at: Date.now() }],
  ])("sends fields that no change has: no key %s", async (_, body) => {
    const ends = Date.now() + DAY;
    const { id: sandbox } = await key("test", { expiresAt: ends });
    const { id: live } = await key("live", { expiresAt: ends, monthlyCap: 100 });
    for (const id of [sandbox, live]) expect(await ask("PATCH", `${KEYS}/${id}`, body)).toBe("400 VALIDATION_FAILED");
    const rows = (await rowsOf(ada.id)).map(({ mode, name, expiresAt, monthlyCap }) => [
      mode,
      name,
      expiresAt,
      monthlyCap,
    ]);
    expect(rows.toSorted()).toStrictEqual([
      ["live", "live", ends, 100],
      ["test", "test", ends, null],
    ]);
  });

  test.each(["LIVE", " live", ["live"], ["test", "live"], null, 1])("sends the mode as %j: no key", async (mode) => {
    expect(await ask("POST", KEYS, { mode })).toBe("400 VALIDATION_FAILED");
  });

  test("sends the mode twice: the last one counts for the password too", async () => {
    expect(await ask("POST", KEYS, '{"mode":"test","mode":"live"}')).toBe("403 PASSWORD_REQUIRED");
    expect(await ask("POST", `${KEYS}?mode=test`, { mode: "live" })).toMatch(/^40[03] /);
    expect(await rowsOf(ada.id)).toStrictEqual([]);
  });

  test("still takes power away: revokes, lowers or sets a cap, renames; and still makes and rolls test keys", async () => {
    const { id: live, apiKey } = await key("live");
    const { id: other } = await key("live");
    expect(await ask("PATCH", `${KEYS}/${live}`, { name: "Renamed" })).toBe("200");
    expect(await ask("PATCH", `${KEYS}/${live}`, { monthly_cap: null })).toBe("200");
    expect(await ask("PATCH", `${KEYS}/${live}`, { monthly_cap: 100 })).toBe("200");
    expect(await ask("PATCH", `${KEYS}/${live}`, { monthly_cap: 100 })).toBe("200");
    expect(await ask("PATCH", `${KEYS}/${live}`, { monthly_cap: 99, name: "Again" })).toBe("200");
    expect(await ask("DELETE", `${KEYS}/${live}`)).toBe("200");
    await expect.poll(() => verifyWith(apiKey)).toBe(401);
    expect(await ask("DELETE", `${KEYS}?mode=live`)).toBe("200");
    expect(await ask("DELETE", `${KEYS}/${other}`)).toBe("404 NOT_FOUND");

    const { id: sandbox } = await key("test");
    expect(await ask("POST", KEYS, {})).toBe("201");
    expect(await ask("POST", `${KEYS}/${sandbox}/roll`, { grace_hours: 24 })).toBe("201");
  });

  test("learns first what the password wouldn't help with", async () => {
    const { id } = await key("test");
    const stranger = await createSignedIn(worker.db, { subscription: "none" });
    const { token } = await createSession(worker.db, stranger.id, { passwordAt: Date.now() - 11 * MINUTE });
    expect(await ask("POST", KEYS, { mode: "live" }, token)).toBe("403 SUBSCRIPTION_REQUIRED");
    expect(await ask("POST", `${KEYS}/${id}/roll`, { grace_hours: 0 }, token)).toBe("404 NOT_FOUND");
    expect(await ask("PATCH", `${KEYS}/${id}`, { monthly_cap: 5 })).toBe("400 VALIDATION_FAILED");
  });

  test("does all of it once the password is given, in the browser where it was given", async () => {
    const { id } = await key("live", { monthlyCap: 100 });
    const confirmed = await worker.fetch(pathOf("confirmPassword"), post(stolen, { password: PASSWORD }));
    const { token } = (await confirmed.json()) as { token: string };
    expect(await ask("POST", KEYS, { mode: "live" }, token)).toBe("201");
    expect(await ask("PATCH", `${KEYS}/${id}`, { monthly_cap: null }, token)).toBe("200");
    expect(await ask("POST", `${KEYS}/${id}/roll`, { grace_hours: 24 }, token)).toBe("201");
    expect(await ask("POST", KEYS, { mode: "live" })).toBe("401 SESSION_EXPIRED");
  });
});

describe("a key's device", () => {
  const OWN = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0" };
  const OTHER = {
    "User-Agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36",
  };

  async function logIn(headers: Record<string, string>): Promise<string> {
    const init = post(null, { email: ada.email, password: PASSWORD }, headers);
    return ((await (await worker.fetch(pathOf("login"), init)).json()) as { token: string }).token;
  }

  async function make(token: string, headers: Record<string, string>, name: string): Promise<void> {
    expect((await worker.fetch(KEYS, post(token, { mode: "live", name }, headers))).status).toBe(201);
  }

  const newOnes = async () =>
    (await listed(ada.token))
      .filter((row) => row.from_new_device)
      .map(({ name }) => name)
      .toSorted();

  test("is new for a day after its first login, or without a login, but never the account's first device", async () => {
    const own = await logIn(OWN);
    await make(own, OWN, "own");
    expect(await newOnes()).toStrictEqual([]);
    await make(own, OTHER, "with a token from elsewhere");
    const other = await logIn(OTHER);
    await make(other, OTHER, "logged in elsewhere");
    // A second login doesn't make the device known.
    await logIn(OTHER);
    const { id } = (await listed(ada.token)).find(({ name }) => name === "logged in elsewhere")!;
    expect((await worker.fetch(`${KEYS}/${id}/roll`, post(other, { grace_hours: 24 }, OTHER))).status).toBe(201);
    const both = ["logged in elsewhere", "logged in elsewhere", "with a token from elsewhere"];
    await expect.poll(newOnes).toStrictEqual(both);
    const { created_from: from } = (await listed(ada.token)).find(
      ({ name }) => name === "with a token from elsewhere",
    )!;
    expect(from).toMatch(/^Chrome on Windows/);

    await worker.db
      .update(apiKeys)
      .set({ createdAt: Date.now() - DAY - MINUTE })
      .where(eq(apiKeys.id, id));
    expect(await newOnes()).toStrictEqual(both.slice(1));
  });

  test("stays new when the owner's own logins are too old to be kept", async () => {
    await logIn(OWN);
    const other = await logIn(OTHER);
    await make(other, OTHER, "key");
    await expect.poll(newOnes).toStrictEqual(["key"]);
    await worker.db.delete(securityEvents).where(eq(securityEvents.browser, "Firefox on Linux"));
    expect(await newOnes()).toStrictEqual(["key"]);
  });

  test("is not new a day after its first login", async () => {
    await logIn(OWN);
    const other = await logIn(OTHER);
    await make(other, OTHER, "key");
    await expect.poll(newOnes).toStrictEqual(["key"]);
    await worker.db
      .update(securityEvents)
      .set({ at: Date.now() - DAY - MINUTE })
      .where(eq(securityEvents.userId, ada.id));
    expect(await newOnes()).toStrictEqual([]);
  });
});
