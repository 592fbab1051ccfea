import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { signInAttempts } from "../../schema.ts";
import { attemptSubject } from "../../worker/limits/attempts.ts";
import { LIMITS } from "../../worker/limits/table.ts";
import { expectLimited, from, HOUR, newAddress, QUARTER_HOUR, startAttempts, times, WRONG } from "../attempts.ts";
import { createSignedIn, PASSWORD } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { tokenIn, waitForMail } from "../mailbox.ts";
import { pathOf, post } from "../requests.ts";

const worker = startWorker();
const { call, signIn, guess, newEmail, counter, counted, setCount, passWindows, expectAnonymous } =
  startAttempts(worker);

describe("logging in", () => {
  test("allows 10 wrong passwords for an account from an address, then rejects even the right one until the window is over", async () => {
    const email = await newEmail();
    const address = newAddress();
    for (const _ of times(10, Boolean)) expect((await signIn(email, WRONG, address)).status).toBe(401);
    expectLimited(await signIn(email, WRONG, address), QUARTER_HOUR);
    expectLimited(await signIn(email, PASSWORD, address), QUARTER_HOUR);
    expectLimited(await signIn(email.toUpperCase(), PASSWORD, address), QUARTER_HOUR);
    expect((await signIn(await newEmail(), PASSWORD, address)).status).toBe(200);
    expect((await signIn(email, PASSWORD, newAddress())).status).toBe(200);
    await passWindows();
    expect((await signIn(email, PASSWORD, address)).status).toBe(200);
    expect(await guess(1, email, address)).toStrictEqual([401]);
  });

  test("does not extend the wait for attempts made during it", async () => {
    const email = await newEmail();
    const address = newAddress();
    await guess(1, email, address);
    await setCount(10, LIMITS.passwordPerAccountAndAddress, email, address);
    const row = () =>
      worker.db
        .select()
        .from(signInAttempts)
        .where(counter(LIMITS.passwordPerAccountAndAddress, email, address))
        .get();
    const before = await row();
    expect(await guess(5, email, address)).toStrictEqual(times(5, () => 429));
    expect(await row()).toStrictEqual(before);
  });

  test("hashes 10 of 30 concurrent wrong passwords", async () => {
    const email = await newEmail();
    const address = newAddress();
    const answers = await Promise.all(times(30, () => signIn(email, WRONG, address)));
    const rejected = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(rejected).toHaveLength(20);
    for (const answer of rejected) expectLimited(answer, QUARTER_HOUR);
  });

  test("has the same limit for an address without an account", async () => {
    const nobody = "nobody.here@example.com";
    const address = newAddress();
    expect(await guess(2, nobody, address)).toStrictEqual([401, 401]);
    expect(await counted(LIMITS.passwordPerAccountAndAddress, nobody, address)).toBe(2);
    await setCount(9, LIMITS.passwordPerAccountAndAddress, nobody, address);
    expect(await guess(2, nobody, address)).toStrictEqual([401, 429]);
    expectLimited(await signIn(nobody, WRONG, address), QUARTER_HOUR);
  });

  test("counts a whole IPv6 network as one address", async () => {
    const email = await newEmail();
    const network = "2001:db8:1::/48";
    for (const host of ["2001:db8:1:2::1", "2001:0DB8:1:3:0:0:0:2"]) await guess(1, email, host);
    expect(await counted(LIMITS.passwordPerAccountAndAddress, email, network)).toBe(2);
    await setCount(10, LIMITS.passwordPerAccountAndAddress, email, network);
    expect((await signIn(email, PASSWORD, "2001:db8:1:ffff::1")).status).toBe(429);
    expect((await signIn(email, PASSWORD, "2001:db8:2::1")).status).toBe(200);
  });

  test("does not count successes, and keeps earlier failures counted", async () => {
    const email = await newEmail();
    const address = newAddress();
    await guess(1, email, address);
    await setCount(9, LIMITS.passwordPerAccountAndAddress, email, address);
    for (const _ of times(3, Boolean)) expect((await signIn(email, PASSWORD, address)).status).toBe(200);
    expect(await counted(LIMITS.passwordPerAccountAndAddress, email, address)).toBe(9);
    expect(await counted(LIMITS.passwordPerAccount, email)).toBe(1);
    expect(await counted(LIMITS.passwordPerAddress, address)).toBe(1);
    expect(await guess(2, email, address)).toStrictEqual([401, 429]);
  });

  test("many times concurrently with the right password leaves nothing counted", async () => {
    const email = await newEmail();
    const address = newAddress();
    const burst = await Promise.all(times(30, () => signIn(email, PASSWORD, address)));
    expect(burst.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(10);
    // Those beyond ten at a time had to wait, but none failed.
    expect((await signIn(email, PASSWORD, address)).status).toBe(200);
    expect(await counted(LIMITS.passwordPerAccountAndAddress, email, address)).toBe(0);
    expect(await counted(LIMITS.passwordPerAccount, email)).toBe(0);
    expect(await counted(LIMITS.passwordPerAddress, address)).toBe(0);
  });

  test("allows 100 wrong passwords from an address, across accounts", async () => {
    const email = await newEmail();
    const address = newAddress();
    expect(await guess(1, await newEmail(), address)).toStrictEqual([401]);
    expect(await counted(LIMITS.passwordPerAddress, address)).toBe(1);
    await setCount(99, LIMITS.passwordPerAddress, address);
    expect(await guess(1, await newEmail(), address)).toStrictEqual([401]);
    expect(await guess(1, "nobody.at.all@example.com", address)).toStrictEqual([429]);
    expectLimited(await signIn(email, PASSWORD, address), QUARTER_HOUR);
    expect((await signIn(email, PASSWORD, newAddress())).status).toBe(200);
  });

  test("does not lock the owner out at a known address, however many guess elsewhere", async () => {
    const email = await newEmail();
    const home = newAddress();
    expect((await signIn(email, PASSWORD, home)).status).toBe(200);
    for (const _ of times(3, Boolean)) expect(await guess(1, email, newAddress())).toStrictEqual([401]);
    expect(await counted(LIMITS.passwordPerAccount, email)).toBe(3);
    await setCount(49, LIMITS.passwordPerAccount, email);
    const guesses = await Promise.all(times(3, () => guess(1, email, newAddress())));
    expect(guesses.flat().toSorted()).toStrictEqual([401, 429, 429]);
    const stranger = newAddress();
    expectLimited(await signIn(email, PASSWORD, stranger), HOUR);
    expect((await signIn(email, PASSWORD, home)).status).toBe(200);
    expect((await signIn(await newEmail(), PASSWORD, stranger)).status).toBe(200);
    await passWindows();
    expect((await signIn(email, PASSWORD, stranger)).status).toBe(200);
  });

  test("allows only 10 wrong passwords even at a known address", async () => {
    const email = await newEmail();
    const home = newAddress();
    expect((await signIn(email, PASSWORD, home)).status).toBe(200);
    expect(await guess(1, email, home)).toStrictEqual([401]);
    await setCount(9, LIMITS.passwordPerAccountAndAddress, email, home);
    expect(await guess(2, email, home)).toStrictEqual([401, 429]);
    expectLimited(await signIn(email, PASSWORD, home), QUARTER_HOUR);
  });

  test("a reset lets the owner in, however often the old password was guessed, and no other address", async () => {
    const email = await newEmail();
    const [home, stranger] = [newAddress(), newAddress()];
    for (const address of [home, stranger]) {
      await guess(1, email, address);
      await setCount(10, LIMITS.passwordPerAccountAndAddress, email, address);
    }
    await setCount(50, LIMITS.passwordPerAccount, email);
    await call(pathOf("requestPasswordReset"), post(null, { email }, from(home)));
    const reset = { token: tokenIn(await waitForMail(worker, email, /reset/i)), new_password: "another long password" };
    expect((await call(pathOf("executePasswordReset"), post(null, reset, from(home)))).status).toBe(200);
    expect((await signIn(email, reset.new_password, home)).status).toBe(200);
    expectLimited(await signIn(email, reset.new_password, stranger), QUARTER_HOUR);
  });
});

describe("confirming the password", () => {
  const PROMPTS = [
    [
      "a new password",
      pathOf("changePassword"),
      (password: string) => ({ old_password: password, new_password: "another password" }),
    ],
    ["the password again", pathOf("confirmPassword"), (password: string) => ({ password })],
  ] as const;

  test.each(PROMPTS)("for %s shares the limit of logging in", async (_, path, body) => {
    const account = await createSignedIn(worker.db);
    const address = newAddress();
    const confirm = (password: string, where: string) => call(path, post(account.token, body(password), from(where)));
    expect((await confirm(WRONG, address)).status).toBe(400);
    expect(await guess(1, account.email, address)).toStrictEqual([401]);
    expect(await counted(LIMITS.passwordPerAccountAndAddress, account.email, address)).toBe(2);
    await setCount(9, LIMITS.passwordPerAccountAndAddress, account.email, address);
    expect((await confirm(WRONG, address)).status).toBe(400);
    expectLimited(await confirm(PASSWORD, address), QUARTER_HOUR);
    expectLimited(await signIn(account.email, PASSWORD, address), QUARTER_HOUR);
    expect((await confirm(PASSWORD, newAddress())).status).toBe(200);
  });

  test("counts toward the limits of both the address and the account", async () => {
    const account = await createSignedIn(worker.db);
    const address = newAddress();
    const confirm = () => call(pathOf("confirmPassword"), post(account.token, { password: WRONG }, from(address)));
    expect((await confirm()).status).toBe(400);
    expect(await counted(LIMITS.passwordPerAddress, address)).toBe(1);
    expect(await counted(LIMITS.passwordPerAccount, account.email)).toBe(1);
    await setCount(50, LIMITS.passwordPerAccount, account.email);
    expectLimited(await confirm(), HOUR);
  });
});

describe("the counts in the database", () => {
  test("do not reveal who was counted or where", async () => {
    await expectAnonymous(50);
  });

  test("can't be linked without the secret", async () => {
    const email = await newEmail();
    const address = newAddress();
    await guess(1, email, address);
    const rule = LIMITS.passwordPerAddress;
    expect(await counted(rule, address)).toBe(1);
    const guessed = attemptSubject("another secret of thirty-two bytes", rule, { address }).id;
    const found = await worker.db.select().from(signInAttempts).where(eq(signInAttempts.subject, guessed));
    expect(found).toStrictEqual([]);
  });
});
