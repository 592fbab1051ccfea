import { NOBODYS_PASSWORD } from "../../worker/accounts/password.ts";
import { generateKey, hashKey, keyHint } from "../../worker/keys/key-format.ts";
import { newId } from "../../worker/platform/random.ts";
import type { Target } from "./target.ts";
import type { Wrangler } from "./wrangler.ts";

/** `.invalid` is reserved: nobody can have this address, and no mail to it arrives. */
const EMAIL = "smoke-test@checkline.invalid";

/** Erases the temporary account, its key and its usage with it; also one that an interrupted run has left. */
export const ERASE = `DELETE FROM users WHERE email = '${EMAIL}'`;

/**
 * A test key, and the statements that make an account for it which nobody can sign in to. The statements hold its hash only.
 * @param now milliseconds since the Unix epoch
 */
export function temporaryAccount(now: number): { readonly key: string; readonly statements: readonly string[] } {
  const key = generateKey("test");
  const user = newId("usr");
  return {
    key,
    statements: [
      ERASE,
      `INSERT INTO users (id, email, name, password_hash, created_at)
       VALUES ('${user}', '${EMAIL}', 'Smoke test', '${NOBODYS_PASSWORD}', ${now})`,
      `INSERT INTO api_keys (id, user_id, mode, name, hash, hint, created_at, updated_at)
       VALUES ('${newId("key")}', '${user}', 'test', 'Smoke test', '${hashKey(key)}', '${keyHint(key)}', ${now}, ${now})`,
    ],
  };
}

function execute(wrangler: Wrangler, { database }: Target, statements: readonly string[]): Promise<string> {
  const sql = statements.map((statement) => statement.replaceAll(/\s+/g, " ")).join("; ");
  return wrangler.call(["d1", "execute", database.binding, "--remote", "--yes", "--command", sql]);
}

/** Makes the temporary account. Returns its test key, which exists nowhere else. */
export async function makeTemporaryKey(wrangler: Wrangler, target: Target, now: number): Promise<string> {
  const { key, statements } = temporaryAccount(now);
  await execute(wrangler, target, statements);
  return key;
}

/**
 * Erases the temporary account. Copies of its key's record stay at the edge until they expire, within the hour; by then nobody has
 * the key.
 */
export async function eraseTemporaryAccount(wrangler: Wrangler, target: Target): Promise<void> {
  await execute(wrangler, target, [ERASE]);
}
