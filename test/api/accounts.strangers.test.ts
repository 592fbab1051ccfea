import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { emailTokens } from "../../schema.ts";
import { accountCalls, NEW, newEmail, OWNERS, STRANGERS, WRONG } from "../account-calls.ts";
import { createSignedIn, PASSWORD } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { mailsOnceThereAre, tokenIn, waitForMail } from "../mailbox.ts";
import { pathOf, post } from "../requests.ts";

const worker = startWorker();
const { me, register, signIn, verify } = accountCalls(worker);

// At the same time, since each waits for mails, which go through a queue.
describe.concurrent("an address that a stranger has registered first", () => {
  test("becomes its owner's with the owner's own mail, and the stranger is out", async () => {
    const email = newEmail();
    await register(email, STRANGERS, "Mallory");
    const stranger = await signIn(email, STRANGERS);
    expect((await me(stranger.token)).status).toBe(200);
    const [strangersMail] = await mailsOnceThereAre(worker, 1, email);
    await register(email, OWNERS, "Ada Lovelace");
    const [, ownersMail] = await mailsOnceThereAre(worker, 2, email);

    // Until the owner follows the mail, nothing is the owner's.
    expect((await signIn(email, OWNERS)).status).toBe(401);
    expect(await verify(tokenIn(ownersMail!))).toBe(200);

    expect(await me(stranger.token)).toMatchObject({ status: 401, body: { code: "SESSION_EXPIRED" } });
    expect((await signIn(email, STRANGERS)).status).toBe(401);
    const owner = await signIn(email, OWNERS);
    expect(owner.status).toBe(200);
    const account = { name: "Ada Lovelace", email, is_verified: true };
    expect(await me(owner.token)).toMatchObject({ status: 200, body: account });

    // The older mail is still good, once, and gives the stranger nothing.
    expect(await verify(tokenIn(strangersMail!))).toBe(200);
    expect((await signIn(email, STRANGERS)).status).toBe(401);
    expect(await me(owner.token)).toMatchObject({ status: 200, body: account });
    for (const mail of [strangersMail!, ownersMail!]) expect(await verify(tokenIn(mail))).toBe(400);
  });

  test("becomes nobody's with a mail that was asked for again, until its owner sets a password", async () => {
    const email = newEmail();
    await register(email, STRANGERS, "Mallory");
    const stranger = await signIn(email, STRANGERS);
    await mailsOnceThereAre(worker, 1, email);
    await register(email, OWNERS, "Ada Lovelace");
    await mailsOnceThereAre(worker, 2, email);
    await worker.fetch(pathOf("resendVerification"), post(stranger.token, {}));
    const [, , resent] = await mailsOnceThereAre(worker, 3, email);
    expect(await verify(tokenIn(resent!))).toBe(200);
    expect((await signIn(email, STRANGERS)).status).toBe(401);
    expect((await me(stranger.token)).status).toBe(401);
    expect((await signIn(email, OWNERS)).status).toBe(401);
    await worker.fetch(pathOf("requestPasswordReset"), post(null, { email }));
    const [, , , reset] = await mailsOnceThereAre(worker, 4, email);
    const chosen = { token: tokenIn(reset!), new_password: NEW };
    expect((await worker.fetch(pathOf("executePasswordReset"), post(null, chosen))).status).toBe(200);
    expect((await signIn(email, NEW)).status).toBe(200);
  });

  test("stays out of the stranger's hands when the owner was first and asks for the mail again", async () => {
    const email = newEmail();
    await register(email, OWNERS, "Ada Lovelace");
    const owner = await signIn(email, OWNERS);
    await mailsOnceThereAre(worker, 1, email);
    await register(email, STRANGERS, "Mallory");
    await mailsOnceThereAre(worker, 2, email);
    await worker.fetch(pathOf("resendVerification"), post(owner.token, {}));
    const [, , resent] = await mailsOnceThereAre(worker, 3, email);
    const answer = await worker.fetch(`${pathOf("verifyEmail")}?token=${tokenIn(resent!)}`);
    expect(((await answer.json()) as { message: string }).message).toContain("set a new password");
    expect((await signIn(email, STRANGERS)).status).toBe(401);
  });

  test("is the owner's too when the stranger has changed the password in the meantime", async () => {
    const email = newEmail();
    await register(email, WRONG, "Mallory");
    const { token } = await signIn(email, WRONG);
    await mailsOnceThereAre(worker, 1, email);
    await register(email, OWNERS, "Ada Lovelace");
    const [, ownersMail] = await mailsOnceThereAre(worker, 2, email);
    const changed = await worker.fetch(
      pathOf("changePassword"),
      post(token, { old_password: WRONG, new_password: STRANGERS }),
    );
    const session = (await changed.json()) as { token: string };
    expect(await verify(tokenIn(ownersMail!))).toBe(200);
    expect((await me(session.token)).status).toBe(401);
    for (const password of [WRONG, STRANGERS]) expect((await signIn(email, password)).status).toBe(401);
    const owner = await signIn(email, OWNERS);
    expect(await me(owner.token)).toMatchObject({ status: 200, body: { name: "Ada Lovelace" } });
  });

  test("is the owner's after a reset, whose link the owner alone gets", async () => {
    const email = newEmail();
    await register(email, STRANGERS, "Mallory");
    const stranger = await signIn(email, STRANGERS);
    await worker.fetch(pathOf("requestPasswordReset"), post(null, { email }));
    const token = tokenIn(await waitForMail(worker, email, /reset/i));
    expect((await worker.fetch(pathOf("executePasswordReset"), post(null, { token, new_password: NEW }))).status).toBe(
      200,
    );
    expect((await me(stranger.token)).status).toBe(401);
    expect((await signIn(email, STRANGERS)).status).toBe(401);
    expect((await signIn(email, NEW)).status).toBe(200);
  });
});

