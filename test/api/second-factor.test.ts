import { eq } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { beforeEach, describe, expect, test } from "vitest";
import type { SecondFactorChallenge } from "../../contract/second-factor.ts";
import { RECOVERY_CODES } from "../../contract/limits.ts";
import { passkeys, recoveryCodes, sessions, totp, users } from "../../schema.ts";
import { findAccount } from "../../worker/accounts/accounts.ts";
import { issueChallenge } from "../../worker/accounts/second-factor/challenge.ts";
import { confirmTotp } from "../../worker/accounts/second-factor/totp.ts";
import { createAuthenticator, KEYS } from "../authenticator.ts";
import { createSession, createSignedIn, PASSWORD } from "../factories.ts";
import type { SignedIn } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { ioOf, sessionOf } from "../io.ts";
import { mailsTo, tokenIn, waitForMail } from "../mailbox.ts";
import { pathOf, post, send } from "../requests.ts";

const worker = startWorker();
const TOTP_PATH = pathOf("addTotp");
const PASSKEYS = pathOf("listPasskeys");
const MINUTE = 60_000;
const ORIGIN = "https://checkline.test";

let ada: SignedIn;

beforeEach(async () => {
  ada = await createSignedIn(worker.db);
});

interface Answer {
  readonly status: number;
  readonly code?: string;
  readonly body: {
    readonly token?: string;
    readonly error?: string;
    readonly secret: string;
    readonly uri: string;
    readonly challenge: string;
    readonly options: { readonly challenge: string };
    readonly fields?: Record<string, string>;
    readonly recovery_codes: string[] | null;
    readonly second_factor?: SecondFactorChallenge;
    readonly passkeys: { readonly id: string; readonly name: string; readonly last_used_at: string | null }[];
  };
}

async function ask(
  method: string,
  path: string,
  token: string | null,
  body?: unknown,
  address?: string,
): Promise<Answer> {
  const headers = address === undefined ? {} : { "CF-Connecting-IP": address };
  const response = await worker.fetch(path, send(method, token, body, headers));
  const text = await response.text();
  const parsed = (text === "" ? {} : JSON.parse(text)) as Answer["body"] & { code?: string };
  return { status: response.status, ...(parsed.code !== undefined && { code: parsed.code }), body: parsed };
}

/** Status and code, such as "400 WRONG_CODE", or "200". */
const shortly = ({ status, code }: Answer) => (code === undefined ? String(status) : `${status} ${code}`);

const logIn = (email = ada.email, password = PASSWORD) => ask("POST", pathOf("login"), null, { email, password });
const second = (challenge: string, proof: object, address?: string) =>
  ask("POST", pathOf("logInWithSecondFactor"), null, { challenge, ...proof }, address);

/** A login's challenge. */
async function challengeOf(userId = ada.id): Promise<string> {
  return issueChallenge(ioOf(worker), "log-in", (await findAccount(worker.db, userId))!);
}

function codeOf(secret: string, at = Date.now()): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });
}

/** Adds an authenticator app, and resets its current code to unused. */
async function addApp({ token } = ada): Promise<{ secret: string; codes: string[] }> {
  const { body: pending } = await ask("POST", TOTP_PATH, token);
  const code = codeOf(pending.secret);
  const confirmed = await ask("POST", pathOf("confirmTotp"), token, { code });
  expect(shortly(confirmed)).toBe("200");
  await worker.db.update(totp).set({ lastStep: 0 });
  return { secret: pending.secret, codes: confirmed.body.recovery_codes! };
}

const beginKey = async () => (await ask("POST", pathOf("passkeyOptions"), ada.token)).body;

async function addKey(authenticator = createAuthenticator({ origin: ORIGIN }), name = "Laptop", begun = beginKey()) {
  const { challenge, options } = await begun;
  const passkey = authenticator.create(options.challenge);
  const added = await ask("POST", PASSKEYS, ada.token, { challenge, name, passkey });
  return { authenticator, added, challenge, passkey };
}

const base64url = (text: string) => Buffer.from(text).toString("base64url");

