import { verifyRegistrationResponse } from "@simplewebauthn/server";
import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import { describe, expect, test } from "vitest";
import { createAuthenticator, KEYS, UNATTESTED } from "../../../test/authenticator.ts";
import { captureLog } from "../../../test/captured-log.ts";
import { readAssertion, readRegistration } from "./webauthn.ts";

const origin = "https://checkline.test";
const challenge = Buffer.from("challenge").toString("base64url");
const expected = { challenge, origin };
const userHandle = Buffer.from("usr_1").toString("base64url");
const log = captureLog("log");

interface Sent {
  readonly id: string;
  readonly rawId: string;
  readonly type: string;
  readonly response: Readonly<Record<string, unknown>>;
}

const json = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const bytes = (text: unknown) => Buffer.from(String(text), "base64url");

/** The same response with other bytes in one of its parts. */
function changed(sent: Sent, part: string, change: (bytes: Buffer) => Uint8Array | void): Sent {
  const data = bytes(sent.response[part]);
  const changedBytes = change(data) ?? data;
  return { ...sent, response: { ...sent.response, [part]: Buffer.from(changedBytes).toString("base64url") } };
}

function withClientData(sent: Sent, more: object): Sent {
  return changed(sent, "clientDataJSON", (data) =>
    Buffer.from(JSON.stringify({ ...(JSON.parse(data.toString()) as object), ...more })),
  );
}

/**
 * Wrong responses, by what is wrong. If that is signed, their signature is wrong too.
 * @param part the one with the authenticator data, which begin at `from`
 */
function wrong(good: Sent, part: string, from: number): Record<string, Sent | object> {
  return {
    empty: {},
    "no response": { ...good, response: null },
    "parts of other types": {
      ...good,
      response: { clientDataJSON: 5, authenticatorData: [], signature: {}, attestationObject: 1 },
    },
    "two ids": { ...good, rawId: "x" },
    "another kind": { ...good, type: "password" },
    "client data that are no JSON": changed(good, "clientDataJSON", () => Buffer.from("{")),
    "client data that are null": changed(good, "clientDataJSON", () => Buffer.from("null")),
    "another challenge": withClientData(good, { challenge: json({}) }),
    "another origin": withClientData(good, { origin: "https://checkl1ne.test" }),
    "another type": withClientData(good, { type: "payment.get" }),
    "a frame of another page": withClientData(good, { crossOrigin: true }),
    "no authenticator data": changed(good, part, () => Buffer.alloc(0)),
    "data that end early": changed(good, part, (data) => data.subarray(0, from + 36)),
    "another site": changed(good, part, (data) => void (data[from]! ^= 1)),
    "nobody present": changed(good, part, (data) => void (data[from + 32]! &= ~1)),
    "backed up, though not eligible": changed(good, part, (data) => void (data[from + 32]! |= 0x10)),
  };
}

/** Where the authenticator data of a test's attestation object begin: after the length of the byte string, too. */
const AUTHENTICATOR_DATA_AT = { ES256: UNATTESTED.length + 2, RS256: UNATTESTED.length + 3 };

describe.each(["ES256", "RS256"] as const)("a passkey with %s", (algorithm) => {
  const authenticator = createAuthenticator({ origin, key: KEYS[algorithm](), counter: 6 });
  const made = authenticator.create(challenge);

  async function register() {
    const credential = await readRegistration(made, expected);
    expect(credential).not.toBeNull();
    return { ...credential!, userHandle };
  }

  test("is registered with its counter, and proves possession", async () => {
    const credential = await register();
    expect(credential).toStrictEqual({
      userHandle,
      id: made.id,
      publicKey: expect.any(String),
      counter: 7,
      transports: ["usb"],
    });
    const proof = authenticator.get(challenge);
    expect(await readAssertion(proof, expected, credential)).toBeGreaterThan(7);
    expect(log.lines).toStrictEqual([]);
  });

  test("is rejected if the registration is about something else", async () => {
    const from = AUTHENTICATOR_DATA_AT[algorithm];
    const more = {
      "no credential": changed(made, "attestationObject", (data) => void (data[from + 32]! &= ~0x40)),
      "data that end before the credential": changed(made, "attestationObject", (data) => data.subarray(0, from + 37)),
      "data that end in the credential": changed(made, "attestationObject", (data) => data.subarray(0, from + 60)),
      "data that are no CBOR": changed(made, "attestationObject", () => Buffer.from("{}")),
      "a key that is none": changed(made, "attestationObject", (data) => void (data[from + 87] = 0)),
      "a proof": authenticator.get(challenge),
    };
    for (const [what, sent] of Object.entries({ ...wrong(made, "attestationObject", from), ...more })) {
      expect(await readRegistration(sent, expected), what).toBeNull();
    }
  });

  test("is rejected if the proof is about something else, signed by another, or unsigned", async () => {
    const credential = await register();
    const other = createAuthenticator({ origin, key: KEYS[algorithm]() });
    const proof = authenticator.get(challenge);
    const { id, rawId } = proof;
    const more = {
      "another's": { ...other.get(challenge), id, rawId },
      "no signature": { ...proof, response: { ...proof.response, signature: "" } },
      "half a signature": changed(proof, "signature", (data) => data.subarray(0, data.length / 2)),
      "a signature with another number": changed(proof, "signature", (data) => void (data[data.length - 1]! ^= 1)),
      "another counter": changed(proof, "authenticatorData", (data) => void (data[36]! += 1)),
      "other client data": changed(proof, "clientDataJSON", (data) => Buffer.from(`${data} `)),
      "a new passkey": made,
    };
    for (const [what, sent] of Object.entries({ ...wrong(proof, "authenticatorData", 0), ...more })) {
      expect(await readAssertion(sent, expected, credential), what).toBeNull();
    }
    expect(await readAssertion(proof, expected, credential)).toBeGreaterThan(7);
  });

  test("is rejected if any bit of what it signs differs", async () => {
    const credential = await register();
    const proof = authenticator.get(challenge);
    for (const part of ["clientDataJSON", "authenticatorData"] as const) {
      const data = bytes(proof.response[part]);
      for (let bit = 0; bit < data.length * 8; bit += 5) {
        const sent = changed(proof, part, (copy) => void (copy[bit >> 3]! ^= 1 << (bit & 7)));
        expect(await readAssertion(sent, expected, credential), `${part} ${bit}`).toBeNull();
      }
    }
  });
});

test("an attestation that the browser sends unasked is not read", async () => {
  const made = createAuthenticator({ origin }).create(challenge);
  // Format "packed", a statement with x5c: [h'00'], "authData".
  const head = Buffer.from("a363666d74667061636b65646761747453746d74a163783563814100686175746844617461", "hex");
  const attested = changed(made, "attestationObject", (data) =>
    Buffer.concat([head, data.subarray(UNATTESTED.length)]),
  );
  expect(await readRegistration(attested, expected)).toStrictEqual(await readRegistration(made, expected));
  const library = verifyRegistrationResponse({
    response: attested as unknown as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: "checkline.test",
    requireUserVerification: false,
  });
  await expect(library).rejects.toThrow();
});
