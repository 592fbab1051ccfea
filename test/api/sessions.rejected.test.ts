import { eq, sql } from "drizzle-orm";
import { SignJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { ENDPOINTS } from "../../contract/endpoints/index.ts";
import { users } from "../../schema.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
import { createSignedIn } from "../factories.ts";
import type { SignedIn } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { pathOf, send } from "../requests.ts";
import { TEST_SECRETS } from "../worker.ts";

const worker = startWorker();
const SECRET = TEST_SECRETS.sessions.current;

let owner: SignedIn;

/** A session token's claims. */
function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString()) as Record<string, unknown>;
}

/** A token like ours, with some changes. */
async function forge(
  change: { alg?: string; audience?: string; issuer?: string; secret?: string; claims?: object } = {},
): Promise<string> {
  const { alg = "HS256", audience = "checkline-dashboard", issuer = "checkline", secret = SECRET } = change;
  return new SignJWT({ ...claimsOf(owner.token), ...change.claims })
    .setProtectedHeader({ alg, typ: "JWT" })
    .setIssuer(issuer)
    .setAudience(audience)
    .sign(new TextEncoder().encode(secret.padEnd(64, "x").slice(0, alg === "HS512" ? 64 : secret.length)));
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function unsigned(): string {
  return `${encoded({ alg: "none", typ: "JWT" })}.${encoded(claimsOf(owner.token))}.`;
}

/** The owner's token with the claims of another. */
function withClaims(token: string): string {
  const [header, , signature] = owner.token.split(".");
  return [header, token.split(".")[1], signature].join(".");
}

/** Credentials that must be rejected, each created on demand. */
const REJECTED: readonly (readonly [name: string, token: () => Promise<string | null>, code: string])[] = [
  ["three parts of garbage", async () => "a.b.c", "UNAUTHENTICATED"],
  ["three dots", async () => "...", "UNAUTHENTICATED"],
  [
    "an unknown critical header",
    async () => `${encoded({ alg: "HS256", crit: ["x"], x: 1 })}.e30.c2ln`,
    "UNAUTHENTICATED",
  ],
  ["another account's claims", async () => withClaims((await createSignedIn(worker.db)).token), "UNAUTHENTICATED"],
  ["a session without a row", () => forge({ claims: { sid: "ses_of_nobody" } }), "SESSION_EXPIRED"],
  ["another secret's signature", () => forge({ secret: "another-secret-that-is-long-enough" }), "UNAUTHENTICATED"],
  // HS256 signatures have 43 characters: the last one has two bits that mean nothing.
  [
    "a signature with other last bits",
    async () => owner.token.slice(0, -1) + String.fromCharCode(owner.token.charCodeAt(owner.token.length - 1) + 1),
    "UNAUTHENTICATED",
  ],
  ["padding", async () => `${owner.token}=`, "UNAUTHENTICATED"],
  ["a changed signature", async () => `${owner.token.slice(0, -4)}AAAA`, "UNAUTHENTICATED"],
  ["alg: none", async () => unsigned(), "UNAUTHENTICATED"],
  ["another algorithm", () => forge({ alg: "HS512" }), "UNAUTHENTICATED"],
  ["another audience", () => forge({ audience: "somebody-else" }), "UNAUTHENTICATED"],
  ["another issuer", () => forge({ issuer: "somebody-else" }), "UNAUTHENTICATED"],
  [
    "an older epoch",
    async () => {
      const account = await createSignedIn(worker.db);
      await worker.db
        .update(users)
        .set({ sessionEpoch: sql`session_epoch + 1` })
        .where(eq(users.id, account.id));
      return account.token;
    },
    "SESSION_EXPIRED",
  ],
  [
    "a deleted account's session",
    async () => {
      const account = await createSignedIn(worker.db);
      await worker.db.delete(users).where(eq(users.id, account.id));
      return account.token;
    },
    "SESSION_EXPIRED",
  ],
];

beforeAll(async () => {
  owner = await createSignedIn(worker.db);
});

test.each<(typeof REJECTED)[number]>([
  ...REJECTED,
  ["another time of the password", () => forge({ claims: { password_at: 1 } }), "SESSION_EXPIRED"],
  ["no sid", () => forge({ claims: { sid: undefined } }), "UNAUTHENTICATED"],
  ["a sid that is no text", () => forge({ claims: { sid: { $ne: "" } } }), "UNAUTHENTICATED"],
  ["an empty sid", () => forge({ claims: { sid: "" } }), "SESSION_EXPIRED"],
  ["a huge sid", () => forge({ claims: { sid: "%".repeat(4_000) } }), "SESSION_EXPIRED"],
  ["SQL as sid", () => forge({ claims: { sid: "' OR '1'='1" } }), "SESSION_EXPIRED"],
])("%s grants nothing", async (_, makeToken, code) => {
  const response = await worker.fetch(pathOf("me"), send("GET", await makeToken()));
  expect(response.status).toBe(401);
  expect(response.headers.get("WWW-Authenticate")).toBe("Bearer");
  expect(await response.json()).toMatchObject({ code });
});

test.each([
  ["a mistyped key", "h_live_mistyped", "INVALID_API_KEY"],
  ["a key with dots", "ch_live_a.b.c", "INVALID_API_KEY"],
  ["a forged session token", "a.b.c", "UNAUTHENTICATED"],
])("where both are accepted, %s is rejected as such", async (_, credential, code) => {
  const response = await worker.fetch(pathOf("quota"), send("GET", credential));
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ code });
});

