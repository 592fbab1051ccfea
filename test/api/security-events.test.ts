import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { MAX_SECURITY_EVENTS } from "../../contract/limits.ts";
import type { SecurityEvent, SecurityEventKind } from "../../contract/security-events.ts";
import { passkeys, recoveryCodes, securityEvents, totp } from "../../schema.ts";
import { recordEvent } from "../../worker/accounts/security-events.ts";
import type { Io } from "../../worker/io.ts";
import { runAdmin } from "../admin.ts";
import { createSession, createSignedIn, emailOf, PASSWORD } from "../factories.ts";
import type { SignedIn } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { ioOf } from "../io.ts";
import { mailsTo, waitForMail } from "../mailbox.ts";
import { pathOf, post, send } from "../requests.ts";

const worker = startWorker();
const FIREFOX = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0" };
const IPHONE = { "User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5) Version/18.5 Mobile Safari/604.1" };

let ada: SignedIn;

beforeEach(async () => {
  // What this process records is logged here, not by the worker.
  vi.spyOn(console, "log").mockImplementation(() => {});
  ada = await createSignedIn(worker.db);
});

async function events({ token }: Pick<SignedIn, "token"> = ada): Promise<SecurityEvent[]> {
  const response = await worker.fetch(pathOf("securityEvents"), send("GET", token));
  return ((await response.json()) as { events: SecurityEvent[] }).events;
}

/** The kinds of all events, sorted: simultaneous events are stored in any order. */
const kinds = async () => (await events()).map(({ kind }) => kind).toSorted();

const logIn = (password: string, headers: Record<string, string>, email = ada.email) =>
  worker.fetch(pathOf("login"), post(null, { email, password }, headers));

/** Records events in this process and waits until they are stored. */
async function record(kind: SecurityEventKind, times: number, now: number): Promise<void> {
  const work: Promise<unknown>[] = [];
  const io: Io = { ...ioOf(worker, () => now), waitUntil: (one) => void work.push(one) };
  for (let n = 0; n < times; n++) recordEvent(io, ada.id, kind);
  await Promise.all(work);
}

