import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { usageMonths, users } from "../../schema.ts";
import { checkPublicAddress } from "../../scripts/admin/public-address.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
import { utcDay } from "../../worker/platform/time.ts";
import { runAdmin } from "../admin.ts";
import { createAccount, createSignedIn, emailOf } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { answerTo, pathOf, post } from "../requests.ts";

const worker = startWorker();
const EMAIL = "first@example.com";
const PASSWORD = "a password they chose themselves";

function logIn(password: string): Promise<string> {
  return answerTo(worker, pathOf("login"), post(null, { email: EMAIL, password }));
}

test("a created account gets a link that sets its password once, and can log in then", async () => {
  const { text, data } = await runAdmin(worker, "create", EMAIL);
  const { link } = data as { link: string };
  expect(text).toContain(link);
  const { origin, pathname, searchParams } = new URL(link);
  expect([origin, pathname]).toStrictEqual(["https://checkline.test", "/reset-password"]);
  expect(await logIn(PASSWORD)).toBe("401 INVALID_CREDENTIALS");
  const reset = post(null, { token: searchParams.get("token"), new_password: PASSWORD });
  expect(await answerTo(worker, pathOf("executePasswordReset"), reset)).toBe("200");
  expect(await answerTo(worker, pathOf("executePasswordReset"), reset)).toBe("400 TOKEN_INVALID");
  expect(await logIn(PASSWORD)).toBe("200");
  await expect(runAdmin(worker, "create", EMAIL)).rejects.toMatchObject({ code: "ACCOUNT_EXISTS" });
});

test("an unused link can be requested again", async () => {
  const links = [
    await runAdmin(worker, "create", "again@example.com"),
    await runAdmin(worker, "create", "again@example.com"),
  ];
  expect(new Set(links.map(({ text }) => text)).size).toBe(2);
});

test("a grant to an unverified address says that nobody can use it yet", async () => {
  const unverified = emailOf(await createAccount(worker.db, { subscription: "none", verified: false }));
  const { email: verified } = await createSignedIn(worker.db);
  const [early, usual] = [
    await runAdmin(worker, "grant", unverified, "pro"),
    await runAdmin(worker, "grant", verified, "pro"),
  ];
  const granted = (email: string) => `Subscription of ${email}: active, pro, no end, no quota\n`;
  expect(early.text).toBe(`${granted(unverified)}Nobody can use it yet: the address is unverified.\n`);
  expect(usual.text).toBe(granted(verified));
});

test("the list has the newest accounts first, with what is unusual", async () => {
  await createAccount(worker.db, { subscription: "none", verified: false });
  const { email, id } = await createSignedIn(worker.db, { plan: "pro" });
  await runAdmin(worker, "suspend", email);
  const { text, data } = await runAdmin(worker, "list");
  const { accounts, total } = data as { accounts: { id: string; plan: string | null }[]; total: number };
  expect(total).toBe(accounts.length);
  expect(accounts.find((account) => account.id === id)).toMatchObject({ plan: "pro", is_suspended: true });
  expect(text).toMatch(new RegExp(`^${email} +${id} +pro +.* UTC +suspended$`, "m"));
  expect(text).toMatch(/ no plan +.* UTC +unverified$/m);
});

test("an account is shown with its subscription and usage", async () => {
  const { email } = await createSignedIn(worker.db);
  const { text } = await runAdmin(worker, "show", email);
  expect(text).toMatch(/^Subscription +active, trial, until .* UTC, quota 1000\nQuota used +0\nUsage, test +0 total/m);
});

test("a deleted account is gone with its keys, which are rejected immediately", async () => {
  const { email, id } = await createSignedIn(worker.db);
  const { apiKey } = await insertApiKey({ db: worker.db, now: Date.now(), userId: id, mode: "live", name: "a" });
  expect((await runAdmin(worker, "delete", email)).text).toBe(`Deleted ${email}, its keys and its usage.\n`);
  expect(await worker.db.select().from(users).where(eq(users.id, id))).toStrictEqual([]);
  expect(await answerTo(worker, pathOf("verify"), post(apiKey, { number: "+5511987654321" }))).toBe(
    "401 API_KEY_REVOKED",
  );
  await expect(runAdmin(worker, "delete", email)).rejects.toMatchObject({ code: "ACCOUNT_NOT_FOUND" });
});

