import { Buffer } from "node:buffer";
import { createHash, createPublicKey, verify } from "node:crypto";
import type { KeyObject } from "node:crypto";
import * as v from "valibot";

/**
 * What the server checks of a passkey (W3C Web Authentication Level 3, 7.1 and 7.2). What browsers return is read as their JSON has it
 * (5.2.1.1), so nothing here reads CBOR. Attestation is not asked for: it would tell the make of an authenticator, not who has it.
 */

/** What a response must be about. */
export interface Expected {
  /** In base64url. */
  readonly challenge: string;
  /** Where the page is that asked. */
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

/** EdDSA, ES256 and RS256, by their COSE numbers. Browsers give the public keys of these as SubjectPublicKeyInfo. */
export const ALGORITHMS = [-8, -7, -257];

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

/** What makes a response unacceptable. It has nothing of the response in it. */
export class PasskeyRefusal extends Error {
  override readonly name = "PasskeyRefusal";
}

function refuseUnless(condition: boolean, why: string): asserts condition {
  if (!condition) throw new PasskeyRefusal(why);
}

function parsed<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value);
  refuseUnless(result.success, "Malformed response");
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
    throw new PasskeyRefusal("Malformed client data");
  }
  const data = parsed(ClientData, json);
  refuseUnless(data.type === type, "Another type");
  refuseUnless(data.challenge === challenge, "Another challenge");
  refuseUnless(data.origin === origin, "Another origin");
}

/** The flags and the counter of authenticator data. */
function readAuthenticatorData(data: Buffer, origin: string) {
  refuseUnless(data.length >= MIN_BYTES, "Authenticator data too short");
  refuseUnless(data.subarray(0, FLAGS_AT).equals(sha256(new URL(origin).hostname)), "Another site");
  const flags = data.readUInt8(FLAGS_AT);
  // The password comes first: presence is enough.
  refuseUnless((flags & USER_PRESENT) !== 0, "User not present");
  refuseUnless((flags & BACKED_UP) === 0 || (flags & BACKUP_ELIGIBLE) !== 0, "Backed up, though it cannot be");
  return { flags, counter: data.readUInt32BE(COUNTER_AT) };
}

/** @throws PasskeyRefusal for a key of none of ALGORITHMS */
function openKey(publicKey: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: bytesOf(publicKey), format: "der", type: "spki" });
  } catch {
    throw new PasskeyRefusal("Malformed public key");
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  const isKnown = type === "ed25519" || type === "rsa" || (type === "ec" && details?.namedCurve === "prime256v1");
  refuseUnless(isKnown, "Another algorithm");
  return key;
}

/** The passkey that a browser has made. @throws PasskeyRefusal */
export function readRegistration(sent: unknown, expected: Expected): Credential {
  const { id, response } = parsed(Registration, sent);
  checkClientData(bytesOf(response.clientDataJSON), "webauthn.create", expected);
  const data = bytesOf(response.authenticatorData);
  const { flags, counter } = readAuthenticatorData(data, expected.origin);
  refuseUnless((flags & WITH_CREDENTIAL) !== 0 && data.length > ID_LENGTH_AT + 2, "No credential");
  const idBytes = data.subarray(ID_LENGTH_AT + 2).subarray(0, data.readUInt16BE(ID_LENGTH_AT));
  refuseUnless(id !== "" && idBytes.toString("base64url") === id, "Another credential");
  const { publicKey, transports } = response;
  openKey(publicKey);
  return { id, publicKey, counter, transports };
}

/** A signature may be anything; some runtimes throw on what is none. */
function isSigned(hash: string | null, signed: Buffer, key: KeyObject, signature: Buffer): boolean {
  try {
    return verify(hash, signed, key, signature);
  } catch {
    return false;
  }
}

/** Checks that a browser has proved to have a passkey; returns what its authenticator has counted. @throws PasskeyRefusal */
export function readAssertion(
  sent: unknown,
  expected: Expected,
  { id, publicKey }: Pick<Credential, "id" | "publicKey">,
): number {
  const { id: sentId, response } = parsed(Assertion, sent);
  refuseUnless(sentId === id, "Another credential");
  const clientData = bytesOf(response.clientDataJSON);
  checkClientData(clientData, "webauthn.get", expected);
  const data = bytesOf(response.authenticatorData);
  const { counter } = readAuthenticatorData(data, expected.origin);
  const key = openKey(publicKey);
  const hash = key.asymmetricKeyType === "ed25519" ? null : "sha256";
  const signed = Buffer.concat([data, sha256(clientData)]);
  refuseUnless(isSigned(hash, signed, key, bytesOf(response.signature)), "Wrong signature");
  return counter;
}
