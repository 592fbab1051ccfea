import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { trialClaims, users } from "../../schema.ts";
import { deleteAccount } from "../../worker/administration/delete-account.ts";
import { createIo, createIsolate } from "../../worker/io.ts";
import { DAY_MS } from "../../worker/platform/time.ts";
import { runJob } from "../schedule.ts";
import { activateTrial, grantSubscription } from "../../worker/subscriptions/changes.ts";
import { createSignedIn } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { ioOf, sessionOf } from "../io.ts";
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

let networks = 0;

/** From another network each time, unless the test says which. */
async function activate({ token }: { token: string }, address = `203.0.${++networks}.7`) {
  const headers = { "CF-Connecting-IP": address };
  const response = await worker.fetch(pathOf("activateTrial"), send("POST", token, undefined, headers));
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
  await deleteAccount(ioOf(worker), null, deleted!);
  const service = createIsolate({ ...TEST_SETTINGS, ...worker.env });
  await runJob("7 * * * *", service);
  await runJob("7 * * * *", service);
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
  const statuses = (await Promise.all(accounts.map((account) => activate(account)))).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toStrictEqual([201, 409, 409]);
});

test("a rejected attempt leaves nothing behind that would reject anyone else", async () => {
  const { id, token } = await person("later@example.com");
  const session = await sessionOf(ioOf(worker), token);
  await worker.db.delete(users).where(eq(users.id, id));
  for (let tries = 0; tries < 4; tries += 1)
    await expect(activateTrial(ioOf(worker), session)).rejects.toMatchObject({ code: "SESSION_EXPIRED" });
  expect(await activate(await person("later@example.com"))).toMatchObject({ status: 201 });
});

test("it is remembered for a year after the account is deleted, without the account or the address", async () => {
  const first = await person("mallory@gmail.com");
  expect(await activate(first)).toMatchObject({ status: 201 });
  const now = Date.now();
  await deleteAccount(
    ioOf(worker, () => now),
    null,
    first,
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
    runJob("17 * * * *", createIsolate({ ...TEST_SETTINGS, ...worker.env }, { now: () => at }));
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
    await expect(activateTrial(io, await sessionOf(ioOf(worker), account.token))).rejects.toMatchObject({
      code: "TEMPORARILY_UNAVAILABLE",
    });
    expect(io.config.problems.join()).toContain("TRIAL_SECRET is missing or shorter than 32 characters");
  }
  expect(await activate(account)).toMatchObject({ status: 201 });
});

