import { scryptSync } from "node:crypto";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { users } from "../../schema.ts";
import { createSignedIn, PASSWORD } from "../factories.ts";
import { startOwnWorker } from "../harness.ts";
import { post } from "../requests.ts";

const REGISTRATION = { name: "Ada", email: "ada@example.com", password: "a password of the tests" };

describe("in production with email unset", () => {
  const worker = startOwnWorker({ ENVIRONMENT: "production", MAIL_DRIVER: "" });

  test("there is no mailbox", async () => {
    for (const headers of [{ Accept: "application/json" }, { Accept: "text/html" }]) {
      const response = await worker.fetch("/dev/mailbox", { headers });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: "NOT_FOUND" });
    }
  });

  test("registering and requesting a reset are rejected, and health says why", async () => {
    const registered = await worker.fetch("/api/v1/users/register", post(null, REGISTRATION));
    expect(registered.status).toBe(503);
    expect(await registered.json()).toMatchObject({ code: "TEMPORARILY_UNAVAILABLE" });
    const reset = await worker.fetch("/api/v1/users/password-reset/request", post(null, { email: "ada@example.com" }));
    expect(reset.status).toBe(503);
    const health = (await (await worker.fetch("/api/v1/health")).json()) as { status: string; problems: string[] };
    expect(health.status).toBe("degraded");
    expect(health.problems.join(" ")).toContain("MAIL_DRIVER");
  });

  test("a login works, and hashes the password at the service's cost", async () => {
    const { id, email } = await createSignedIn(worker.db);
    const logIn = async (password: string) =>
      (await worker.fetch("/api/v1/auth/login", post(null, { email, password }))).status;
    expect(await logIn(PASSWORD)).toBe(200);
    const { passwordHash } = (await worker.db.select().from(users).where(eq(users.id, id)).get())!;
    const [, N, r, p, salt = "", hash] = passwordHash.split("$");
    expect([N, r, p]).toStrictEqual(["16384", "8", "5"]);
    const options = { N: 16_384, r: 8, p: 5, maxmem: 2 ** 26 };
    expect(hash).toBe(scryptSync(PASSWORD, Buffer.from(salt, "base64"), 32, options).toString("base64"));
    expect(await logIn(PASSWORD)).toBe(200);
    expect(await logIn("a password that is wrong")).toBe(401);
  });

  test("verifying numbers keeps working: the key is checked", async () => {
    const response = await worker.fetch("/api/v1/verify", post("garbage", { number: "+12024561414" }));
    expect(response.status).toBe(401);
  });
});

describe("in production with the mailbox of development", () => {
  const worker = startOwnWorker({ ENVIRONMENT: "production", MAIL_DRIVER: "mailbox", MAIL_FROM: "a@example.com" });

  test("the mailbox stays closed, and so does registration", async () => {
    for (const path of ["/dev/mailbox", "/dev/usage"]) {
      for (const method of ["GET", "POST"]) expect((await worker.fetch(path, { method })).status).toBe(404);
    }
    expect((await worker.fetch("/api/v1/users/register", post(null, REGISTRATION))).status).toBe(503);
  });
});

describe("without a session secret", () => {
  const worker = startOwnWorker({ SESSION_SECRET: "short" });

  test("nothing is served, and the log says what to set", async () => {
    for (const path of ["/api/v1/health", "/api/v1/account/me"]) {
      const response = await worker.fetch(path);
      expect(response.status).toBe(503);
      expect(await response.text()).not.toContain("SESSION_SECRET");
    }
    expect(worker.logs().join("\n")).toContain("wrangler secret put SESSION_SECRET");
  });
});
