import * as v from "valibot";
import { base64url } from "../../platform/base64url.ts";
import { failureText, logLine } from "../../platform/log.ts";

/** What a browser's response must be about. */
export interface Expected {
  /** In base64url. */
  readonly challenge: string;
  /** The origin of the requesting page. */
  readonly origin: string;
}

/** A passkey as it is stored. */
export interface Credential {
  /** In base64url. */
  readonly id: string;
  /** A COSE_Key (RFC 9052), in base64url. */
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** ES256 and RS256, by their COSE numbers. */
export const ALGORITHMS = [-7, -257];

const common = { id: v.string(), rawId: v.string(), type: v.literal("public-key") };
const Registration = v.object({
  ...common,
  response: v.object({
    clientDataJSON: v.string(),
    attestationObject: v.string(),
    transports: v.optional(v.array(v.string()), []),
  }),
});
const Assertion = v.object({
  ...common,
  response: v.object({
    clientDataJSON: v.string(),
    authenticatorData: v.string(),
    signature: v.string(),
    userHandle: v.nullish(v.string()),
  }),
});

/** Imported on first use: it is large, and few isolates need it. */
async function loadLibrary() {
  const [verification, helpers] = await Promise.all([
    import("@simplewebauthn/server"),
    import("@simplewebauthn/server/helpers"),
  ]);
  return { ...verification, ...helpers };
}
type Library = Awaited<ReturnType<typeof loadLibrary>>;

function expectation({ challenge, origin }: Expected) {
  return {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: new URL(origin).hostname,
    // The password comes first: presence is enough.
    requireUserVerification: false,
  };
}

/** What `verify` returns; null if it throws. Whatever else can fail belongs before the call: it's our fault. */
async function unlessRejected<Result>(verify: () => Promise<Result>): Promise<Result | null> {
  try {
    return await verify();
  } catch (error) {
    // The rest of the message may quote the response.
    const message = failureText(error).split(/[,:"']/, 1)[0];
    logLine("info", "passkey_rejected", { error: error instanceof Error ? error.name : null, message });
    return null;
  }
}

/** The library accepts frames in pages of other sites, and some of what isn't a boolean. */
function rejectFrame({ decodeClientDataJSON }: Library, clientDataJSON: string): void {
  const { crossOrigin = false, topOrigin } = decodeClientDataJSON(clientDataJSON);
  if (crossOrigin !== false || topOrigin !== undefined) throw new Error("A frame in another site");
}

/**
 * The attestation object without its attestation: we don't request any, and to verify one, the library would call the
 * addresses in its certificates.
 */
function withoutAttestation({ decodeAttestationObject, isoBase64URL, isoCBOR }: Library, sent: string): string {
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(sent)).get("authData");
  return isoBase64URL.fromBuffer(
    isoCBOR.encode(
      new Map<string, string | Uint8Array | Map<string, string>>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", authData],
      ]),
    ),
  );
}

/** The passkey that a browser has created; null if its response is rejected. */
export async function readRegistration(sent: unknown, expected: Expected): Promise<Credential | null> {
  const library = await loadLibrary();
  const expectations = expectation(expected);
  return unlessRejected(async () => {
    const { response, ...rest } = v.parse(Registration, sent);
    const { clientDataJSON, attestationObject, transports } = response;
    rejectFrame(library, clientDataJSON);
    const { verified, registrationInfo } = await library.verifyRegistrationResponse({
      response: {
        ...rest,
        response: { clientDataJSON, attestationObject: withoutAttestation(library, attestationObject) },
        clientExtensionResults: {},
      },
      ...expectations,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) throw new Error("Not verified");
    const { id, publicKey, counter } = registrationInfo.credential;
    return { id, publicKey: base64url(publicKey), counter, transports };
  });
}

/**
 * The counter of an authenticator that has proved possession of a passkey; null if its response is rejected.
 * @param credential the stored one, with its account's user handle in base64url
 */
export async function readAssertion(
  sent: unknown,
  expected: Expected,
  { id, publicKey, userHandle }: Pick<Credential, "id" | "publicKey"> & { readonly userHandle: string },
): Promise<number | null> {
  const library = await loadLibrary();
  const expectations = expectation(expected);
  const key = library.isoBase64URL.toBuffer(publicKey);
  return unlessRejected(async () => {
    const response = v.parse(Assertion, sent);
    const { userHandle: sentHandle, ...signed } = response.response;
    if (sentHandle && sentHandle !== userHandle) throw new Error("The user handle of another account");
    rejectFrame(library, signed.clientDataJSON);
    const { verified, authenticationInfo } = await library.verifyAuthenticationResponse({
      response: { ...response, response: signed, clientExtensionResults: {} },
      ...expectations,
      // The caller compares the counter with the row as it then is.
      credential: { id, publicKey: key, counter: 0 },
    });
    if (!verified) throw new Error("Wrong signature");
    return authenticationInfo.newCounter;
  });
}