describe("an authenticator app", () => {
  test("is added with one of its codes; after that a login requires one, once", async () => {
    const { status, body: pending } = await ask("POST", TOTP_PATH, ada.token);
    expect(status).toBe(201);
    expect(pending.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(pending.uri).toBe(
      `otpauth://totp/Checkline:${encodeURIComponent(ada.email)}?issuer=Checkline&secret=${pending.secret}&algorithm=SHA1&digits=6&period=30`,
    );
    // Without confirmation, it doesn't count.
    expect(shortly(await logIn())).toBe("200");
    const again = await ask("POST", TOTP_PATH, ada.token);
    expect(shortly(await ask("POST", pathOf("confirmTotp"), ada.token, { code: codeOf(pending.secret) }))).toBe(
      "400 WRONG_CODE",
    );
    const code = codeOf(again.body.secret);
    const confirmed = await ask("POST", pathOf("confirmTotp"), ada.token, {
      code: `${code.slice(0, 3)} ${code.slice(3)}`,
    });
    expect(confirmed.body.recovery_codes).toHaveLength(RECOVERY_CODES);
    expect(shortly(await ask("POST", TOTP_PATH, ada.token))).toBe("409 SECOND_FACTOR_EXISTS");
    expect(shortly(await ask("POST", pathOf("confirmTotp"), ada.token, { code }))).toBe("404 NOT_FOUND");

    const rejected = await logIn();
    expect(shortly(rejected)).toBe("401 SECOND_FACTOR_REQUIRED");
    const { challenge, totp: hasApp, passkey_options: options } = rejected.body.second_factor!;
    expect([hasApp, options, rejected.body.token]).toStrictEqual([true, null, undefined]);
    // A challenge is not a session, and the confirming code is used.
    expect(shortly(await ask("GET", pathOf("me"), challenge))).toBe("401 UNAUTHENTICATED");
    expect(shortly(await second(challenge, { code }))).toBe("400 WRONG_CODE");
    const next = codeOf(again.body.secret, Date.now() + 30_000);
    const { body } = await second(challenge, { code: next });
    expect(shortly(await ask("GET", pathOf("me"), body.token!))).toBe("200");
    expect(shortly(await second(await challengeOf(), { code: next }))).toBe("400 WRONG_CODE");
    expect(shortly(await logIn(ada.email, "not the password"))).toBe("401 INVALID_CREDENTIALS");
  });

  test("is stored encrypted, bound to its account; its recovery codes are stored as hashes", async () => {
    const { secret, codes } = await addApp();
    const [row] = await worker.db.select().from(totp).where(eq(totp.userId, ada.id));
    const hashes = await worker.db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, ada.id));
    expect(hashes).toHaveLength(RECOVERY_CODES);
    const stored = JSON.stringify([row, hashes]);
    const raw = Buffer.from(Secret.fromBase32(secret).bytes);
    for (const known of [secret, raw.toString("hex"), raw.toString("base64").slice(0, 24), ...codes])
      expect(stored).not.toContain(known);
    expect(Buffer.from(row!.secret, "base64").includes(raw)).toBe(false);
    const bob = await createSignedIn(worker.db);
    await worker.db.insert(totp).values({ ...row!, userId: bob.id });
    const moved = await second(await challengeOf(bob.id), { code: codeOf(secret) });
    expect(shortly(moved)).toBe("500 INTERNAL_ERROR");
    const logs = worker.logs().join("\n");
    for (const known of [secret, ...codes]) expect(logs).not.toContain(known);
  });

  test("whose clock is off by two minutes is rejected with a hint; half a minute is fine", async () => {
    const { secret } = await addApp();
    for (const off of [-2 * MINUTE, 2 * MINUTE]) {
      const { code, body } = await second(await challengeOf(), { code: codeOf(secret, Date.now() + off) });
      expect(code).toBe("WRONG_CODE");
      expect(body.error).toMatch(/your phone's clock/);
    }
    expect(shortly(await second(await challengeOf(), { code: codeOf(secret, Date.now() + 30_000) }))).toBe("200");
  });

  test("logs in one of ten tabs with one code, with one challenge or ten; its code does not work again", async () => {
    const { secret } = await addApp();
    const before = await worker.db.$count(sessions, eq(sessions.userId, ada.id));
    const one = await challengeOf();
    const challenges = [one, one, one, one, one, ...(await Promise.all([1, 2, 3, 4, 5].map(() => challengeOf())))];
    const code = codeOf(secret);
    const tabs = (await Promise.all(challenges.map((challenge) => second(challenge, { code })))).map(shortly);
    expect(tabs.filter((tab) => tab === "200")).toHaveLength(1);
    for (const tab of tabs) expect(["200", "400 WRONG_CODE", "429 RATE_LIMITED"]).toContain(tab);
    expect(await worker.db.$count(sessions, eq(sessions.userId, ada.id))).toBe(before + 1);
  });

  test("requires a recent password; challenges for another purpose, without an account, or expired are rejected", async () => {
    const stale = await createSession(worker.db, ada.id, { passwordAt: Date.now() - 11 * MINUTE });
    for (const [method, path] of [
      ["POST", TOTP_PATH],
      ["POST", pathOf("confirmTotp")],
      ["DELETE", TOTP_PATH],
      ["POST", pathOf("replaceRecoveryCodes")],
      ["POST", pathOf("passkeyOptions")],
      ["POST", PASSKEYS],
      ["DELETE", `${PASSKEYS}/psk_1`],
    ] as const) {
      expect(shortly(await ask(method, path, stale.token, method === "POST" ? {} : undefined))).toBe(
        "403 PASSWORD_REQUIRED",
      );
    }
    const account = (await findAccount(worker.db, ada.id))!;
    const { secret } = await addApp();
    const code = codeOf(secret);
    for (const challenge of [
      await issueChallenge(ioOf(worker), "add-passkey", account),
      await issueChallenge(ioOf(worker), "log-in", { ...account, id: "usr_gone" }),
      await issueChallenge(
        ioOf(worker, () => Date.now() - 6 * MINUTE),
        "log-in",
        account,
      ),
      ada.token,
      "x",
    ]) {
      expect(shortly(await second(challenge, { code }))).toBe("400 CHALLENGE_INVALID");
    }
    const valid = await challengeOf();
    for (const proof of [
      {},
      { code, passkey: { id: "x" } },
      { code: "" },
      { code: 5 },
      { passkey: "x" },
      { code, more: 1 },
    ]) {
      expect(shortly(await second(valid, proof))).toBe("400 VALIDATION_FAILED");
    }
    expect(shortly(await second(valid, { code }))).toBe("200");
  });

  test("limits guesses like passwords: ten from an address, twenty in total, but not for a known address", async () => {
    const { secret, codes } = await addApp();
    const home = "203.0.113.7";
    expect(shortly(await second(await challengeOf(), { code: codes[0] }, home))).toBe("200");
    const challenge = await challengeOf();
    const guess = async (address: string) => shortly(await second(challenge, { code: "wrong" }, address));
    const guesses: string[] = [];
    for (let n = 0; n < 22; n++) guesses.push(await guess(`198.51.100.${n % 3}`));
    expect(guesses.slice(0, 20)).toStrictEqual(Array.from({ length: 20 }, () => "400 WRONG_CODE"));
    expect(guesses.slice(20)).toStrictEqual(["429 RATE_LIMITED", "429 RATE_LIMITED"]);
    expect(shortly(await second(challenge, { code: codeOf(secret) }, "198.51.100.9"))).toBe("429 RATE_LIMITED");
    expect(shortly(await second(challenge, { code: codeOf(secret) }, home))).toBe("200");
  });
});

