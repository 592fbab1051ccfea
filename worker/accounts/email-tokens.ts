import { Buffer } from "node:buffer";
import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { emailTokens } from "../../schema.ts";
import type { Secrets } from "../platform/config.ts";
import { mac, sha256Hex } from "../platform/hash.ts";
import type { Database } from "../platform/db.ts";

/**
 * The token of a row of email_tokens: 32 bytes, as 43 characters of base64url. It is derived and not stored, so that a message that
 * is delivered again sends the same token, and neither queue nor database ever holds one.
 */
export function tokenFor(secret: string, tokenId: string): string {
  return Buffer.from(mac(secret, tokenId)).toString("base64url");
}

/** SHA-256 of a token in hex: the form in which the database knows it. */
export function hashToken(token: string): string {
  return sha256Hex(token);
}

/**
 * Makes the token of a row usable and returns it; null when the row is gone, used or expired, so that there is nothing to send.
 * Doing it again changes nothing and returns the same token, also when the secret is being replaced in between.
 */
export async function activateToken(
  db: Database,
  input: {
    readonly id: string;
    readonly secrets: Secrets;
    /** Milliseconds since the Unix epoch. */
    readonly now: number;
  },
): Promise<string | null> {
  const { id, secrets, now } = input;
  const { current, retiring } = secrets;
  const token = tokenFor(current, id);
  const earlier = retiring === null ? token : tokenFor(retiring, id);
  const [activated] = await db
    .update(emailTokens)
    // A mail with the earlier token may have arrived: the next one must not make its link useless.
    .set({ hash: sql`case when hash = ${hashToken(earlier)} then hash else ${hashToken(token)} end` })
    .where(and(eq(emailTokens.id, id), isNull(emailTokens.usedAt), gt(emailTokens.expiresAt, now)))
    .returning({ hash: emailTokens.hash });
  if (activated === undefined) return null;
  return activated.hash === hashToken(earlier) ? earlier : token;
}