describe("a freeloader gets no second trial", () => {
  test.each([
    ["with a tag", "free1@outlook.com", "free1+x@outlook.com"],
    ["with a tag before the name", "+free2@freeloader-a.com", "++free2@freeloader-a.com"],
    ["with a name after the tag's plus sign only", "free3@freeloader-b.com", "+free3@freeloader-b.com"],
    ["with another disposable address of Yahoo's", "free4-a@yahoo.com", "free4-b@yahoo.com"],
    ["with one of Yahoo's in another country", "free5@yahoo.co.jp", "free5-b@yahoo.co.jp"],
    ["at a subdomain of Fastmail's", "a@free6.fastmail.com", "b@free6.fastmail.com"],
    ["at the name of that subdomain", "free7@fastmail.com", "anything@free7.fastmail.com"],
    ["with dots at Gmail", "free.8@gmail.com", "f.ree8@googlemail.com"],
    ["at the provider's other domain", "free9@me.com", "free9@icloud.com"],
    ["at Proton's short domain", "free.10@proton.me", "free10@pm.me"],
  ])("%s", async (_, first, second) => {
    expect(await activate(await person(first))).toMatchObject({ status: 201 });
    const again = await activate(await person(second));
    expect(again).toMatchObject(REJECTED);
    expect(again.body.error).toMatch(/limited to one per person/);
  });

  test("beyond three mailboxes of a domain and its subdomains, however fast", async () => {
    const emails = Array.from({ length: 12 }, (_, index) => `m${index}@${index % 2 ? "" : "sub."}catch-all.co.uk`);
    const accounts = await Promise.all(emails.map(person));
    const answers = await Promise.all(accounts.map((account) => activate(account)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    for (const { status, body } of answers.filter((answer) => answer.status !== 201)) {
      expect([status, body.code]).toStrictEqual([409, "TRIAL_UNAVAILABLE"]);
      expect(body.error).toMatch(/^3 people at your email domain have had a free trial.*Email support.*test keys work/);
    }
    for (const index of [0, 1, 2]) await deleteAccount(ioOf(worker), null, accounts[index]!);
    expect(await activate(await person("later@catch-all.co.uk"))).toMatchObject(REJECTED);
    expect(await activate(await person("someone@else.co.uk"))).toMatchObject({ status: 201 });
  });

  test("beyond ten at names that one domain gives away, three at each", async () => {
    const statuses = async (name: string) => {
      const answers = [];
      for (let index = 0; index < 4; index += 1) {
        answers.push(await activate(await person(`m${index}@${name}.duckdns.org`)));
      }
      return answers;
    };
    for (const name of ["free1", "free2", "free3"]) {
      expect((await statuses(name)).map(({ status }) => status)).toStrictEqual([201, 201, 201, 409]);
    }
    const [tenth, eleventh] = await statuses("free4");
    expect(tenth).toMatchObject({ status: 201 });
    expect(eleventh).toMatchObject(REJECTED);
    expect(eleventh!.body.error).toMatch(/under the domain that yours is part of\. Email support.*test keys work/);
  });

  test("at more subdomains of a provider than a domain may have", async () => {
    const emails = Array.from({ length: 4 }, (_, index) => `a@free${index}.sent.com`);
    const statuses = [];
    for (const email of emails) statuses.push((await activate(await person(email))).status);
    expect(statuses).toStrictEqual([201, 201, 201, 409]);
  });

  test.each([
    ["of 256 IPv4 addresses", (index: number) => `192.0.2.${index}`],
    ["of an IPv6 site", (index: number) => `2001:db8:1:${index}::1`],
  ])("beyond ten in a network %s", async (name, address) => {
    const count = async (network: (index: number) => string) => {
      const statuses = [];
      for (let index = 0; index < 11; index += 1) {
        const account = await person(`crowd${index}.${name.length}.${network(0).length}@outlook.com`);
        statuses.push(await activate(account, network(index)));
      }
      return statuses;
    };
    const answers = await count(address);
    expect(answers.slice(0, 10).map(({ status }) => status)).toStrictEqual(Array.from({ length: 10 }, () => 201));
    expect(answers[10]).toMatchObject(REJECTED);
    expect(answers[10]!.body.error).toMatch(/from your network lately\. Email support/);
  });
});

describe("a colleague beyond the limit of a domain", () => {
  test("keeps the account, gets a trial from support, and doesn't count as one who had it", async () => {
    for (const name of ["ada", "grace", "joan"]) {
      expect(await activate(await person(`${name}@company.com`))).toMatchObject({ status: 201 });
    }
    const fourth = await person("mary@company.com");
    expect(await activate(fourth)).toMatchObject(REJECTED);
    expect(await activate(fourth)).toMatchObject(REJECTED);
    const subscription = await worker.fetch(pathOf("subscription"), send("GET", fourth.token));
    expect(await subscription.json()).toMatchObject({ status: "none" });
    const until = Date.now() + DAY_MS;
    expect(await grantSubscription(ioOf(worker), fourth.id, { plan: "trial", until })).toMatchObject({
      status: "active",
    });
  });

  test("starts it once the year is over", async () => {
    const now = Date.now();
    for (const name of ["ada", "grace", "joan"]) {
      const { token } = await person(`${name}@patient.com`);
      await activateTrial(
        ioOf(worker, () => now),
        await sessionOf(ioOf(worker), token),
      );
    }
    const fourth = await sessionOf(ioOf(worker), (await person("mary@patient.com")).token);
    const at = (time: number) => activateTrial({ ...ioOf(worker, () => time), address: "203.0.200.7" }, fourth);
    await expect(at(now + 364 * DAY_MS)).rejects.toMatchObject({ code: "TRIAL_UNAVAILABLE" });
    expect(await at(now + 365 * DAY_MS + 1)).toMatchObject({ status: "active" });
  });

  test("at an email provider has no such limit", async () => {
    for (const name of ["ada", "grace", "joan", "mary", "radia"]) {
      expect(await activate(await person(`${name}@mailbox.org`))).toMatchObject({ status: 201 });
    }
  });
});