describe("recovery codes", () => {
  test("each logs in once, however typed; new ones replace them all; removing the last factor deletes them", async () => {
    const { codes } = await addApp();
    const [first = "", other = "", third = ""] = codes;
    // 24 of 32 characters, 5 bits each: 120.
    for (const code of codes) expect(code).toMatch(/^(?:[0-9a-hjkmnp-tv-z]{4}-){5}[0-9a-hjkmnp-tv-z]{4}$/);
    const typed = ` ${first.replaceAll("-", " ").toUpperCase().replaceAll("0", "O").replaceAll("1", "l")} `;
    const tabs = await Promise.all(Array.from({ length: 5 }, async () => second(await challengeOf(), { code: typed })));
    expect(tabs.map(shortly).filter((tab) => tab === "200")).toHaveLength(1);
    const again = await second(await challengeOf(), { code: first });
    expect(again).toMatchObject({
      code: "WRONG_CODE",
      body: { error: "This recovery code is wrong or was already used." },
    });
    const left = await ask("GET", pathOf("secondFactor"), ada.token);
    expect(left.body).toStrictEqual({ totp_added_at: expect.any(String), recovery_codes_left: RECOVERY_CODES - 1 });

    // A lost phone: the code lets its owner in, who then removes the app.
    const { token = "" } = (await second(await challengeOf(), { code: other })).body;
    const fresh = (await ask("POST", pathOf("replaceRecoveryCodes"), token)).body.recovery_codes!;
    expect(shortly(await second(await challengeOf(), { code: third }))).toBe("400 WRONG_CODE");
    expect(shortly(await second(await challengeOf(), { code: fresh[0] }))).toBe("200");
    expect(shortly(await ask("DELETE", TOTP_PATH, token))).toBe("204");
    expect(shortly(await ask("DELETE", TOTP_PATH, token))).toBe("204");
    expect(shortly(await logIn())).toBe("200");
    expect(await worker.db.$count(recoveryCodes, eq(recoveryCodes.userId, ada.id))).toBe(0);
    expect(shortly(await ask("POST", pathOf("replaceRecoveryCodes"), token))).toBe("409 NO_SECOND_FACTOR");
  });

  test("of two tabs with one challenge and two codes, one logs in, and the other keeps its code", async () => {
    const { codes } = await addApp();
    const challenge = await challengeOf();
    expect(shortly(await second(challenge, { code: "wrong" }))).toBe("400 WRONG_CODE");
    const tabs = await Promise.all([codes[0], codes[1]].map((code) => second(challenge, { code })));
    expect(tabs.map(shortly).toSorted()).toStrictEqual(["200", "400 CHALLENGE_INVALID"]);
    expect(shortly(await second(challenge, { code: codes[2] }))).toBe("400 CHALLENGE_INVALID");
    const left = await worker.db.$count(recoveryCodes, eq(recoveryCodes.userId, ada.id));
    expect(left).toBe(RECOVERY_CODES - 1);
    expect(shortly(await second(await challengeOf(), { code: codes[2] }))).toBe("200");
  });

  test("are not stored with a factor that could not be added, since no one sees them", async () => {
    const left = () => worker.db.$count(recoveryCodes, eq(recoveryCodes.userId, ada.id));
    const { authenticator } = await addKey();
    // As after the last one was used.
    await worker.db.delete(recoveryCodes).where(eq(recoveryCodes.userId, ada.id));
    expect(shortly((await addKey(authenticator)).added)).toBe("400 PASSKEY_REFUSED");
    expect(await left()).toBe(0);

    const { body: pending } = await ask("POST", TOTP_PATH, ada.token);
    const io = ioOf(worker);
    const db = Object.create(io.db) as typeof io.db;
    let batches = 0;
    // The first counts the call. Before the second, another tab starts over.
    db.batch = async (statements) => {
      batches += 1;
      if (batches === 2) await worker.db.update(totp).set({ secret: "another" }).where(eq(totp.userId, ada.id));
      return io.db.batch(statements);
    };
    const session = await sessionOf(io, ada.token);
    const confirming = confirmTotp({ ...io, db }, session, codeOf(pending.secret));
    await expect(confirming).rejects.toMatchObject({ code: "WRONG_CODE" });
    expect(await left()).toBe(0);
    const { added } = await addKey();
    expect(added.body.recovery_codes).toHaveLength(await left());
  });
});