describe.concurrent("an address that its owner has registered first", () => {
  test("stays the owner's with the owner's own mail, although a stranger has registered it since", async () => {
    const email = newEmail();
    await register(email, OWNERS, "Ada Lovelace");
    const [ownersMail] = await mailsOnceThereAre(worker, 1, email);
    await register(email, STRANGERS, "Mallory");
    const [, strangersMail] = await mailsOnceThereAre(worker, 2, email);
    expect((await signIn(email, STRANGERS)).status).toBe(401);
    for (const mail of [ownersMail!, strangersMail!]) expect(await verify(tokenIn(mail))).toBe(200);
    expect((await signIn(email, STRANGERS)).status).toBe(401);
    const owner = await signIn(email, OWNERS);
    expect(await me(owner.token)).toMatchObject({ status: 200, body: { name: "Ada Lovelace", is_verified: true } });
  });

  test("and verified is told of, without a token, and nothing changes", async () => {
    const account = await createSignedIn(worker.db);
    await register(account.email, STRANGERS, "Mallory");
    const [mail] = await mailsOnceThereAre(worker, 1, account.email);
    expect(mail!.subject).toBe("You already have a Checkline account");
    for (const content of [mail!.text, mail!.html]) {
      expect(content).toContain("https://checkline.test/login");
      expect(content).not.toMatch(/token|Mallory|[\w-]{43}/i);
    }
    expect(await worker.db.select().from(emailTokens).where(eq(emailTokens.userId, account.id))).toStrictEqual([]);
    expect(await me(account.token)).toMatchObject({ status: 200, body: { name: "Ada", email: account.email } });
    expect((await signIn(account.email, STRANGERS)).status).toBe(401);
    expect((await signIn(account.email, PASSWORD)).status).toBe(200);
  });

  test("is not told a stranger's name in a mail until it is verified", async () => {
    const email = newEmail();
    await register(email, STRANGERS, "Win a prize at evil.example");
    const [mail] = await mailsOnceThereAre(worker, 1, email);
    for (const content of [mail!.subject, mail!.text, mail!.html]) expect(content).not.toContain("evil.example");
  });
});