test("nothing keeps callers from the worker itself", async () => {
  const { data, isFine } = await checkPublicAddress(new URL(worker.url).origin);
  expect(isFine, JSON.stringify(data)).toBe(true);
});

/** What a ledger's alarm writes to D1 within ten minutes. @returns how many numbers */
async function report(userId: string): Promise<number> {
  const rows = await worker.env.LEDGER.getByName(userId).rowsAfter(null);
  const sum = (field: "successful" | "failed") => rows.reduce((total, row) => total + row[field], 0);
  const totals = { liveSuccessful: sum("successful"), liveFailed: sum("failed"), testSuccessful: 0, testFailed: 0 };
  const month = utcDay(Date.now()).slice(0, 7);
  await worker.db
    .insert(usageMonths)
    .values({ userId, month, ...totals })
    .onConflictDoUpdate({ target: [usageMonths.userId, usageMonths.month], set: totals });
  return totals.liveSuccessful + totals.liveFailed;
}

test("of three accounts, the one that abuses the service is named by the log, and found, seen, and suspended", async () => {
  const { db } = worker;
  const customers = await Promise.all(
    ["pro", "pro", "trial"].map(async (plan) => {
      const account = await createSignedIn(db, { plan: plan as "pro" | "trial" });
      const key = await insertApiKey({ db, now: Date.now(), userId: account.id, mode: "live", name: "Server" });
      return { ...account, key };
    }),
  );
  const [abuser, quiet] = customers as [(typeof customers)[0], (typeof customers)[0]];
  await answerTo(worker, "/api/v1/verify", post(quiet.key.apiKey, { number: "+5511987654321" }));
  const numbers = Array.from({ length: 100 }, () => "+15555550100");
  for (let call = 0; call < 8; call++) {
    await answerTo(worker, "/api/v1/verify/batch", post(abuser.key.apiKey, { numbers }));
  }
  const lines = worker.logs().flatMap((line) => JSON.parse(line) as { event: string; key_id?: string }[]);
  const callsOf = (id: string) => lines.filter(({ event, key_id }) => event === "request" && key_id === id).length;
  expect([callsOf(abuser.key.id), callsOf(quiet.key.id)]).toStrictEqual([8, 1]);

  for (const text of [abuser.key.id, abuser.key.hint, abuser.email.slice(0, 15).toUpperCase(), abuser.id]) {
    expect((await runAdmin(worker, "find", text)).text, text).toContain(
      `${abuser.email}  ${abuser.id}  ${abuser.key.id}`,
    );
  }
  expect((await runAdmin(worker, "find", "%")).text).toBe("Nothing was found.\n");

  await expect.poll(() => report(abuser.id), { timeout: 20_000 }).toBe(800);
  await expect.poll(() => report(quiet.id), { timeout: 20_000 }).toBe(1);
  const top = (await runAdmin(worker, "top")).data as { email: string; live: number; live_invalid: number }[];
  expect(top.map(({ email }) => email).slice(0, 2)).toStrictEqual([abuser.email, quiet.email]);
  expect(top[0]).toMatchObject({ live: 800, live_invalid: 800 });
  expect((await runAdmin(worker, "show", abuser.email)).text).toMatch(/Usage, live +800 total, 0 successful/);

  const { data } = await runAdmin(worker, "export", abuser.email);
  expect(data).toMatchObject({
    account: { email: abuser.email },
    api_keys: [{ id: abuser.key.id }],
    sessions: [{ is_current: false }],
    usage_months: [{ liveFailed: 800 }],
  });
  expect(JSON.stringify(data)).not.toContain(abuser.key.apiKey);
  await runAdmin(worker, "suspend", abuser.email);
  expect((await runAdmin(worker, "find", abuser.key.id)).text).toMatch(/suspended$/m);
});