test("everything under /account needs one, and the quota a session or a key", () => {
  const open = ENDPOINTS.filter(
    ({ path, credential }) => path.startsWith("/api/v1/account") && credential !== "session",
  );
  expect(open.map(({ id, credential }) => [id, credential])).toStrictEqual([["quota", "any"]]);
});

describe("another account's resources", () => {
  test("a key looks just like one that does not exist, and stays", async () => {
    const other = await createSignedIn(worker.db);
    const input = { db: worker.db, now: Date.now(), userId: other.id, mode: "live", name: "theirs" } as const;
    const { id } = await insertApiKey(input);
    const answer = async (keyId: string) => {
      const response = await worker.fetch(`/api/v1/account/api-keys/${keyId}`, send("DELETE", owner.token));
      return { status: response.status, body: await response.json() };
    };
    expect(await answer(id)).toStrictEqual(await answer("key_that_is_not_there"));
    const kept = await worker.fetch("/api/v1/account/api-keys", send("GET", other.token));
    expect(await kept.json()).toMatchObject({ keys: [{ id, name: "theirs" }] });
  });

  test("keys, subscription, and usage of one account never show in another's", async () => {
    const fresh = await createSignedIn(worker.db, { subscription: "none" });
    const read = async (path: string) => (await worker.fetch(path, send("GET", fresh.token))).json();
    expect(await read("/api/v1/account/api-keys")).toStrictEqual({ keys: [] });
    expect(await read("/api/v1/account/subscription")).toMatchObject({ status: "none", plan: null });
    expect(await read("/api/v1/account/reports/summary")).toMatchObject({ total_verifications: 0, top_countries: [] });
  });

  test("revoking all keys affects no other account's", async () => {
    const [one, other] = [await createSignedIn(worker.db), await createSignedIn(worker.db)];
    for (const { id } of [one, other]) {
      await insertApiKey({ db: worker.db, now: Date.now(), userId: id, mode: "test", name: "k" });
    }
    const revoked = await worker.fetch("/api/v1/account/api-keys", send("DELETE", one.token));
    expect(await revoked.json()).toStrictEqual({ revoked: 1 });
    const kept = await worker.fetch("/api/v1/account/api-keys", send("GET", other.token));
    expect(((await kept.json()) as { keys: unknown[] }).keys).toHaveLength(1);
  });
});
