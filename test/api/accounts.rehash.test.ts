import { scryptSync } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { users } from "../../schema.ts";
import { createSignedIn } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { post } from "../requests.ts";

const worker = startWorker();

test("a password hashed at another cost is rehashed when its owner logs in, and keeps working", async () => {
  const { id, email } = await createSignedIn(worker.db);
  const salt = Buffer.alloc(16, 7);
  const old = `scrypt$1024$8$1$${salt.toString("base64")}$${scryptSync("an old password", salt, 32, { N: 1024, r: 8, p: 1 }).toString("base64")}`;
  await worker.db.update(users).set({ passwordHash: old }).where(eq(users.id, id));
  const stored = async () => (await worker.db.select().from(users).where(eq(users.id, id)).get())!.passwordHash;
  const signIn = async (password: string) =>
    (await worker.fetch("/api/v1/auth/login", post(null, { email, password }))).status;

  expect(await signIn("a wrong password")).toBe(401);
  expect(await stored()).toBe(old);
  expect(await signIn("an old password")).toBe(200);
  const renewed = await stored();
  expect(renewed).toMatch(/^scrypt\$16384\$8\$5\$/);
  expect(await signIn("an old password")).toBe(200);
  expect(await stored()).toBe(renewed);
});
