import { eq } from "drizzle-orm";
import type { SecondFactorRequest } from "../../../contract/second-factor.ts";
import { passkeys, recoveryCodes, totp } from "../../../schema.ts";
import type { Io } from "../../io.ts";
import { countGuess } from "../../limits/attempts.ts";
import { FACTOR_GUESSES } from "../../limits/table.ts";
import { ApiError, validationFailed } from "../../platform/errors.ts";
import { isoOrNull } from "../../platform/time.ts";
import type { AccountRow } from "../accounts.ts";
import { recordEvent } from "../security-events.ts";
import { beginSession } from "../sessions.ts";
import type { IssuedSession } from "../sessions.ts";
import { issueChallenge, readChallenge, spendChallenge } from "./challenge.ts";
import { requestOptions, spendPasskey } from "./passkeys.ts";
import { countCodes, spendRecoveryCode } from "./recovery-codes.ts";
import { totpAddedAt, spendTotp } from "./totp.ts";

/** The account's authenticator app and recovery codes. */
export async function describeFactors(io: Io, userId: string) {
  const [addedAt, left] = await Promise.all([totpAddedAt(io, userId), countCodes(io, userId)]);
  return { totp_added_at: isoOrNull(addedAt), recovery_codes_left: left };
}

/** @throws ApiError 401 SECOND_FACTOR_REQUIRED with a challenge if the account has a second factor */
export async function requireSecondFactor(io: Io, account: AccountRow): Promise<void> {
  const challenge = await issueChallenge(io, "log-in", account);
  const [addedAt, options] = await Promise.all([
    totpAddedAt(io, account.id),
    requestOptions(io, account.id, challenge),
  ]);
  if (addedAt === null && options === null) return;
  throw new ApiError("SECOND_FACTOR_REQUIRED", {
    secondFactor: { challenge, totp: addedAt !== null, passkey_options: options },
  });
}

/** Normalizes a typed code. Six digits are from the app, anything else is a recovery code. */
function readCode(typed: string): { readonly plain: string; readonly isOfApp: boolean } {
  const plain = typed.replaceAll(/[\s-]/g, "");
  return { plain, isOfApp: /^\d{6}$/.test(plain) };
}

/**
 * Finishes a login. Of many requests with the same code or challenge, one starts a session.
 * @param origin of the page that logs in
 * @throws ApiError 400 VALIDATION_FAILED, CHALLENGE_INVALID, WRONG_CODE or PASSKEY_REFUSED, 403 ACCOUNT_SUSPENDED, 429
 */
export async function finishLogIn(
  io: Io,
  { challenge: token, code, passkey }: SecondFactorRequest,
  origin: string,
): Promise<IssuedSession> {
  if (code === undefined && passkey === undefined) throw validationFailed({ code: "Send a code or a passkey" });
  if (code !== undefined && passkey !== undefined)
    throw validationFailed({ passkey: "Send only one of code and passkey" });
  const challenge = await readChallenge(io, "log-in", token);
  const { account } = challenge;
  const guess = await countGuess(io, FACTOR_GUESSES, account.email);
  const typed = code === undefined ? null : readCode(code);
  const isRecovery = typed?.isOfApp === false;
  let isRight: boolean;
  if (passkey !== undefined) isRight = await spendPasskey(io, account.id, { challenge: token, sent: passkey, origin });
  else if (isRecovery) isRight = await spendRecoveryCode(io, challenge, typed.plain);
  else isRight = await spendTotp(io, account.id, typed!.plain);
  if (!isRight) {
    recordEvent(io, account.id, "second_factor_failed");
    if (passkey !== undefined) throw new ApiError("PASSKEY_REFUSED");
    if (!isRecovery) throw new ApiError("WRONG_CODE");
    throw new ApiError("WRONG_CODE", { message: "This recovery code is wrong or was already used." });
  }
  // A recovery code has already spent the challenge.
  await Promise.all([isRecovery || spendChallenge(io, challenge), guess.wasRight()]);
  return beginSession(io, account);
}

/** Removes every second factor of an account, for an operator who has confirmed the owner's identity. */
export async function resetSecondFactor(io: Io, userId: string): Promise<boolean> {
  const { db } = io;
  const [apps, keys] = await db.batch([
    db.delete(totp).where(eq(totp.userId, userId)).returning({ confirmedAt: totp.confirmedAt }),
    db.delete(passkeys).where(eq(passkeys.userId, userId)).returning({ id: passkeys.id }),
    db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
  ]);
  const had = keys.length > 0 || apps.some(({ confirmedAt }) => confirmedAt !== null);
  if (had) recordEvent(io, userId, "second_factor_reset");
  return had;
}
