import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { eq } from "drizzle-orm";
import { afterAll, describe, expect, test, vi } from "vitest";
import { emailTokens, registrations, users } from "../../schema.ts";
import { findAccountByEmail } from "../../worker/accounts/accounts.ts";
import { newId } from "../../worker/platform/random.ts";
import { accountCalls, newEmail, OWNERS, shown, WRONG } from "../account-calls.ts";
import { mayEmail } from "../../worker/limits/attempts.ts";
import { clientNetwork } from "../../worker/limits/client-address.ts";
import { LIMITS } from "../../worker/limits/table.ts";
import type { ExactLimit } from "../../worker/limits/table.ts";
import { from, newAddress, startAttempts } from "../attempts.ts";
import { NOBODYS_PASSWORD } from "../../worker/accounts/password.ts";
import { createAccount, emailOf } from "../factories.ts";
import type { AccountOptions } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { ioOf } from "../io.ts";
import { pathOf, post } from "../requests.ts";
import { watchedRoutes } from "../watched-routes.ts";

const worker = startWorker();

const { register } = accountCalls(worker);
const { setCount } = startAttempts(worker);

interface Known extends AccountOptions {
  readonly suspended?: boolean;
}

async function knownEmail({ suspended = false, ...options }: Known = {}): Promise<string> {
  // At the service's cost, like its owner's.
  const id = await createAccount(worker.db, { passwordHash: NOBODYS_PASSWORD, ...options });
  if (suspended) await worker.db.update(users).set({ suspendedAt: Date.now() }).where(eq(users.id, id));
  return emailOf(id);
}

const ASKERS: readonly (readonly [string, (email: string) => Promise<Response>, readonly (() => Promise<string>)[]])[] =
  [
    [
      "registering a free address and one that has an account",
      (email) => register(email, OWNERS),
      [
        async () => newEmail(),
        () => knownEmail({ verified: false }),
        () => knownEmail({ verified: true }),
        () => knownEmail({ suspended: true }),
      ],
    ],
    [
      "asking for a reset with and without an account",
      (email) => worker.fetch(pathOf("requestPasswordReset"), post(null, { email })),
      [
        async () => newEmail(),
        () => knownEmail({ verified: false }),
        knownEmail,
        () => knownEmail({ suspended: true }),
      ],
    ],
    [
      "asking for the verification email again with and without an account",
      (email) => worker.fetch(pathOf("resendVerification"), post(null, { email })),
      [
        async () => newEmail(),
        () => knownEmail({ verified: false }),
        knownEmail,
        () => knownEmail({ suspended: true }),
      ],
    ],
    [
      "logging in before the address is verified, with a wrong password, and to no account",
      (email) => worker.fetch(pathOf("login"), post(null, { email, password: OWNERS })),
      [
        async () => newEmail(),
        knownEmail,
        async () => {
          const email = newEmail();
          await register(email, OWNERS);
          return email;
        },
      ],
    ],
    [
      "logging in with a wrong password and to no account",
      (email) => worker.fetch(pathOf("login"), post(null, { email, password: WRONG })),
      [
        async () => newEmail(),
        () => knownEmail({ verified: false }),
        knownEmail,
        () => knownEmail({ suspended: true }),
      ],
    ],
  ];

describe("whether an address has an account", () => {
  test.each(ASKERS)("does not show in the response to %s", async (_, ask, emails) => {
    const answers = [];
    for (const email of emails) answers.push(await shown(await ask(await email())));
    for (const answer of answers) expect(answer).toStrictEqual(answers[0]);
    expect(answers[0]!.body).not.toBe("");
  });

  test("does not show when the request is repeated", async () => {
    for (const email of [newEmail(), await knownEmail()]) {
      const answers = [];
      for (const _ of [1, 2]) answers.push(await shown(await register(email, OWNERS)));
      expect(answers[1]).toStrictEqual(answers[0]);
    }
  });
});

const hashed = vi.spyOn(crypto, "scrypt");
// For modules that import it by name.
syncBuiltinESMExports();
afterAll(() => {
  hashed.mockRestore();
  syncBuiltinESMExports();
});

/**
 * The work a call causes: how passwords are hashed, which statements run, how many rows each batch changes, and what
 * goes into the queue.
 */
async function workOf(path: string, body: object, address?: string) {
  const routes = watchedRoutes(worker);
  hashed.mockClear();
  const response = await routes.request(path, post(null, body, address === undefined ? {} : from(address)));
  return {
    status: response.status,
    hashes: hashed.mock.calls.map(([secret, salt, length, options]) => {
      return { secret, salt: (salt as Buffer).length, length, options };
    }),
    statements: routes.statements,
    changes: routes.changes,
    messages: routes.messages.length,
  };
}

/** The service's requested cost, which test/cheap-scrypt.ts lowers. */
const COST = expect.objectContaining({ N: 16_384, r: 8, p: 5 });

