import { errors, jwtVerify, SignJWT } from "jose";
import type { JWTPayload } from "jose";
import { isBase64url } from "../platform/base64url.ts";
import type { Secrets } from "../platform/config.ts";
import { utf8 } from "../platform/hash.ts";

const ISSUER = "checkline";
const ALGORITHM = "HS256";

/** A token works for one purpose only. */
type Purpose = "dashboard" | "log-in" | "add-passkey";

/** Claims of every token. `exp` in seconds since the Unix epoch. */
interface Claims extends JWTPayload {
  readonly sub: string;
  readonly exp: number;
}

function signingKey(secret: string): Uint8Array {
  return utf8(secret);
}

function audience(purpose: Purpose): string {
  return `checkline-${purpose}`;
}

/** A JWT (HS256) with these claims, issuer and audience. */
export function signJwt(purpose: Purpose, claims: Claims, secret: string): Promise<string> {
  return new SignJWT({ ...claims, iss: ISSUER, aud: audience(purpose) })
    .setProtectedHeader({ alg: ALGORITHM, typ: "JWT" })
    .sign(signingKey(secret));
}

/** `jose` also reads other spellings of the same bytes. */
function isCanonical(token: string): boolean {
  return token.split(".").every(isBase64url);
}

async function verified(purpose: Purpose, token: string, secret: string, now: number) {
  if (!isCanonical(token)) return "invalid";
  try {
    const { payload } = await jwtVerify<Claims>(token, signingKey(secret), {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: audience(purpose),
      requiredClaims: ["sub", "exp"],
      currentDate: new Date(now),
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JWTExpired) return "expired";
    if (error instanceof errors.JOSEError) return "invalid";
    throw error;
  }
}

/** The claims of a token; "expired" for one of ours that has expired, "invalid" for any other. */
export async function readJwt(purpose: Purpose, token: string, { current, retiring }: Secrets, now: number) {
  const claims = await verified(purpose, token, current, now);
  return claims === "invalid" && retiring !== null ? verified(purpose, token, retiring, now) : claims;
}