describe("a passkey", () => {
  test("is added with the browser's response, and logs in once per challenge", async () => {
    const { authenticator, added, challenge: spent, passkey } = await addKey();
    expect(shortly(added)).toBe("201");
    expect(added.body.recovery_codes).toHaveLength(RECOVERY_CODES);
    expect(shortly(await ask("POST", PASSKEYS, ada.token, { challenge: spent, name: "Again", passkey }))).toBe(
      "400 CHALLENGE_INVALID",
    );
    const { second_factor: needed } = (await logIn()).body;
    expect(needed).toMatchObject({
      totp: false,
      passkey_options: {
        challenge: base64url(needed!.challenge),
        allowCredentials: [{ id: passkey.id, type: "public-key", transports: ["usb"] }],
      },
    });
    const proof = { passkey: authenticator.get(base64url(needed!.challenge)) };
    const tabs = await Promise.all(Array.from({ length: 5 }, () => second(needed!.challenge, proof)));
    expect(tabs.map(shortly).filter((tab) => tab === "200")).toHaveLength(1);
    const { passkeys: listed } = (await ask("GET", PASSKEYS, ada.token)).body;
    expect(listed).toStrictEqual([
      {
        id: expect.stringMatching(/^psk_/),
        name: "Laptop",
        added_at: expect.any(String),
        last_used_at: expect.any(String),
      },
    ]);
    const [{ id } = { id: "" }] = listed;
    const bob = await createSignedIn(worker.db);
    expect(shortly(await ask("DELETE", `${PASSKEYS}/${id}`, bob.token))).toBe("404 NOT_FOUND");
    expect(shortly(await ask("DELETE", `${PASSKEYS}/${id}`, ada.token))).toBe("204");
    expect(shortly(await logIn())).toBe("200");
  });

  test("that was cloned is rejected once its counter goes back, with an explanation", async () => {
    const { authenticator } = await addKey();
    const copy = authenticator.copy();
    const use = async (by: typeof copy) => {
      const challenge = await challengeOf();
      return second(challenge, { passkey: by.get(base64url(challenge)) });
    };
    expect(shortly(await use(authenticator))).toBe("200");
    const rejected = await use(copy);
    expect(shortly(rejected)).toBe("400 PASSKEY_REFUSED");
    expect(rejected.body.error).toMatch(/may have been copied/);
    expect(shortly(await use(authenticator))).toBe("200");
  });

  test("without a counter works repeatedly, but accepts no response twice", async () => {
    const { authenticator } = await addKey(createAuthenticator({ origin: ORIGIN, counter: null }));
    for (let n = 0; n < 2; n++) {
      const challenge = await challengeOf();
      const passkey = authenticator.get(base64url(challenge));
      expect(shortly(await second(challenge, { passkey }))).toBe("200");
      expect(shortly(await second(challenge, { passkey }))).toBe("400 CHALLENGE_INVALID");
    }
  });

  test("with RS256 works too", async () => {
    const { authenticator } = await addKey(createAuthenticator({ origin: ORIGIN, key: KEYS.RS256() }));
    const challenge = await challengeOf();
    expect(shortly(await second(challenge, { passkey: authenticator.get(base64url(challenge)) }))).toBe("200");
  });

  test("of another page, account, or challenge, or with a broken proof is rejected", async () => {
    const phished = await addKey(createAuthenticator({ origin: "https://checkl1ne.test" }));
    expect(shortly(phished.added)).toBe("400 PASSKEY_REFUSED");
    const { authenticator } = await addKey();
    const bob = await createSignedIn(worker.db);
    await addApp(bob);
    const challenge = await challengeOf();
    const good = authenticator.get(base64url(challenge));
    const bobs = await challengeOf(bob.id);
    expect(shortly(await second(bobs, { passkey: authenticator.get(base64url(bobs)) }))).toBe("400 PASSKEY_REFUSED");
    for (const passkey of [
      authenticator.on("https://checkl1ne.test").get(base64url(challenge)),
      authenticator.get(base64url(await challengeOf())),
      authenticator.get(base64url(challenge), { client: { crossOrigin: true } }),
      createAuthenticator({ origin: ORIGIN }).get(base64url(challenge)),
      { id: good.id },
      { ...good, response: { ...good.response, signature: "AAAA" } },
      { ...good, response: null },
      { ...good, response: { clientDataJSON: 5, authenticatorData: [], signature: {} } },
      { ...good, id: "x" },
    ]) {
      expect(shortly(await second(challenge, { passkey }))).toBe("400 PASSKEY_REFUSED");
    }
    expect(shortly(await second(challenge, { passkey: good }))).toBe("200");
  });

  test("the eleventh is rejected, and a later factor keeps the recovery codes", async () => {
    const { codes } = await addApp();
    const { added } = await addKey();
    expect(added.body.recovery_codes).toBeNull();
    for (let n = 2; n <= 9; n++) {
      await worker.db.insert(passkeys).values({
        id: `psk_${n}_${ada.id}`,
        userId: ada.id,
        name: "x",
        credentialId: `${n}_${ada.id}`,
        publicKey: "x",
        counter: 0,
        transports: [],
        createdAt: 0,
      });
    }
    const begun = [beginKey(), beginKey()];
    await Promise.all(begun);
    const [tenth, eleventh] = await Promise.all(begun.map((each) => addKey(undefined, "Laptop", each)));
    expect([shortly(tenth!.added), shortly(eleventh!.added)].toSorted()).toStrictEqual([
      "201",
      "409 PASSKEY_LIMIT_REACHED",
    ]);
    expect(shortly(await ask("POST", pathOf("passkeyOptions"), ada.token))).toBe("409 PASSKEY_LIMIT_REACHED");
    expect(shortly(await ask("DELETE", TOTP_PATH, ada.token))).toBe("204");
    expect(shortly(await second(await challengeOf(), { code: codes[3] }))).toBe("200");
  });
});

