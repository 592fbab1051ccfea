import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** WebAuthn flags: user present; attested credential data included. */
const PRESENT = 0x01;
const WITH_CREDENTIAL = 0x40;

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest();
const base64url = (data: string | Uint8Array) => Buffer.from(data).toString("base64url");

/** The beginning of an attestation object without an attestation: format "none", an empty statement, "authData". */
export const UNATTESTED = Buffer.from("a363666d74646e6f6e656761747453746d74a0686175746844617461", "hex");

/** A CBOR item's type (RFC 8949, 3.1) with its value or length, up to 65535. */
function cborHead(type: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(type << 5) | value]);
  if (value < 256) return Buffer.from([(type << 5) | 24, value]);
  return Buffer.from([(type << 5) | 25, value >> 8, value & 255]);
}

function cbor(value: number | boolean | Uint8Array): Buffer {
  if (typeof value === "boolean") return cborHead(7, value ? 21 : 20);
  if (typeof value === "number") return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
  return Buffer.concat([cborHead(2, value.length), value]);
}

/** A key pair's private key, and its public key as a COSE_Key (RFC 9053; RSA: RFC 8230). */
export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly cose: Uint8Array;
}

/** A member of a COSE_Key. */
export type Member = readonly [label: number, value: number | boolean | Uint8Array];

/** A COSE_Key of these members. */
function coseKey(...members: readonly Member[]): Buffer {
  return Buffer.concat([cborHead(5, members.length), ...members.flat().map(cbor)]);
}

/** A part of a key, by its name in a JWK. */
function keyPart(key: KeyObject, part: "x" | "y" | "n" | "d"): Buffer {
  return Buffer.from(key.export({ format: "jwk" })[part]!, "base64url");
}

/** An elliptic key of a curve of JWK, for an algorithm; `crv` is the curve's COSE number. */
export function ellipticKey(namedCurve: string, algorithm: number, crv: number): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve });
  const [x, y] = [keyPart(publicKey, "x"), keyPart(publicKey, "y")];
  return { privateKey, cose: coseKey([1, 2], [3, algorithm], [-1, crv], [-2, x], [-3, y]) };
}

/** An RSA public key as a COSE_Key. */
function rsaCose(algorithm: number, modulus: Uint8Array, exponent: Uint8Array = Buffer.from([1, 0, 1])) {
  return coseKey([1, 3], [3, algorithm], [-1, modulus], [-2, exponent]);
}

function rsaKey(modulusLength: number, algorithm = -257): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength });
  return { privateKey, cose: rsaCose(algorithm, keyPart(publicKey, "n")) };
}

/** Makes keys of the algorithms that the worker accepts. */
export const KEYS = {
  ES256: () => ellipticKey("P-256", -7, 1),
  RS256: () => rsaKey(2048),
};

export interface AuthenticatorOptions {
  /** The page's origin. */
  readonly origin: string;
  /** Its counter so far; null for an authenticator without one. */
  readonly counter?: number | null;
  readonly key?: SigningKey;
  readonly credentialId?: Uint8Array;
}

/** What an authenticator and its browser may get wrong, before the authenticator signs it. */
export interface Forged {
  /** Members of the client data; undefined removes one. */
  readonly client?: Readonly<Record<string, unknown>>;
  /** Changes the bytes of the client data. */
  readonly clientBytes?: (json: Buffer) => Uint8Array;
  /** The host that is hashed. */
  readonly site?: string;
  readonly flags?: number;
  /** Changes the authenticator data. */
  readonly data?: (data: Buffer) => Uint8Array;
  /** Its counter, for this response only. */
  readonly counter?: number;
}

/** An authenticator with one credential, and the browser in front of it. A copy of it counts separately. */
export function createAuthenticator(options: AuthenticatorOptions) {
  const { origin, counter: start = 0, key = KEYS.ES256(), credentialId = randomBytes(32) } = options;
  const id = base64url(credentialId);

  function at(page: string, counted: number | null) {
    let counter = counted;
    function data({ site = new URL(page).hostname, ...forged }: Forged, flags: number, more = Buffer.alloc(0)) {
      if (counter !== null) counter += 1;
      const count = Buffer.alloc(4);
      count.writeUInt32BE(forged.counter ?? counter ?? 0);
      const bytes = Buffer.concat([sha256(site), Buffer.from([forged.flags ?? flags]), count, more]);
      return Buffer.from(forged.data?.(bytes) ?? bytes);
    }
    function client(type: string, challenge: string, forged: Forged) {
      const json = JSON.stringify({ type, challenge, origin: page, crossOrigin: false, ...forged.client });
      return Buffer.from(forged.clientBytes?.(Buffer.from(json)) ?? json);
    }
    const credential = <Response>(response: Response) => ({
      id,
      rawId: id,
      type: "public-key",
      clientExtensionResults: {},
      response,
    });

    return {
      /** The result of `navigator.credentials.create()`, as JSON. @param challenge in base64url */
      create(challenge: string, forged: Forged = {}) {
        const length = Buffer.from([credentialId.length >> 8, credentialId.length & 255]);
        const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, key.cose]);
        const attestationObject = Buffer.concat([UNATTESTED, cbor(data(forged, PRESENT | WITH_CREDENTIAL, attested))]);
        return credential({
          clientDataJSON: base64url(client("webauthn.create", challenge, forged)),
          attestationObject: base64url(attestationObject),
          transports: ["usb"],
        });
      },
      /** The result of `navigator.credentials.get()`, as JSON. @param challenge in base64url */
      get(challenge: string, forged: Forged = {}) {
        const authenticatorData = data(forged, PRESENT);
        const clientData = client("webauthn.get", challenge, forged);
        const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
        return credential({
          clientDataJSON: base64url(clientData),
          authenticatorData: base64url(authenticatorData),
          signature: base64url(sign("sha256", signed, key.privateKey)),
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
