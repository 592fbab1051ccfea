import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** WebAuthn flags: user present; attested credential data included. */
const PRESENT = 0x01;
const WITH_CREDENTIAL = 0x40;

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest();
const base64url = (data: string | Uint8Array) => Buffer.from(data).toString("base64url");

/** The beginning of an attestation object without an attestation: format "none", an empty statement, "authData". */
export const UNATTESTED = Buffer.from("a363666d74646e6f6e656761747453746d74a0686175746844617461", "hex");

/** A CBOR byte string of 24 to 65535 bytes. */
function cborBytes(bytes: Uint8Array): Buffer {
  return Buffer.concat([
    bytes.length < 256 ? Buffer.from([0x58, bytes.length]) : Buffer.from([0x59, bytes.length >> 8, bytes.length & 255]),
    bytes,
  ]);
}

export interface AuthenticatorOptions {
  /** The page's origin. */
  readonly origin: string;
  /** Its counter so far; null for an authenticator without one. */
  readonly counter?: number | null;
  readonly algorithm?: keyof typeof KEYS;
}

const jwkBytes = (key: KeyObject, part: "x" | "y" | "n") =>
  Buffer.from(key.export({ format: "jwk" })[part]!, "base64url");

/** A COSE_Key of these parts: CBOR in hex, or a part of the public key. */
const coseOf =
  (...parts: readonly string[]) =>
  (key: KeyObject) =>
    Buffer.concat(
      parts.map((part) =>
        part === "x" || part === "y" || part === "n" ? jwkBytes(key, part) : Buffer.from(part, "hex"),
      ),
    );

/** Key pairs, and their public keys in COSE (RFC 9053; RSA: RFC 8230), by algorithm. The worker accepts the first two. */
const KEYS = {
  ES256: {
    make: () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
    // kty EC2, alg ES256, crv P-256, x, y.
    cose: coseOf("a5010203262001215820", "x", "225820", "y"),
  },
  RS256: {
    make: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
    // kty RSA, alg RS256, n, e.
    cose: coseOf("a401030339010020590100", "n", "2143010001"),
  },
  ES384: {
    make: () => generateKeyPairSync("ec", { namedCurve: "P-384" }),
    cose: coseOf("a501020338222002215830", "x", "225830", "y"),
  },
  EdDSA: {
    make: () => generateKeyPairSync("ed25519"),
    // kty OKP, alg EdDSA, crv Ed25519, x.
    cose: coseOf("a4010103272006215820", "x"),
  },
  PS256: {
    make: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
    cose: coseOf("a4010303382420590100", "n", "2143010001"),
  },
};

/** An authenticator with one credential, and the browser in front of it. A copy of it counts separately. */
export function createAuthenticator({ origin, counter: start = 0, algorithm = "ES256" }: AuthenticatorOptions) {
  const { privateKey, publicKey } = KEYS[algorithm].make();
  const credentialId = randomBytes(32);
  const id = base64url(credentialId);
  const cose = KEYS[algorithm].cose(publicKey);

  function at(page: string, counted: number | null) {
    let counter = counted;
    function data(flags: number, more: Uint8Array = new Uint8Array()): Buffer {
      if (counter !== null) counter += 1;
      const count = Buffer.alloc(4);
      count.writeUInt32BE(counter ?? 0);
      return Buffer.concat([sha256(new URL(page).hostname), Buffer.from([flags]), count, more]);
    }
    const client = (type: string, challenge: string, crossOrigin = false) =>
      Buffer.from(JSON.stringify({ type, challenge, origin: page, crossOrigin }));
    const credential = (response: Readonly<Record<string, unknown>>) => ({
      id,
      rawId: id,
      type: "public-key",
      clientExtensionResults: {},
      response,
    });

    return {
      /** The result of `navigator.credentials.create()`, as JSON. @param challenge in base64url */
      create(challenge: string) {
        const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, credentialId.length]), credentialId, cose]);
        const attestationObject = Buffer.concat([UNATTESTED, cborBytes(data(PRESENT | WITH_CREDENTIAL, attested))]);
        return credential({
          clientDataJSON: base64url(client("webauthn.create", challenge)),
          attestationObject: base64url(attestationObject),
          transports: ["usb"],
        });
      },
      /** The result of `navigator.credentials.get()`, as JSON. With `wrong`, it signs something that it never should. */
      get(challenge: string, wrong: { type?: string; crossOrigin?: boolean; flags?: number } = {}) {
        const authenticatorData = data(wrong.flags ?? PRESENT);
        const clientData = client(wrong.type ?? "webauthn.get", challenge, wrong.crossOrigin);
        return credential({
          clientDataJSON: base64url(clientData),
          authenticatorData: base64url(authenticatorData),
          signature: base64url(sign("sha256", Buffer.concat([authenticatorData, sha256(clientData)]), privateKey)),
        });
      },
      /** A clone of the credential, which continues the counter from here. */
      copy: () => at(page, counter),
      /** The same credential, used by another page. */
      on: (other: string) => at(other, counter),
    };
  }

  return at(origin, start);
}
