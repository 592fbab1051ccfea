import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { operationCounts, signInAttempts, users } from "../../schema.ts";
import { formatHealth } from "../../scripts/admin/health.ts";
import { clientNetwork } from "../../worker/limits/client-address.ts";
import { LIMITS, mailLimits } from "../../worker/limits/table.ts";
import { HOUR_MS } from "../../worker/platform/time.ts";
import { readHealth } from "../../worker/status/health.ts";
import { captureLog } from "../captured-log.ts";
import { startAttempts, times } from "../attempts.ts";
import { createAccount, createSignedIn, emailOf, PASSWORD } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { longOrShort } from "../long.ts";
import { startMailService } from "../mail-service.ts";
import { tokenIn } from "../mailbox.ts";
import { pathOf, post } from "../requests.ts";

const worker = startWorker();
const { counted, setCount } = startAttempts(worker);
captureLog("log", "warn", "error");

/** Hashes passwords in 2 ms, and without this function's own name, which would call itself. */
const hashing = vi.spyOn(crypto, "scrypt").mockImplementation((secret, salt, length, _, done) => {
  done(null, crypto.scryptSync(secret, salt, length, { N: 1024 }));
});
syncBuiltinESMExports();
afterAll(() => {
  hashing.mockRestore();
  syncBuiltinESMExports();
});

beforeEach(async () => {
  const { db } = worker;
  await db.batch([db.delete(users), db.delete(signInAttempts), db.delete(operationCounts)]);
});

const NETWORKS = 30;
const RESENDS = 6;
/** The mailboxes made up: each gets all it can in a day, which is together what the service sends in an hour. */
const MAILBOXES = longOrShort(140, 22);
const MAIL_PER_HOUR = MAILBOXES * (1 + RESENDS);

type Service = ReturnType<typeof startMailService>;

/** An address in a network that no other has. */
const addressIn = (network: number) => `198.18.${network}.7`;

async function ask(service: Service, operation: string, body: object, network: number, token: string | null = null) {
  const response = await service.call(pathOf(operation), post(token, body), addressIn(network));
  expect(response.status, await response.text()).toBeLessThan(300);
}

const registration = (email: string) => ({ name: "Eve", email, password: PASSWORD });

/** A minute of a stranger who has these networks, and the emails that it sends. */
async function flood(service: Service, domain: string): Promise<readonly string[]> {
  const mailboxes = times(MAILBOXES, (index) => `made.up.${index}x@${domain}`);
  for (const round of times(1 + RESENDS, (index) => index)) {
    const [operation, bodyOf] =
      round === 0
        ? (["register", registration] as const)
        : (["resendVerification", (email: string) => ({ email })] as const);
    const calls = mailboxes.map((email, index) =>
      ask(service, operation, bodyOf(email), (index + round * 7) % NETWORKS),
    );
    await Promise.all(calls);
  }
  await service.deliver();
  return mailboxes;
}

/** Asks for links to these mailboxes, made up at a domain, and says to which of them one was sent at once. */
async function sentAtOnce(service: Service, domain: string, network: number, names: string): Promise<string> {
  for (const name of names) await ask(service, "register", registration(`${name}@${domain}`), network);
  const earlier = service.mails().length;
  await service.deliver();
  return service
    .mails()
    .slice(earlier)
    .map(({ to }) => to[0])
    .join("");
}