describe("security events", () => {
  test("say what happened, to what, from where; the log has ids and a keyed hash, no address and no name", async () => {
    const create = post(ada.token, { mode: "live", name: "Checkout of Ada" }, FIREFOX);
    const { id } = (await (await worker.fetch(pathOf("createApiKey"), create)).json()) as { id: string };
    await worker.fetch(`${pathOf("listApiKeys")}/${id}`, send("DELETE", ada.token, undefined, FIREFOX));
    const other = await createSession(worker.db, ada.id, { browser: "Safari on iPhone" });
    await worker.fetch(`${pathOf("listSessions")}/${other.id}`, send("DELETE", ada.token, undefined, FIREFOX));
    await worker.fetch(pathOf("logOut"), send("POST", (await createSession(worker.db, ada.id)).token));
    await expect.poll(kinds).toStrictEqual(["key_created", "key_revoked", "log_out", "session_ended"]);
    const listed = await events();
    expect(listed.find(({ kind }) => kind === "key_created")).toStrictEqual({
      id: expect.stringMatching(/^evt_/),
      kind: "key_created",
      at: expect.any(String),
      about: "Checkout of Ada (live)",
      by: "user",
      browser: "Firefox on Linux",
      country_code: expect.toSatisfy((code: unknown) => code === null || typeof code === "string"),
    });
    expect(listed.find(({ kind }) => kind === "session_ended")?.about).toBe("Safari on iPhone");

    const lines = worker.logs().filter((line) => line.includes('"security_event"') && line.includes(ada.id));
    expect(lines).toHaveLength(4);
    const line = JSON.parse(lines.find((each) => each.includes("key_created"))!) as Record<string, unknown>;
    expect(line).toStrictEqual({
      level: "info",
      event: "security_event",
      user_id: ada.id,
      kind: "key_created",
      by: "user",
      about: id,
      caller: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    for (const secret of ["Checkout of Ada", ada.email, "10.0."]) expect(lines.join("")).not.toContain(secret);
    const bob = await createSignedIn(worker.db);
    expect(await events(bob)).toStrictEqual([]);
  });

  test("include a wrong password; the first login from another browser is emailed, and none after it", async () => {
    await logIn("not the password", FIREFOX);
    await logIn(PASSWORD, FIREFOX);
    await expect.poll(kinds).toStrictEqual(["log_in", "password_failed"]);
    await logIn(PASSWORD, IPHONE);
    const mail = await waitForMail(worker, ada.email, /^Logged in on a new device/);
    expect(mail.text).toContain("Safari on iPhone");
    await logIn(PASSWORD, IPHONE);
    await expect.poll(kinds).toStrictEqual(["log_in", "log_in", "log_in_new_device", "password_failed"]);
    expect(await mailsTo(worker, ada.email)).toHaveLength(1);
  });

  test("don't exist for an unknown address, and are deleted with the account", async () => {
    const before = await worker.db.$count(securityEvents);
    await logIn("anything at all", FIREFOX, "nobody@example.com");
    await record("log_in", 1, Date.now());
    await worker.fetch(pathOf("deleteAccount"), send("DELETE", ada.token));
    expect(await worker.db.$count(securityEvents)).toBe(before);
    expect(worker.logs().join("\n")).toMatch(new RegExp(`"user_id":"${ada.id}","kind":"account_deleted","by":"user"`));
  });

  test("keep the newest; strangers' guesses evict only each other", async () => {
    const now = Date.now();
    await record("key_created", 1, now - 5_000);
    for (const at of [now - 9_000, now - 7_000, now - 5_000]) await record("log_in", 1, at);
    const rows = (kind: SecurityEventKind, count: number, at: number) =>
      Array.from({ length: count }, (_, n) => ({ id: `evt_${kind}_${n}`, userId: ada.id, kind, at: at + n }));
    for (let from = 0; from < 5; from++) {
      const many = rows("password_failed", 10, now - 4_000 + from * 10);
      await worker.db.insert(securityEvents).values(many.map((row) => ({ ...row, id: `${row.id}_${from}` })));
    }
    await record("password_failed", 55, now - 3_000);
    expect((await kinds()).filter((kind) => kind === "password_failed")).toHaveLength(100);
    expect(await kinds()).toContain("key_created");
    for (let from = 0; from < 40; from++) {
      const many = rows("log_out", 10, now - 2_000 + from * 10);
      await worker.db.insert(securityEvents).values(many.map((row) => ({ ...row, id: `${row.id}_${from}` })));
    }
    await record("suspended", 1, now);
    const left = await events();
    expect(left).toHaveLength(MAX_SECURITY_EVENTS);
    expect(left[0]).toMatchObject({ kind: "suspended", by: "operator", browser: null });
    expect(left.map(({ kind }) => kind)).not.toContain("key_created");
    // Two logins more: the next is compared with the last, and an undo of a change of email reaches back to the first.
    const stored = await worker.db.select().from(securityEvents).where(eq(securityEvents.userId, ada.id));
    expect(stored).toHaveLength(MAX_SECURITY_EVENTS + 2);
    const logins = stored.filter(({ kind }) => kind === "log_in").map(({ at }) => at);
    expect(logins).toStrictEqual([now - 9_000, now - 5_000]);
  });

  test("a record that can't be written stops nothing, and is logged", async () => {
    await worker.env.DB.exec("ALTER TABLE security_events RENAME TO security_events_away");
    try {
      expect((await logIn(PASSWORD, FIREFOX)).status).toBe(200);
      await expect.poll(() => worker.logs().join("\n")).toContain(`security_event_not_stored","user_id":"${ada.id}"`);
    } finally {
      await worker.env.DB.exec("ALTER TABLE security_events_away RENAME TO security_events");
    }
  });
});

describe("an operator", () => {
  test("removes a lost second factor: then the password alone is enough, and the owner gets an email", async () => {
    await worker.db.insert(totp).values({ userId: ada.id, secret: "x", confirmedAt: 1 });
    await worker.db.insert(recoveryCodes).values({ userId: ada.id, hash: "x", createdAt: 1 });
    await worker.db.insert(passkeys).values({
      id: "psk_lost",
      userId: ada.id,
      name: "Lost",
      credentialId: "x",
      publicKey: "x",
      counter: 0,
      transports: [],
      createdAt: 0,
    });
    expect((await logIn(PASSWORD, FIREFOX)).status).toBe(401);
    const { text, data } = await runAdmin(worker, "reset-second-factor", emailOf(ada.id));
    expect([text, data]).toStrictEqual([
      `Removed two-factor authentication from ${ada.email}.\n`,
      { email: ada.email, removed: true },
    ]);
    expect((await logIn(PASSWORD, FIREFOX)).status).toBe(200);
    for (const table of [totp, passkeys, recoveryCodes]) {
      expect(await worker.db.$count(table, eq(table.userId, ada.id))).toBe(0);
    }
    expect((await events()).find(({ kind }) => kind === "second_factor_reset")).toMatchObject({ by: "operator" });
    const mail = await waitForMail(worker, ada.email, /^Two-factor authentication removed by support/);
    expect(mail.text).toContain("Checkline support");
    const again = await runAdmin(worker, "reset-second-factor", emailOf(ada.id));
    expect(again.text).toBe(`${ada.email} has no two-factor authentication.\n`);
    await expect(runAdmin(worker, "reset-second-factor", "nobody@example.com")).rejects.toMatchObject({
      code: "ACCOUNT_NOT_FOUND",
    });
  });

  test("leaves a trace when changing an account", async () => {
    await runAdmin(worker, "suspend", ada.email);
    await runAdmin(worker, "unsuspend", ada.email);
    await runAdmin(worker, "grant", ada.email, "pro");
    const rows = await worker.db.select().from(securityEvents).where(eq(securityEvents.userId, ada.id));
    expect(rows.map(({ kind, browser }) => [kind, browser]).toSorted()).toStrictEqual([
      ["subscription_changed", null],
      ["suspended", null],
      ["unsuspended", null],
    ]);
  });
});
