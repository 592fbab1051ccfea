import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { formatUtcTime } from "../../contract/format.ts";
import { emailTokens, securityEvents, users } from "../../schema.ts";
import { findAccountByEmail } from "../../worker/accounts/accounts.ts";
import { activateToken, hashToken, LONGEST_UNDO } from "../../worker/accounts/email-tokens.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
import { newId } from "../../worker/platform/random.ts";
import { DAY_MS, HOUR_MS } from "../../worker/platform/time.ts";
import { accountCalls, NEW, newEmail, OWNERS } from "../account-calls.ts";
import { createAccount, createSession, createSignedIn, emailOf, PASSWORD } from "../factories.ts";
import { DEAD_LINK, addFactors, emailChanges, expireLink, factorsOf } from "../email-change.ts";
import { startWorker } from "../harness.ts";
import { ioOf } from "../io.ts";
import { tokenIn, waitForMail } from "../mailbox.ts";
import { fromManyAddresses, pathOf, post, send } from "../requests.ts";

const worker = startWorker();

const call = fromManyAddresses(worker);

const { me, register, signIn, verify } = accountCalls({ fetch: call });
const { change, confirm, events, linkTo, request, resetPassword, undo, undoFor } = emailChanges({ fetch: call });

async function verifyWith(apiKey: string): Promise<number> {
  return (await call("/api/v1/verify", post(apiKey, { number: "+442079460018" }))).status;
}

async function addKey(userId: string, name: string, at = Date.now()) {
  return (await insertApiKey({ db: worker.db, now: at, userId, mode: "live", name })).apiKey;
}

describe("undoing a change", () => {
  test("restores the address, ends sessions, links, later keys, and the password, once", async () => {
    const { id, email, token } = await createSignedIn(worker.db);
    const earlier = await addKey(id, "earlier", Date.now() - 8 * DAY_MS);
    const next = newEmail();
    await change(token, next);
    const later = await addKey(id, "later");
    const third = newEmail();
    await request(token, third);
    const pending = await linkTo(third);
    await call(pathOf("requestPasswordReset"), post(null, { email: next }));
    await waitForMail(worker, next, /^Reset/);
    expect([await verifyWith(earlier), await verifyWith(later)]).toStrictEqual([200, 200]);

    const link = await undoFor(email);
    const statuses = (await Promise.all([undo(link), undo(link)])).map(({ status }) => status);
    expect(statuses.toSorted()).toStrictEqual([200, 400]);
    expect((await me(token)).status).toBe(401);
    await expect.poll(() => verifyWith(later)).toBe(401);
    expect(await verifyWith(earlier)).toBe(200);
    expect((await signIn(email, PASSWORD)).status).toBe(401);
    expect((await signIn(next, PASSWORD)).status).toBe(401);
    expect(await resetPassword(next, NEW)).toBe(400);
    expect(await resetPassword(email, NEW)).toBe(200);
    const { token: restored } = await signIn(email, NEW);
    expect(await confirm(restored, pending)).toStrictEqual(DEAD_LINK);
    expect(await me(restored)).toMatchObject({ body: { id, email, is_verified: true, pending_email: null } });
    await expect.poll(() => events(restored)).toContain(`email_change_undone ${email}`);
    expect(await undo(link)).toStrictEqual(DEAD_LINK);
  });

  test("ends second factors added since, with recovery codes nobody can use, and keeps earlier ones", async () => {
    const taken = await createSignedIn(worker.db);
    await change(taken.token, newEmail());
    await addFactors(worker.db, taken.id, Date.now());
    expect((await undo(await undoFor(taken.email))).status).toBe(200);
    expect(await factorsOf(worker.db, taken.id)).toStrictEqual({ totp: 0, passkeys: 0, codes: 0 });

    const own = await createSignedIn(worker.db);
    await addFactors(worker.db, own.id, 1);
    await change(own.token, newEmail());
    expect((await undo(await undoFor(own.email))).status).toBe(200);
    expect(await factorsOf(worker.db, own.id)).toStrictEqual({ totp: 1, passkeys: 1, codes: 1 });
  });

  test("is over after three days, and after the account was deleted", async () => {
    const { email, token } = await createSignedIn(worker.db);
    await change(token, newEmail());
    const link = await undoFor(email);
    const [row] = await worker.db
      .select()
      .from(emailTokens)
      .where(eq(emailTokens.hash, hashToken(tokenIn(link))));
    expect(Math.abs(row!.expiresAt - Date.now() - 72 * HOUR_MS)).toBeLessThan(60_000);
    expect(link.text).toContain(`until ${formatUtcTime(row!.expiresAt)}`);
    await expireLink(worker.db, link);
    expect(await undo(link)).toStrictEqual(DEAD_LINK);

    const deleted = await createSignedIn(worker.db);
    await change(deleted.token, newEmail());
    const late = await undoFor(deleted.email);
    expect((await call(pathOf("deleteAccount"), send("DELETE", deleted.token))).status).toBe(204);
    expect(await undo(late)).toStrictEqual(DEAD_LINK);
  });

  test("fails if the previous address has another verified account, and erases an unverified one", async () => {
    const { id, email, token } = await createSignedIn(worker.db);
    const next = newEmail();
    await change(token, next);
    const link = await undoFor(email);
    await register(email, OWNERS);
    const verification = tokenIn(await waitForMail(worker, email, /^Verify/));
    const registered = (await findAccountByEmail(worker.db, email))!;
    expect(registered.id).not.toBe(id);
    await worker.db.update(users).set({ verifiedAt: 1 }).where(eq(users.id, registered.id));
    expect(await undo(link)).toStrictEqual({ status: 409, code: "EMAIL_TAKEN" });
    expect(await me(token)).toMatchObject({ body: { email: next } });
    await worker.db.update(users).set({ verifiedAt: null }).where(eq(users.id, registered.id));
    expect(await undo(link)).toStrictEqual({ status: 200 });
    expect((await findAccountByEmail(worker.db, email))?.id).toBe(id);
    expect(await verify(verification)).toBe(400);
  });
});

