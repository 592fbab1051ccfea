import { Buffer } from "node:buffer";
import { createHash, createPublicKey, verify } from "node:crypto";
import type { KeyObject } from "node:crypto";
import * as v from "valibot";

/**
 * The server's checks of a passkey (W3C Web Authentication Level 3, 7.1 and 7.2), on the JSON that browsers return (5.2.1.1), so nothing
 * here parses CBOR. We don't request attestation: it identifies the model, not the owner.
 */

/** What a response must be about. */
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
  /** SubjectPublicKeyInfo in DER, in base64url. */
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** ES256 and RS256, by their COSE numbers. Not EdDSA: Safari returns public keys as SubjectPublicKeyInfo for ES256 only. */
export const ALGORITHMS = [-7, -257];

const common = { id: v.string(), type: v.literal("public-key") };
const Registration = v.object({
  ...common,
  response: v.object({
    clientDataJSON: v.string(),
    authenticatorData: v.string(),
    publicKey: v.string(),
    transports: v.optional(v.array(v.string()), []),
  }),
});
const Assertion = v.object({
  ...common,
  response: v.object({ clientDataJSON: v.string(), authenticatorData: v.string(), signature: v.string() }),
});
const ClientData = v.object({
  type: v.string(),
  challenge: v.string(),
  origin: v.string(),
  crossOrigin: v.optional(v.literal(false)),
});

const USER_PRESENT = 0x01;
const BACKUP_ELIGIBLE = 0x08;
const BACKED_UP = 0x10;
const WITH_CREDENTIAL = 0x40;

/** Where authenticator data has the flags, the counter, and the length of a credential's id with the id after it. */
const FLAGS_AT = 32;
const COUNTER_AT = 33;
const ID_LENGTH_AT = 53;
const MIN_BYTES = 37;
const MAX_ID_BYTES = 1023;

/** Why a response was rejected. It contains no part of the response. */
export class PasskeyRejected extends Error {
  override readonly name = "PasskeyRejected";
}

function rejectUnless(condition: boolean, why: string): asserts condition {
  if (!condition) throw new PasskeyRejected(why);
}

function parsed<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value);
  rejectUnless(result.success, "Malformed response");
  return result.output;
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, "base64url");
}

function sha256(data: string | Buffer): Buffer {
  return createHash("sha256").update(data).digest();
}

function checkClientData(bytes: Buffer, type: "webauthn.create" | "webauthn.get", { challenge, origin }: Expected) {
  let json: unknown;
  try {
    json = JSON.parse(bytes.toString());
  } catch {
    throw new PasskeyRejected("Malformed client data");
  }
  const data = parsed(ClientData, json);
  rejectUnless(data.type === type, "Wrong type");
  rejectUnless(data.challenge === challenge, "Wrong challenge");
  rejectUnless(data.origin === origin, "Wrong origin");
}

/** The flags and the counter of authenticator data. */
function readAuthenticatorData(data: Buffer, origin: string) {
  rejectUnless(data.length >= MIN_BYTES, "Authenticator data too short");
  rejectUnless(data.subarray(0, FLAGS_AT).equals(sha256(new URL(origin).hostname)), "Wrong site");
  const flags = data.readUInt8(FLAGS_AT);
  // The password comes first: presence is enough.
  rejectUnless((flags & USER_PRESENT) !== 0, "User not present");
  rejectUnless((flags & BACKED_UP) === 0 || (flags & BACKUP_ELIGIBLE) !== 0, "Backed up but not eligible");
  return { flags, counter: data.readUInt32BE(COUNTER_AT) };
}

/** @throws PasskeyRejected for a key that is not for one of ALGORITHMS */
function openKey(publicKey: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: bytesOf(publicKey), format: "der", type: "spki" });
  } catch {
    throw new PasskeyRejected("Malformed public key");
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  const isKnown = type === "rsa" || (type === "ec" && details?.namedCurve === "prime256v1");
  rejectUnless(isKnown, "Unsupported algorithm");
  return key;
}

/** The passkey that a browser has created. @throws PasskeyRejected */
export function readRegistration(sent: unknown, expected: Expected): Credential {
  const { id, response } = parsed(Registration, sent);
  checkClientData(bytesOf(response.clientDataJSON), "webauthn.create", expected);
  const data = bytesOf(response.authenticatorData);
  const { flags, counter } = readAuthenticatorData(data, expected.origin);
  rejectUnless((flags & WITH_CREDENTIAL) !== 0 && data.length > ID_LENGTH_AT + 2, "No credential");
  const idLength = data.readUInt16BE(ID_LENGTH_AT);
  const idBytes = data.subarray(ID_LENGTH_AT + 2).subarray(0, idLength);
  const isWhole = idLength > 0 && idLength <= MAX_ID_BYTES && idBytes.length === idLength;
  rejectUnless(isWhole && idBytes.toString("base64url") === id, "Wrong credential");
  // Exported again: the text sent may contain more than the key.
  const publicKey = openKey(response.publicKey).export({ format: "der", type: "spki" }).toString("base64url");
  return { id, publicKey, counter, transports: response.transports };
}

/** Some runtimes throw on a malformed signature. */
function isSigned(signed: Buffer, key: KeyObject, signature: Buffer): boolean {
  try {
    return verify("sha256", signed, key, signature);
  } catch {
    return false;
  }
}

/** Verifies proof of possession of a passkey; returns its authenticator's counter. @throws PasskeyRejected */
export function readAssertion(
  sent: unknown,
  expected: Expected,
  { id, publicKey }: Pick<Credential, "id" | "publicKey">,
): number {
  const { id: sentId, response } = parsed(Assertion, sent);
  rejectUnless(sentId === id, "Wrong credential");
  const clientData = bytesOf(response.clientDataJSON);
  checkClientData(clientData, "webauthn.get", expected);
  const data = bytesOf(response.authenticatorData);
  const { counter } = readAuthenticatorData(data, expected.origin);
  const key = openKey(publicKey);
  const signed = Buffer.concat([data, sha256(clientData)]);
  rejectUnless(isSigned(signed, key, bytesOf(response.signature)), "Wrong signature");
  return counter;
}
