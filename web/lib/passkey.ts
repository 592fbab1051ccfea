import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";

/** Options as the API gives them. */
type Options = Readonly<Record<string, unknown>>;

/** A passkey operation that failed in the browser, with a message for the user. */
export class PasskeyFailure extends Error {
  override readonly name = "PasskeyFailure";
}

/**
 * The meaning of the browser's error. Browsers reveal little, so that pages can't find out which passkeys someone has.
 */
function failureFor(error: unknown): PasskeyFailure {
  const { name, cause } = error as { readonly name?: unknown; readonly cause?: unknown };
  const names = [name, cause instanceof Error ? cause.name : ""];
  if (names.includes("InvalidStateError"))
    return new PasskeyFailure("This device already has a passkey for this account.");
  if (names.includes("SecurityError")) return new PasskeyFailure("Passkeys don’t work at this address.");
  if (names.includes("NotAllowedError")) return new PasskeyFailure("The passkey request was canceled or timed out.");
  return new PasskeyFailure("This browser couldn’t use a passkey.");
}

/**
 * Makes the browser create a passkey.
 * @throws PasskeyFailure
 */
export async function makePasskey(options: Options) {
  try {
    const { startRegistration } = await import("@simplewebauthn/browser");
    const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
    return { ...(await startRegistration({ optionsJSON })) };
  } catch (error) {
    throw failureFor(error);
  }
}

/**
 * Makes the browser prove possession of a passkey.
 * @throws PasskeyFailure
 */
export async function provePasskey(options: Options) {
  try {
    const { startAuthentication } = await import("@simplewebauthn/browser");
    const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
    return { ...(await startAuthentication({ optionsJSON })) };
  } catch (error) {
    throw failureFor(error);
  }
}
