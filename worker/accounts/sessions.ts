import { errors, jwtVerify, SignJWT } from "jose";
import { SESSION_DAYS } from "../../contract/limits.ts";
import type { Secrets } from "../platform/config.ts";

const ISSUER = "checkline";
const AUDIENCE = "checkline-dashboard";
const ALGORITHM = "HS256";

export interface SessionClaims {
  readonly userId: string;
  /** The account's epoch when the session began: a higher one since ends it. */
  readonly epoch: number;
}

export interface IssuedSession {
  readonly token: string;
  /** ISO 8601, UTC. */
  readonly expires_at: string;
}

function signingKey(secret: string): Uint8Array {
  return new TextEncoder().encode(secret);
}

/** Signs a session: a JWT (HS256) with issuer, audience and expiry. `now` in milliseconds since the Unix epoch. */
export async function issueSession(session: SessionClaims, secret: string, now: number): Promise<IssuedSession> {
  const issuedAt = Math.floor(now / 1000);
  const expiresAt = issuedAt + SESSION_DAYS * 86_400;
  const token = await new SignJWT({ epoch: session.epoch })
    .setProtectedHeader({ alg: ALGORITHM, typ: "JWT" })
    .setSubject(session.userId)
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(signingKey(secret));
  return { token, expires_at: new Date(expiresAt * 1000).toISOString() };
}

/** The session in a token; "expired" when it was one, "invalid" when it never was ours. Whether the epoch still holds is not asked. */
export async function readSession(
  token: string,
  { current, retiring }: Secrets,
  now: number,
): Promise<SessionClaims | "expired" | "invalid"> {
  const session = await readSigned(token, current, now);
  return session === "invalid" && retiring !== null ? readSigned(token, retiring, now) : session;
}

async function readSigned(token: string, secret: string, now: number): Promise<SessionClaims | "expired" | "invalid"> {
  try {
    const { payload } = await jwtVerify(token, signingKey(secret), {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ["sub", "exp"],
      currentDate: new Date(now),
    });
    const { sub, epoch } = payload;
    if (typeof sub !== "string" || typeof epoch !== "number") return "invalid";
    return { userId: sub, epoch };
  } catch (error) {
    if (error instanceof errors.JWTExpired) return "expired";
    if (error instanceof errors.JOSEError) return "invalid";
    throw error;
  }
}
