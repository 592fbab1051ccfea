import { Buffer, isUtf8 } from "node:buffer";
import { checkPrimeSync } from "node:crypto";
import * as v from "valibot";
import { base64url, isBase64url } from "../../platform/base64url.ts";
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

/** The longest credential id that WebAuthn allows, 1,023 bytes, in base64url. */
const MAX_ID_LENGTH = 1364;

const Base64url = v.pipe(v.string(), v.check(isBase64url, "Not base64url"));
const ClientData = v.pipe(
  Base64url,
  v.check((text) => isUtf8(Buffer.from(text, "base64url")), "Not UTF-8"),
);
const common = {
  id: v.pipe(Base64url, v.maxLength(MAX_ID_LENGTH, "Credential ID too long")),
  rawId: v.string(),
  type: v.literal("public-key"),
};
const Registration = v.object({
  ...common,
  response: v.object({
    clientDataJSON: ClientData,
    attestationObject: Base64url,
    transports: v.optional(v.array(v.string()), []),
  }),
});
const Assertion = v.object({
  ...common,
  response: v.object({
    clientDataJSON: ClientData,
    authenticatorData: Base64url,
    signature: Base64url,
    userHandle: v.nullish(Base64url),
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

/** Bits of an RSA key. Windows makes 2,048; no authenticator makes more than the maximum. */
const RSA_BITS = { min: 2048, max: 4096 };
const RSA_EXPONENT = base64url(new Uint8Array([1, 0, 1]));

const isBytes = (value: unknown): value is Uint8Array<ArrayBuffer> => value instanceof Uint8Array;

/** @throws Error for a key with a known weakness, or larger than any authenticator's */
function requireStrongRsa(n: Uint8Array<ArrayBuffer>, e: Uint8Array): void {
  const bits = n.length * 8;
  const isSized = bits >= RSA_BITS.min && bits <= RSA_BITS.max && n[0]! >= 0x80;
  // An even modulus has no secret factors, nor does a prime.
  const isStrong = isSized && (n.at(-1)! & 1) === 1 && !checkPrimeSync(n) && base64url(e) === RSA_EXPONENT;
  if (!isStrong) throw new Error("Weak RSA key");
}

/** Whether these bytes are two numbers in DER and nothing else. The library ignores what follows them. */
function isEcdsaSignature(bytes: Uint8Array): boolean {
  const second = 4 + bytes[3]!;
  const end = second + 2 + bytes[second + 1]!;
  const areNumbers = bytes[0] === 0x30 && bytes[2] === 2 && bytes[second] === 2;
  return areNumbers && bytes[1] === bytes.length - 2 && end === bytes.length;
}

/**
 * Checks what the library doesn't: that a key has exactly the members that its algorithm requires, is valid, and strong.
 * @param publicKey a COSE_Key
 * @returns its algorithm
 * @throws Error
 */
async function checkKey({ decodeCredentialPublicKey, cose }: Library, publicKey: Uint8Array<ArrayBuffer>) {
  const { COSEKEYS, COSEALG, COSECRV, isCOSEPublicKeyEC2, isCOSEPublicKeyRSA } = cose;
  const key = decodeCredentialPublicKey(publicKey);
  const members = key instanceof Map ? key.size : 0;
  const algorithm = key.get(COSEKEYS.alg);
  if (algorithm === COSEALG.ES256 && isCOSEPublicKeyEC2(key) && members === 5) {
    const [crv, x, y] = [key.get(COSEKEYS.crv), key.get(COSEKEYS.x), key.get(COSEKEYS.y)];
    if (crv !== COSECRV.P256 || !isBytes(x) || x.length !== 32 || !isBytes(y) || y.length !== 32)
      throw new Error("Malformed key");
    // Fails for a point that isn't on the curve.
    const jwk = { kty: "EC", crv: "P-256", x: base64url(x), y: base64url(y) };
    await crypto.subtle.importKey("jwk", jwk, { name: "ECDSA", namedCurve: "P-256" }, false, ["verify"]);
  } else if (algorithm === COSEALG.RS256 && isCOSEPublicKeyRSA(key) && members === 4) {
    const [n, e] = [key.get(COSEKEYS.n), key.get(COSEKEYS.e)];
    if (!isBytes(n) || !isBytes(e)) throw new Error("Malformed key");
    requireStrongRsa(n, e);
  } else throw new Error("Malformed key");
  return algorithm;
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
    if (id !== rest.id) throw new Error("Wrong credential");
    await checkKey(library, publicKey);
    return { id, publicKey: base64url(publicKey), counter, transports };
  });
}

/**
 * The counter of an authenticator that has proved possession of a passkey; null if its response is rejected.
 * @param credential the stored one, with its account's user handle in base64url
 * @throws Error if the stored key can't be read
 */
export async function readAssertion(
  sent: unknown,
  expected: Expected,
  { id, publicKey, userHandle }: Pick<Credential, "id" | "publicKey"> & { readonly userHandle: string },
): Promise<number | null> {
  const library = await loadLibrary();
  const expectations = expectation(expected);
  const key = library.isoBase64URL.toBuffer(publicKey);
  const algorithm = await checkKey(library, key);
  return unlessRejected(async () => {
    const response = v.parse(Assertion, sent);
    if (response.id !== id) throw new Error("Wrong credential");
    const { userHandle: sentHandle, ...signed } = response.response;
    if (sentHandle && sentHandle !== userHandle) throw new Error("The user handle of another account");
    const signature = library.isoBase64URL.toBuffer(signed.signature);
    if (algorithm === library.cose.COSEALG.ES256 && !isEcdsaSignature(signature))
      throw new Error("Malformed signature");
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
