import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { emailTokens, users } from "../../schema.ts";
import { hashToken } from "../../worker/accounts/email-tokens.ts";
import { newId } from "../../worker/platform/random.ts";
import { createAccount, createSession } from "../factories.ts";
import { pathOf, post } from "../requests.ts";
import { pass } from "./clock.ts";
import { startNetwork } from "./network.ts";

const network = startNetwork();

/** An account moved from a to b to c by an intruder whose second confirmation began first. */
async function moved() {
  const { db } = network.worker;
  const isolate = await network.isolate();
  const userId = await createAccount(db);
  const { token } = await createSession(db, userId);
  const domain = `${userId.slice(4).toLowerCase()}.example`;
  await db
    .update(users)
    .set({ email: `a@${domain}` })
    .where(eq(users.id, userId));

  async function linkTo(name: string): Promise<string> {
    const link = newId("tok");
    const row = { id: newId("tok"), hash: hashToken(link), userId, purpose: "change_email" } as const;
    const times = { createdAt: Date.now(), expiresAt: Date.now() + 3_600_000 };
    await db.insert(emailTokens).values({ ...row, ...times, email: `${name}@${domain}` });
    return link;
  }

  const body = new TransformStream<Uint8Array, Uint8Array>();
  const writer = body.writable.getWriter();
  const slow = isolate.fetch(pathOf("confirmEmailChange"), {
    ...post(token, ""),
    body: body.readable,
    duplex: "half",
  } as RequestInit);
  await pass(10);
  const quick = await isolate.fetch(pathOf("confirmEmailChange"), post(token, { token: await linkTo("b") }));
  expect(quick.status).toBe(200);
  await pass(10);
  void writer.write(new TextEncoder().encode(JSON.stringify({ token: await linkTo("c") })));
  void writer.close();
  expect((await slow).status).toBe(200);

  /** Follows the link that restores an address. */
  async function undo(name: string): Promise<number> {
    const ofAddress = and(eq(emailTokens.userId, userId), eq(emailTokens.email, `${name}@${domain}`));
    const link = newId("tok");
    await db
      .update(emailTokens)
      .set({ hash: hashToken(link) })
      .where(and(ofAddress, eq(emailTokens.purpose, "undo_email_change")));
    return (await isolate.fetch(pathOf("undoEmailChange"), post(null, { token: link }))).status;
  }
  const address = async () => (await db.select().from(users).where(eq(users.id, userId)).get())!.email[0];
  return { undo, address };
}

test("the owner's link outlives a later one, though that change began first", async () => {
  const { undo, address } = await moved();
  expect(await undo("b")).toBe(200);
  expect(await undo("a")).toBe(200);
  expect(await address()).toBe("a");
});

test("and once the owner is back, the later one is dead", async () => {
  const { undo, address } = await moved();
  expect(await undo("a")).toBe(200);
  expect(await undo("b")).toBe(400);
  expect(await address()).toBe("a");
});
