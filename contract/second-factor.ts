import * as v from "valibot";
import { KeyName } from "./names.ts";
import { bodySchema, described, Integer, Timestamp } from "./body.ts";
import { CHALLENGE_MINUTES, RECOVERY_CODES } from "./limits.ts";

const text = (max: number) =>
  v.pipe(v.string("Must be a string"), v.nonEmpty("Required"), v.maxLength(max, "Too long"));

const challenge = described(
  text(1_000),
  `From the previous response. It works once, for ${CHALLENGE_MINUTES} minutes.`,
);

/** What `navigator.credentials` takes and returns, as JSON. `worker/accounts/second-factor/webauthn.ts` checks what is in it. */
const WebAuthnJson = v.record(v.string(), v.unknown());

const credential = described(
  v.pipe(
    WebAuthnJson,
    v.check(({ id }) => typeof id === "string", "Must be a credential"),
  ),
  "The credential returned by the browser, as JSON.",
);

/** The response to a login that needs a second factor, instead of a session. */
export const SecondFactorChallenge = v.pipe(
  v.object({
    challenge: described(v.string(), `For the second step. It works once, for ${CHALLENGE_MINUTES} minutes.`),
    totp: described(v.boolean(), "Whether an authenticator code is accepted."),
    passkey_options: described(
      v.nullable(WebAuthnJson),
      "PublicKeyCredentialRequestOptionsJSON for the account's passkeys; null if there are none.",
    ),
  }),
  v.description("With SECOND_FACTOR_REQUIRED: the ways to finish the login. A recovery code always works."),
);
export type SecondFactorChallenge = v.InferOutput<typeof SecondFactorChallenge>;

const totpCode = v.pipe(
  v.string("Must be a string"),
  // Before the transformation, for the OpenAPI document.
  v.description("Six digits from the authenticator app. Spaces don't matter."),
  v.transform((typed) => typed.replaceAll(/\s/g, "")),
  v.regex(/^\d{6}$/, "Enter the 6-digit code from your app"),
);

export const SecondFactorRequest = bodySchema({
  challenge,
  code: v.optional(
    described(text(60), "Six digits from the authenticator app, or a recovery code. Spaces and hyphens don't matter."),
  ),
  passkey: v.optional(credential),
});
export type SecondFactorRequest = v.InferOutput<typeof SecondFactorRequest>;

export const ConfirmTotpRequest = bodySchema({ code: totpCode });

export const AddPasskeyRequest = bodySchema({
  challenge,
  name: described(KeyName, "A name to tell it apart."),
  passkey: credential,
});
export type AddPasskeyRequest = v.InferOutput<typeof AddPasskeyRequest>;

export const TotpSecretResponse = v.object({
  secret: described(v.string(), "The secret in base32, to type into an authenticator app."),
  uri: described(v.string(), "The same as an `otpauth:` URI, for a QR code."),
});

const recoveryCodes = v.array(v.string());

/** Only with the first factor; later ones keep the codes. */
const firstRecoveryCodes = described(
  v.nullable(recoveryCodes),
  `${RECOVERY_CODES} recovery codes, shown only once; null if the account already has some.`,
);

export const TotpConfirmedResponse = v.object({ recovery_codes: firstRecoveryCodes });

export const RecoveryCodesResponse = v.object({
  recovery_codes: described(
    recoveryCodes,
    `${RECOVERY_CODES} recovery codes, shown only once. Earlier ones stop working.`,
  ),
});

export const SecondFactorResponse = v.object({
  totp_added_at: described(v.nullable(Timestamp), "When the authenticator app was added (UTC); null if none."),
  recovery_codes_left: described(Integer, "Unused recovery codes."),
});

export const Passkey = v.object({
  id: described(v.string(), "The passkey ID, used to remove it."),
  name: described(v.string(), "Its name."),
  added_at: described(Timestamp, "When it was added (UTC)."),
  last_used_at: described(v.nullable(Timestamp), "When it last logged in (UTC); null if never."),
});
export type Passkey = v.InferOutput<typeof Passkey>;

export const PasskeysResponse = v.object({ passkeys: described(v.array(Passkey), "Oldest first.") });

export const PasskeyOptionsResponse = v.object({
  challenge: described(
    v.string(),
    `For the call that adds the passkey. It works once, for ${CHALLENGE_MINUTES} minutes.`,
  ),
  options: described(WebAuthnJson, "PublicKeyCredentialCreationOptionsJSON for the browser."),
});

export const PasskeyAddedResponse = v.object({
  passkey: described(Passkey, "The new passkey."),
  recovery_codes: firstRecoveryCodes,
});