describe("an undo reaches back", () => {
  /** Which of an account's factors are left when a session changes its email, and the change is undone. */
  async function leftOf(id: string) {
    const { token } = await createSession(worker.db, id);
    await change(token, newEmail());
    expect(await undo(await undoFor(emailOf(id)))).toStrictEqual({ status: 200 });
    return factorsOf(worker.db, id);
  }
  const NONE = { totp: 0, passkeys: 0, codes: 0 };
  const ALL = { totp: 1, passkeys: 1, codes: 1 };

  test("to the start of the earliest session, whichever changed the email, and no further", async () => {
    const began = Date.now() - 3 * DAY_MS;
    const now = Date.now();
    for (const [at, left] of [
      [began, NONE],
      [began - 1, ALL],
    ] as const) {
      const id = await createAccount(worker.db);
      await createSession(worker.db, id, { at: began, lastUsedAt: now });
      await addFactors(worker.db, id, at);
      expect(await leftOf(id)).toStrictEqual(left);
    }
  });

  test("to a login of the last seven days, and no further", async () => {
    for (const [days, left] of [
      [6, NONE],
      [8, ALL],
    ] as const) {
      const id = await createAccount(worker.db);
      const at = Date.now() - days * DAY_MS;
      await worker.db.insert(securityEvents).values({ id: newId("evt"), userId: id, kind: "log_in", at });
      await addFactors(worker.db, id, at);
      expect(await leftOf(id)).toStrictEqual(left);
    }
  });
});

test.each([
  ["immediately", 0, 72],
  ["after 10 hours", 10, 82],
  ["after a day", 24, 96],
  ["after 95 hours", 95, 96],
  ["too late", 96, null],
])("an undo link sent %s has 72 hours from then, at most 96 from the change", async (_, sent, ends) => {
  const id = await createAccount(worker.db);
  const changed = Date.now();
  const rowId = newId("tok");
  const row = { id: rowId, userId: id, purpose: "undo_email_change", email: emailOf(id), since: changed } as const;
  await worker.db.insert(emailTokens).values({ ...row, createdAt: changed, expiresAt: changed + LONGEST_UNDO });
  const io = ioOf(worker, () => changed + sent * HOUR_MS);
  const active = await activateToken(io, "undo_email_change", rowId);
  expect(active && (active.expiresAt - changed) / HOUR_MS).toBe(ends);
});