describe("whether an address has an account does not show in the amount of work:", () => {
  test("logging in hashes one password, at the same cost, with and without an account", async () => {
    const body = (email: string) => ({ email, password: WRONG });
    const wrong = await workOf(pathOf("login"), body(await knownEmail()));
    expect(wrong).toMatchObject({ status: 401, messages: 0, changes: [5] });
    expect(wrong.hashes).toStrictEqual([
      { secret: WRONG, salt: 16, length: 32, options: expect.objectContaining({ asked: COST }) },
    ]);
    expect(wrong.statements.length).toBeGreaterThan(3);
    expect(await workOf(pathOf("login"), body(newEmail()))).toStrictEqual(wrong);
    expect(await workOf(pathOf("login"), body(await knownEmail({ suspended: true })))).toStrictEqual(wrong);
  });

  test("registering hashes one password, writes as much, and queues one email in each case", async () => {
    const body = (email: string) => ({ name: "Somebody", email, password: OWNERS });
    const free = await workOf(pathOf("register"), body(newEmail()));
    // The address's attempts, the service's emails, the mailbox's, then account, registration, and link.
    expect(free).toMatchObject({ status: 201, messages: 1, changes: [1, 2, 2, 3] });
    expect(free.hashes).toHaveLength(1);
    expect(free.statements.length).toBeGreaterThan(3);
    expect(await workOf(pathOf("register"), body(await knownEmail({ verified: false })))).toStrictEqual(free);
    expect(await workOf(pathOf("register"), body(await knownEmail()))).toStrictEqual(free);
  });

  test("registering writes as much in each case when the address has used up its emails too", async () => {
    const body = (email: string) => ({ name: "Somebody", email, password: OWNERS });
    const limited = async (email: string, rule: ExactLimit<"mailbox"> = LIMITS.verificationMail) => {
      await mayEmail(ioOf(worker), rule, { email, hasAccount: true, isOwners: true });
      await setCount(10, rule, email);
      return workOf(pathOf("register"), body(email));
    };
    const free = await limited(newEmail());
    expect(free).toMatchObject({ status: 201, messages: 1, changes: [1, 2, 2, 3] });
    expect(await limited(await knownEmail({ verified: false }))).toStrictEqual(free);
    expect(await limited(await knownEmail(), LIMITS.alreadyRegisteredMail)).toStrictEqual(free);
  });

  test.each(["register", "resendVerification", "requestPasswordReset"] as const)(
    "%s writes as much and queues one message each time, however often",
    async (operation) => {
      const ask = async (email: string) => {
        const works: Awaited<ReturnType<typeof workOf>>[] = [];
        const body = { email, ...(operation === "register" && { name: "Somebody", password: OWNERS }) };
        const links = await worker.db.$count(emailTokens);
        for (let asked = 0; asked < 8; asked++) works.push(await workOf(pathOf(operation), body, newAddress()));
        // A registration's statements are one batch, whose changes are counted.
        return [works, operation === "register" ? 0 : (await worker.db.$count(emailTokens)) - links];
      };
      const free = await ask(emailOf(newId("usr")));
      expect(await ask(await knownEmail({ verified: false }))).toStrictEqual(free);
      expect(await ask(await knownEmail())).toStrictEqual(free);
    },
  );

  test("registering writes as much in the same browser, and when no more registrations are kept", async () => {
    const verifier = "a".repeat(64);
    const body = (email: string) => ({ name: "Somebody", email, password: OWNERS, verifier });
    const free = await workOf(pathOf("register"), body(newEmail()));
    const again = await knownEmail({ verified: false, verifier });
    expect(await workOf(pathOf("register"), body(again))).toStrictEqual(free);
    const full = await knownEmail({ verified: false });
    const { id: userId } = (await findAccountByEmail(worker.db, full))!;
    const pending = Array.from({ length: 19 }, () => newId("reg"));
    const row = { userId, name: "Somebody", passwordHash: NOBODYS_PASSWORD, createdAt: 1 };
    await worker.db.insert(registrations).values(pending.map((id) => ({ id, ...row })));
    expect(await workOf(pathOf("register"), body(full))).toStrictEqual(free);
    expect(await worker.db.$count(registrations, eq(registrations.userId, userId))).toBe(20);
  });

  test.each(["register", "resendVerification"] as const)(
    "%s writes as much and queues one message in each case when the network has used up its links too",
    async (operation) => {
      const ask = async (email: string) => {
        const address = newAddress();
        const body = { email, ...(operation === "register" && { name: "Somebody", password: OWNERS }) };
        const within = await workOf(pathOf(operation), body, address);
        await setCount(10, LIMITS.linksPerNetwork, clientNetwork(address));
        return [within, await workOf(pathOf(operation), body, address)];
      };
      // At the domain of the others, which has no limit.
      const free = await ask(emailOf(newId("usr")));
      // Within, the network's links and the service's. Over, that it is. The mailbox's emails follow, and a registration.
      const others = operation === "register" ? 2 : 1;
      expect(free.map(({ changes }) => changes.slice(1, -others))).toStrictEqual([
        expect.arrayContaining([3]),
        [0, 0, 1],
      ]);
      expect(free.map(({ messages }) => messages)).toStrictEqual([1, 1]);
      expect(await ask(await knownEmail({ verified: false }))).toStrictEqual(free);
      expect(await ask(await knownEmail())).toStrictEqual(free);
    },
  );

  test.each([
    ["requestPasswordReset", [1, 2]],
    ["resendVerification", [1, 2, 2]],
  ] as const)("%s writes as much and queues one message in each case", async (operation, changes) => {
    const ask = async (email: string) => {
      const before = await worker.db.$count(emailTokens);
      const work = await workOf(pathOf(operation), { email });
      return { ...work, links: (await worker.db.$count(emailTokens)) - before };
    };
    const known = await ask(await knownEmail());
    expect(known).toMatchObject({ status: 202, messages: 1, hashes: [], changes, links: 1 });
    expect(known.statements.length).toBeGreaterThan(2);
    expect(await ask(newEmail())).toStrictEqual(known);
    expect(await ask(await knownEmail({ verified: false }))).toStrictEqual(known);
  });
});
