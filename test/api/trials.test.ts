import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { trialClaims, users } from "../../schema.ts";
import { deleteAccount } from "../../worker/administration/delete-account.ts";
import { createIo, createIsolate } from "../../worker/io.ts";
import { DAY_MS } from "../../worker/platform/time.ts";
import { runSchedule } from "../../worker/schedule.ts";
import { activateTrial, grantSubscription } from "../../worker/subscriptions/changes.ts";
import { createSignedIn } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { ioOf } from "../io.ts";
import { pathOf, send } from "../requests.ts";
import { everyRow } from "../stored.ts";
import { TEST_SETTINGS } from "../worker.ts";

const worker = startWorker();

/** A verified account with this address that never had a trial. */
async function person(email: string) {
  const account = await createSignedIn(worker.db, { subscription: "none" });
  await worker.db.update(users).set({ email }).where(eq(users.id, account.id));
  return { ...account, email, verifiedAt: 1 };
}

async function activate({ token }: { token: string }) {
  const response = await worker.fetch(pathOf("activateTrial"), send("POST", token));
  return { status: response.status, body: (await response.json()) as { code?: string; error?: string } };
}

function claimsOf(userId: string) {
  return worker.db.select().from(trialClaims).where(eq(trialClaims.userId, userId));
}

const REJECTED = { status: 409, body: { code: "TRIAL_UNAVAILABLE" } };

test("a person has one trial, under any spelling of an address", async () => {
  expect(await activate(await person("e.ve@gmail.com"))).toMatchObject({ status: 201 });
  for (const email of ["eve@gmail.com", "eve+1@gmail.com", "E.V.E@GoogleMail.com".toLowerCase()]) {
    const again = await activate(await person(email));
    expect(again).toMatchObject(REJECTED);
    expect(again.body.error).toMatch(/Register with a permanent address, or ask support for a trial/);
  }
  expect(await activate(await person("eva@gmail.com"))).toMatchObject({ status: 201 });
});

test("a throwaway address has none, until an operator grants one", async () => {
  const account = await person("eve@mailinator.com");
  expect(await activate(account)).toMatchObject(REJECTED);
  const granted = await grantSubscription(ioOf(worker), account.id, { plan: "trial", until: Date.now() + DAY_MS });
  expect(granted).toMatchObject({ status: "active", plan: "trial" });
  expect(await activate(account)).toMatchObject({ status: 409, body: { code: "TRIAL_ALREADY_USED" } });
  expect(await claimsOf(account.id)).toStrictEqual([
    { hash: expect.stringMatching(/^[0-9a-f]{40}$/), userId: account.id, expiresAt: null },
  ]);
});

test("one granted by an operator counts as the person's, even if the command did not have the secret", async () => {
  const { TRIAL_SECRET: _, ...env } = { ...TEST_SETTINGS, ...worker.env };
  const commands = createIo(createIsolate(env), { waitUntil: () => {} });
  const until = Date.now() + DAY_MS;
  const [first, deleted, paying] = await Promise.all(
    ["gran.ted", "dele.ted", "pay.ing"].map((name) => person(`${name}@gmail.com`)),
  );
  await grantSubscription(commands, first!.id, { plan: "trial", until });
  await grantSubscription(commands, deleted!.id, { plan: "trial", until });
  await grantSubscription(commands, paying!.id, { plan: "pro", until });
  expect(await claimsOf(first!.id)).toStrictEqual([]);
  await deleteAccount(ioOf(worker), deleted!.id);
  const service = createIsolate({ ...TEST_SETTINGS, ...worker.env });
  await runSchedule("7 * * * *", service);
  await runSchedule("7 * * * *", service);
  expect(await claimsOf(first!.id)).toHaveLength(1);
  for (const name of ["granted", "deleted"])
    expect(await activate(await person(`${name}@gmail.com`))).toMatchObject(REJECTED);
  expect(await claimsOf(paying!.id)).toStrictEqual([]);
  expect(await activate(await person("paying@gmail.com"))).toMatchObject({ status: 201 });

  // Granted another one, the person's new account holds the claim, which then does not expire.
  const second = await person("deleted+2@gmail.com");
  await grantSubscription(ioOf(worker), second.id, { plan: "trial", until });
  expect(await claimsOf(second.id)).toMatchObject([{ expiresAt: null }]);
});

test("an account that already had its trial gets that error, the second time too", async () => {
  const account = await person("twice@example.com");
  expect(await activate(account)).toMatchObject({ status: 201 });
  expect(await activate(account)).toMatchObject({ status: 409, body: { code: "TRIAL_ALREADY_USED" } });
});

test("of two concurrent accounts of one person, one gets it", async () => {
  const accounts = await Promise.all(["both@gmail.com", "b.oth@gmail.com", "both+x@gmail.com"].map(person));
  const statuses = (await Promise.all(accounts.map(activate))).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toStrictEqual([201, 409, 409]);
});

test("a rejected attempt leaves nothing behind that would reject anyone else", async () => {
  const gone = { id: "usr_gone", email: "later@example.com" };
  await expect(activateTrial(ioOf(worker), gone)).rejects.toMatchObject({ code: "SESSION_EXPIRED" });
  expect(await activate(await person("later@example.com"))).toMatchObject({ status: 201 });
});

test("it is remembered for a year after the account is deleted, without the account or the address", async () => {
  const first = await person("mallory@gmail.com");
  expect(await activate(first)).toMatchObject({ status: 201 });
  const now = Date.now();
  await deleteAccount(
    ioOf(worker, () => now),
    first.id,
  );
  const claims = await worker.db
    .select()
    .from(trialClaims)
    .where(eq(trialClaims.expiresAt, now + 365 * DAY_MS));
  expect(claims).toStrictEqual([
    { hash: expect.stringMatching(/^[0-9a-f]{40}$/), userId: null, expiresAt: now + 365 * DAY_MS },
  ]);
  expect(await everyRow(worker)).not.toMatch(/mallory/);

  const rejected = await person("mal.lory@gmail.com");
  expect(await activate(rejected)).toMatchObject(REJECTED);
  const cleanUp = (at: number) =>
    runSchedule("17 * * * *", createIsolate({ ...TEST_SETTINGS, ...worker.env }, { now: () => at }));
  // A year also ends every session, so each attempt is from another account.
  await cleanUp(now + 365 * DAY_MS);
  expect(await activate(await person("mall.ory@gmail.com"))).toMatchObject(REJECTED);
  await cleanUp(now + 365 * DAY_MS + 1);
  expect(await activate(await person("mallo.ry@gmail.com"))).toMatchObject({ status: 201 });
});

test("without the secret no trial starts, and nothing else is affected", async () => {
  const account = await person("no-secret@example.com");
  const { TRIAL_SECRET: _, ...settings } = TEST_SETTINGS;
  for (const secret of [{}, { TRIAL_SECRET: "" }, { TRIAL_SECRET: "short" }]) {
    const { TRIAL_SECRET: __, ...env } = worker.env;
    const isolate = createIsolate({ ...env, ...settings, ...secret });
    const io = createIo(isolate, { waitUntil: () => {} });
    await expect(activateTrial(io, account)).rejects.toMatchObject({ code: "TEMPORARILY_UNAVAILABLE" });
    expect(io.config.problems.join()).toContain("TRIAL_SECRET is missing or shorter than 32 characters");
  }
  expect(await activate(account)).toMatchObject({ status: 201 });
});
