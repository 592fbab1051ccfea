import {
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createAuthenticator } from "../../../test/authenticator.ts";
import { ALGORITHMS, type Credential, PasskeyRejected, readAssertion, readRegistration } from "./webauthn.ts";

const origin = "https://checkline.test";
const challenge = Buffer.from("challenge").toString("base64url");
const expected = { challenge, origin };
const forLibrary = {
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: "checkline.test",
  requireUserVerification: false,
};

interface Sent {
  readonly id: string;
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

/** Wrong responses, by what is wrong. If that is signed, their signature is wrong too. */
function wrong(good: Sent): Record<string, Sent | object> {
  return {
    empty: {},
    "no response": { ...good, response: null },
    "parts of other types": {
      ...good,
      response: { clientDataJSON: 5, authenticatorData: [], signature: {}, publicKey: 1 },
    },
    "another id": { ...good, id: "x", rawId: "x" },
    "another kind": { ...good, type: "password" },
    "client data that are no JSON": changed(good, "clientDataJSON", () => Buffer.from("{")),
    "client data that are null": changed(good, "clientDataJSON", () => Buffer.from("null")),
    "another challenge": withClientData(good, { challenge: json({}) }),
    "another origin": withClientData(good, { origin: "https://checkl1ne.test" }),
    "another type": withClientData(good, { type: "payment.get" }),
    "no authenticator data": changed(good, "authenticatorData", () => Buffer.alloc(0)),
    "data that end early": changed(good, "authenticatorData", (data) => data.subarray(0, 36)),
    "another site": changed(good, "authenticatorData", (data) => void (data[0]! ^= 1)),
    "nobody present": changed(good, "authenticatorData", (data) => void (data[32]! &= ~1)),
    "backed up, though not eligible": changed(good, "authenticatorData", (data) => void (data[32]! |= 0x10)),
  };
}

describe.each(["ES256", "RS256"] as const)("a passkey with %s", (algorithm) => {
  const authenticator = createAuthenticator({ origin, algorithm, counter: 6 });
  const made = authenticator.create(challenge);
  const credential = readRegistration(made, expected);

  test("is read as another implementation reads it", async () => {
    const response = made as unknown as RegistrationResponseJSON;
    const library = await verifyRegistrationResponse({ response, ...forLibrary, supportedAlgorithmIDs: ALGORITHMS });
    const { id, counter, transports, publicKey } = library.registrationInfo!.credential;
    expect(credential).toStrictEqual({ id, counter, transports, publicKey: expect.any(String) });
    expect(credential.counter).toBe(7);

    const proof = authenticator.get(challenge);
    expect(readAssertion(proof, expected, credential)).toBe(8);
    const libraryCredential = { id, publicKey, counter: 0 };
    const proved = await verifyAuthenticationResponse({
      response: proof as unknown as Parameters<typeof verifyAuthenticationResponse>[0]["response"],
      ...forLibrary,
      credential: libraryCredential,
    });
    expect(proved.verified).toBe(true);
  });

  test("is rejected if the registration is about something else", () => {
    const more = {
      "no credential": changed(made, "authenticatorData", (data) => void (data[32]! &= ~0x40)),
      "data without the credential": changed(made, "authenticatorData", (data) => data.subarray(0, 37)),
      "data that end in the credential": changed(made, "authenticatorData", (data) => data.subarray(0, 60)),
      "a proof": authenticator.get(challenge),
      "a key that is none": changed(made, "publicKey", (data) => data.subarray(1)),
      "a frame of another page": withClientData(made, { crossOrigin: true }),
    };
    for (const [what, sent] of Object.entries({ ...wrong(made), ...more })) {
      expect(() => readRegistration(sent, expected), what).toThrow(PasskeyRejected);
    }
  });

  test("is rejected if the proof is about something else, signed by another, or unsigned", () => {
    const other = createAuthenticator({ origin, algorithm });
    const proof = authenticator.get(challenge);
    const more = {
      "another's": { ...other.get(challenge), id: credential.id },
      "no signature": { ...proof, response: { ...proof.response, signature: "" } },
      "half a signature": changed(proof, "signature", (data) => data.subarray(0, data.length / 2)),
      "a longer signature": changed(proof, "signature", (data) => Buffer.concat([data, Buffer.alloc(1)])),
      "another counter": changed(proof, "authenticatorData", (data) => void (data[36]! += 1)),
      "other client data": changed(proof, "clientDataJSON", (data) => Buffer.from(`${data} `)),
      "a new passkey": made,
    };
    for (const [what, sent] of Object.entries({ ...wrong(proof), ...more })) {
      expect(() => readAssertion(sent, expected, credential), what).toThrow(PasskeyRejected);
    }
    expect(readAssertion(proof, expected, credential)).toBeGreaterThan(8);
  });

  test("is rejected if the authenticator signed something else, as by another implementation", async () => {
    const signed = [
      ["Wrong challenge", authenticator.get(json({}))],
      ["Wrong origin", authenticator.on("https://checkl1ne.test").get(challenge)],
      ["Wrong type", authenticator.get(challenge, { type: "webauthn.create" })],
      ["User not present", authenticator.get(challenge, { flags: 0 })],
      ["Backed up but not eligible", authenticator.get(challenge, { flags: 0x11 })],
    ] as const;
    const registered = await verifyRegistrationResponse({
      response: made as unknown as RegistrationResponseJSON,
      ...forLibrary,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    const { publicKey } = registered.registrationInfo!.credential;
    for (const [message, proof] of signed) {
      expect(() => readAssertion(proof, expected, credential)).toThrow(message);
      const response = proof as unknown as Parameters<typeof verifyAuthenticationResponse>[0]["response"];
      const library = verifyAuthenticationResponse({
        response,
        ...forLibrary,
        credential: { id: credential.id, publicKey, counter: 0 },
      });
      await expect(library, message).rejects.toThrow();
    }
    // The library accepts frames of other sites.
    const framed = authenticator.get(challenge, { crossOrigin: true });
    expect(() => readAssertion(framed, expected, credential)).toThrow("Malformed response");
  });

  test("is rejected if any bit of its proof differs", () => {
    const proof = authenticator.get(challenge);
    for (const part of ["clientDataJSON", "authenticatorData", "signature"] as const) {
      for (let bit = 0; bit < bytes(proof.response[part]).length * 8; bit += 5) {
        const sent = changed(proof, part, (data) => void (data[bit >> 3]! ^= 1 << (bit & 7)));
        expect(() => readAssertion(sent, expected, credential), `${part} ${bit}`).toThrow(PasskeyRejected);
      }
    }
  });
});

test("keys of other algorithms are rejected", () => {
  const made = createAuthenticator({ origin }).create(challenge);
  const keys = [
    generateKeyPairSync("ec", { namedCurve: "P-384" }),
    generateKeyPairSync("ed25519"),
    generateKeyPairSync("ed448"),
    generateKeyPairSync("x25519"),
    generateKeyPairSync("rsa-pss", { modulusLength: 2048 }),
  ];
  for (const { publicKey } of keys) {
    const key = publicKey.export({ format: "der", type: "spki" }).toString("base64url");
    const sent = { ...made, response: { ...made.response, publicKey: key } };
    expect(() => readRegistration(sent, expected)).toThrow(PasskeyRejected);
  }
  const credential: Credential = readRegistration(made, expected);
  expect(credential.transports).toStrictEqual(["usb"]);
});