describe("links to unproved addresses wait", () => {
  test("from the eleventh of a network, and from the third of a network at a domain that others have used up", async () => {
    const service = startMailService(worker);
    expect(await sentAtOnce(service, "flood.example", 0, "abc")).toBe("abc");
    await setCount(10, LIMITS.linksPerDomain, "flood.example");
    expect(await sentAtOnce(service, "mail.flood.example", 0, "d")).toBe("");
    expect(await sentAtOnce(service, "gmx.net", 0, "efghijkl")).toBe("efghijk");
    expect(await sentAtOnce(service, "flood.example", 1, "mno")).toBe("mn");
    const health = await readHealth(worker.db, service.isolate.now());
    const { text } = formatHealth({ ...health, registers: [] });
    expect(text).toMatch(/networks_over +1 /);
    expect(text).toMatch(/domains_over +1 /);
  });

  test("from the third of a network, once half of the service's are used", async () => {
    const service = startMailService(worker);
    expect(await sentAtOnce(service, "gmx.net", 0, "abc")).toBe("abc");
    await setCount(250, mailLimits("links", 1_000)[0]!);
    expect(await sentAtOnce(service, "gmx.net", 0, "d")).toBe("");
    expect(await sentAtOnce(service, "gmx.net", 1, "efg")).toBe("ef");
    await setCount(500, mailLimits("links", 1_000)[0]!);
    expect(await sentAtOnce(service, "gmx.net", 2, "h")).toBe("");
    await service.pass(HOUR_MS);
    expect(
      service
        .mails()
        .slice(5)
        .map(({ to }) => to[0]),
    ).toStrictEqual(["d", "g", "h"]);
  });

  test("and count in the next hour, whether they are sent or not", async () => {
    const service = startMailService(worker);
    const unverified = emailOf(await createAccount(worker.db, { verified: false }));
    const verified = emailOf(await createAccount(worker.db));
    const emails = [unverified, verified, "nobody@example.com"];
    for (const [network, email] of emails.entries()) {
      await ask(service, "resendVerification", { email }, network);
      await setCount(10, LIMITS.linksPerNetwork, clientNetwork(addressIn(network)));
      await ask(service, "resendVerification", { email }, network);
    }
    await service.pass(HOUR_MS);
    expect(service.waiting()).toStrictEqual([]);
    for (const network of emails.keys()) {
      expect(await counted(LIMITS.linksPerNetwork, clientNetwork(addressIn(network)))).toBe(1);
    }
    expect(service.mails().map(({ to }) => to)).toStrictEqual([unverified, unverified, verified, verified]);
  });
});

describe.each(["flood.example", "gmx.net"])("a stranger with 30 networks and mailboxes made up at %s", (domain) => {
  test("delays no one else's email, and only the stranger's own", async () => {
    const service = startMailService(worker, { MAIL_PER_HOUR: String(MAIL_PER_HOUR) });
    const moving = await createSignedIn(worker.db);
    await ask(service, "requestEmailChange", { email: "moved@gmx.net" }, 101, moving.token);
    await service.deliver();
    const token = tokenIn(service.mails().find(({ to }) => to === "moved@gmx.net")!);
    const mailboxes = await flood(service, domain);
    expect(service.mails().length).toBeLessThan(MAIL_PER_HOUR / 2);

    await ask(service, "register", registration("newcomer@gmx.net"), 100);
    await ask(service, "confirmEmailChange", { token }, 101, moving.token);
    await ask(service, "requestPasswordReset", { email: emailOf(await createAccount(worker.db)) }, 102);
    const owner = await createSignedIn(worker.db);
    const change = { old_password: PASSWORD, new_password: "a password after the change" };
    await ask(service, "changePassword", change, 103, owner.token);
    const earlier = service.mails().length;
    await service.deliver();
    expect(
      service
        .mails()
        .slice(earlier)
        .map(({ subject }) => subject),
    ).toStrictEqual([
      "Verify your email address for Checkline",
      "Your Checkline email address was changed",
      "Reset your Checkline password",
      "Your Checkline password was changed",
    ]);

    // What waits is sent in the next hours.
    await service.pass(longOrShort(48, 4) * HOUR_MS);
    expect(service.waiting()).toStrictEqual([]);
    for (const mailbox of mailboxes) {
      const { length } = service.mails().filter(({ to }) => to === mailbox);
      // What waited had only the part of the mailbox's budget that strangers may use.
      expect(length).toBeGreaterThanOrEqual(LIMITS.verificationMail.max / 2);
      expect(length).toBeLessThanOrEqual(1 + RESENDS);
    }
  });
});
