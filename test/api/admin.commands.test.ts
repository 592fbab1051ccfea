import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { users } from "../../schema.ts";
import { checkPublicAddress } from "../../scripts/admin/public-address.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
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