describe("an account with a second factor", () => {
  test("keeps it after a reset by email, which ends challenges; the password alone confirms, exports, and deletes", async () => {
    const { secret } = await addApp();
    const before = await challengeOf();
    await worker.fetch(pathOf("requestPasswordReset"), post(null, { email: ada.email }));
    const token = tokenIn(await waitForMail(worker, ada.email, /Reset your/));
    const password = "a password after the loss";
    expect(shortly(await ask("POST", pathOf("executePasswordReset"), null, { token, new_password: password }))).toBe(
      "200",
    );
    expect(shortly(await second(before, { code: codeOf(secret) }))).toBe("400 CHALLENGE_INVALID");
    const { code, body } = await logIn(ada.email, password);
    expect(code).toBe("SECOND_FACTOR_REQUIRED");
    const session = (await second(body.second_factor!.challenge, { code: codeOf(secret) })).body.token!;
    const confirmed = await ask("POST", pathOf("confirmPassword"), session, { password });
    expect(shortly(confirmed)).toBe("200");
    const exported = await ask("GET", pathOf("exportAccount"), confirmed.body.token!);
    expect(exported).toMatchObject({ status: 200, body: { second_factor: { recovery_codes_left: RECOVERY_CODES } } });
    expect(JSON.stringify(exported.body)).not.toContain(secret);
    expect(shortly(await ask("DELETE", pathOf("deleteAccount"), confirmed.body.token!))).toBe("204");
    for (const table of [totp, passkeys, recoveryCodes]) {
      expect(await worker.db.$count(table, eq(table.userId, ada.id))).toBe(0);
    }
    expect(await worker.db.$count(users, eq(users.id, ada.id))).toBe(0);
  });

  test("that is suspended between the two steps does not get in", async () => {
    const { codes } = await addApp();
    const challenge = await challengeOf();
    await worker.db.update(users).set({ suspendedAt: 1 }).where(eq(users.id, ada.id));
    expect(shortly(await second(challenge, { code: codes[0] }))).toBe("403 ACCOUNT_SUSPENDED");
  });

  test("emails its owner about a new factor", async () => {
    await addApp();
    const mail = await waitForMail(worker, ada.email, /^Authenticator app added/);
    expect(mail.text).toContain("/dashboard/settings/security");
    expect(await mailsTo(worker, ada.email)).toHaveLength(1);
  });
});
