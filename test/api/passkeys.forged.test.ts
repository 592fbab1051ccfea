import { getDiffieHellman, randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { passkeys, sessions } from "../../schema.ts";
import { findAccount } from "../../worker/accounts/accounts.ts";
import type { ChallengePurpose } from "../../worker/accounts/second-factor/challenge.ts";
import { issueChallenge } from "../../worker/accounts/second-factor/challenge.ts";
import { createApp } from "../../worker/app.ts";
import { createIsolate } from "../../worker/io.ts";
import type { AuthenticatorOptions, Forged, Member, SigningKey } from "../authenticator.ts";
import { coseKey, createAuthenticator, ellipticKey, keyPart, KEYS, rsaCose, rsaKey } from "../authenticator.ts";
import { createSignedIn } from "../factories.ts";
import type { SignedIn } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { ioOf } from "../io.ts";
import { pathOf, send } from "../requests.ts";
import { TEST_SETTINGS } from "../worker.ts";

const worker = startWorker();
const ORIGIN = "https://checkline.test";

type Credential = ReturnType<ReturnType<typeof createAuthenticator>["create" | "get"]>;
type Sent = Omit<Credential, "response"> & { readonly response: Readonly<Record<string, unknown>> };

let ada: SignedIn;
let eve: SignedIn;

beforeEach(async () => {
  [ada, eve] = await Promise.all([createSignedIn(worker.db), createSignedIn(worker.db)]);
});

const base64url = (data: string | Uint8Array) => Buffer.from(data).toString("base64url");

const authenticatorOf = (options: Partial<AuthenticatorOptions> = {}) =>
  createAuthenticator({ origin: ORIGIN, ...options });

async function challengeFor(purpose: ChallengePurpose, { id } = ada): Promise<string> {
  return issueChallenge(ioOf(worker), purpose, (await findAccount(worker.db, id))!);
}

/** Adds a passkey to an account. Returns the outcome, such as "201" or "400 PASSKEY_REFUSED". */
async function add(challenge: string, passkey: object, { token } = ada): Promise<string> {
  const body = { challenge, name: "Laptop", passkey };
  return outcomeOf(await worker.fetch(pathOf("addPasskey"), send("POST", token, body)));
}

/** Logs in with a passkey, after the password. */
async function logIn(challenge: string, passkey: object): Promise<string> {
  return outcomeOf(await worker.fetch(pathOf("logInWithSecondFactor"), send("POST", null, { challenge, passkey })));
}

async function outcomeOf(response: Response): Promise<string> {
  const { code } = (await response.json()) as { code?: string };
  return code === undefined ? String(response.status) : `${response.status} ${code}`;
}

/** Why the worker has rejected passkeys since the log had this many lines. */
const reasonsSince = (lines: number) =>
  worker
    .logs()
    .slice(lines)
    .map((line) => JSON.parse(line) as { event: string; message: string })
    .flatMap(({ event, message }) => (event === "passkey_rejected" ? message : []));

/** Expects the reason of a refused passkey, or without one the outcome. */
async function expectRefusal(lines: number, outcome: string, expected: string): Promise<void> {
  if (/^\d/.test(expected)) return expect(outcome).toBe(expected);
  expect(outcome).toBe("400 PASSKEY_REFUSED");
  await expect.poll(() => reasonsSince(lines), { timeout: 2_000 }).toStrictEqual([expected]);
}

/** Other spellings of a text in base64url for the same bytes, or for the same with junk ignored. */
const SPELLINGS: Readonly<Record<string, (text: string) => string>> = {
  "with padding": (text) => text.padEnd(Math.ceil(text.length / 4) * 4, "="),
  "in the standard alphabet": (text) => text.replaceAll("-", "+").replaceAll("_", "/"),
  "with a line break": (text) => `${text}\n`,
  "with junk": (text) => `${text.slice(0, 4)}!${text.slice(4)}`,
  "with other last bits": (text) => text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) + 1),
};

/** The same response with one of its texts spelled differently. */
function respelled(sent: Sent, part: string, spell: (text: string) => string): Sent {
  const text = part === "id" ? sent.id : (sent.response[part] as string);
  const spelled = spell(text);
  if (spelled === text) throw new Error(`${part} is spelled the same`);
  return part === "id"
    ? { ...sent, id: spelled, rawId: spelled }
    : { ...sent, response: { ...sent.response, [part]: spelled } };
}

/** Client data of 1 byte more than a multiple of 3, with bytes for which the two alphabets differ. */
const spellable: Forged = {
  client: { more: "?????" },
  clientBytes: (json) => Buffer.concat([json, Buffer.from("   ".slice(0, (4 - (json.length % 3)) % 3))]),
};

/** Client data with these bytes in a text. */
const quoting = (bytes: readonly number[]) => (json: Buffer) =>
  Buffer.concat([json.subarray(0, -1), Buffer.from(',"more":"'), Buffer.from(bytes), Buffer.from('"}')]);

/** What is wrong with the client data or the site of a registration and a login alike, and the library's or our reason. */
function forgedPages(operation: "registration" | "authentication"): [what: string, forged: Forged, expected: string][] {
  const unexpected = (what: string) => `Unexpected ${operation} response ${what}`;
  const type = unexpected("type");
  const [challenge, origin] = [unexpected("challenge "), unexpected("origin ")];
  const frame = "A frame in another site";
  return [
    ["the type of a payment", { client: { type: "payment.get" } }, type],
    ["the type of a signature", { client: { type: "webauthn.sign" } }, type],
    ["no type", { client: { type: undefined } }, type],
    ["another challenge", { client: { challenge: base64url("another") } }, challenge],
    ["no challenge", { client: { challenge: undefined } }, challenge],
    [
      "another challenge after the right one",
      { clientBytes: (json) => Buffer.from(json.toString().replace(/}$/, ',"challenge":"YW5vdGhlcg"}')) },
      challenge,
    ],
    ["an empty challenge", { client: { challenge: "" } }, challenge],
    ...[
      "http://checkline.test",
      "https://checkline.test:8443",
      "https://www.checkline.test",
      "https://test",
      "https://checkline.test.evil.com",
      "https://checkline.test@evil.com",
      "https://checkline.test/",
      "https://checkline.test.",
      "https://CHECKLINE.test",
      "android:apk-key-hash:AAAA",
      "null",
      [ORIGIN],
      undefined,
    ].map((page): [string, Forged, string] => [`the origin ${String(page)}`, { client: { origin: page } }, origin]),
    ...[true, "false", null, 0].map((crossOrigin): [string, Forged, string] => [
      `the crossOrigin ${JSON.stringify(crossOrigin)}`,
      { client: { crossOrigin } },
      frame,
    ]),
    ["a topOrigin", { client: { topOrigin: "https://evil.com" } }, frame],
    ["a topOrigin without crossOrigin", { client: { topOrigin: "https://evil.com", crossOrigin: undefined } }, frame],
    ["our own topOrigin", { client: { topOrigin: ORIGIN } }, frame],
    ["an empty topOrigin", { client: { topOrigin: "" } }, frame],
    ["client data that end in a character", { clientBytes: quoting([0xc3]) }, "Not UTF-8"],
    ["client data with an overlong character", { clientBytes: quoting([0xc0, 0xaf]) }, "Not UTF-8"],
    ["client data with a surrogate", { clientBytes: quoting([0xed, 0xa0, 0x80]) }, "Not UTF-8"],
    ["client data in UTF-16", { clientBytes: (json) => Buffer.from(`\uFEFF${json}`, "utf16le") }, "Not UTF-8"],
    ["the hash of another site", { site: "evil.com" }, "Unexpected RP ID hash"],
    ["the hash of a higher domain", { site: "test" }, "Unexpected RP ID hash"],
    ["the hash of our origin", { site: ORIGIN }, "Unexpected RP ID hash"],
    ["data that end early", { data: (data) => data.subarray(0, 36) }, "Authenticator data was 36 bytes"],
  ];
}

const adaptKey = (key: SigningKey, cose: Uint8Array): SigningKey => ({ ...key, cose });
const es256 = KEYS.ES256();
const [x, y, d] = [keyPart(es256.privateKey, "x"), keyPart(es256.privateKey, "y"), keyPart(es256.privateKey, "d")];
const ec = (...rest: readonly Member[]) => adaptKey(es256, coseKey([1, 2], [3, -7], ...rest));
/** A modulus of whole bytes. No registration needs its factors. */
const modulus = (bits: number) => {
  const bytes = randomBytes(bits / 8);
  bytes[0]! |= 0x80;
  bytes[bytes.length - 1]! |= 1;
  return bytes;
};
const rsa = (...rest: [Uint8Array, Uint8Array?]) => adaptKey(es256, rsaCose(-257, ...rest));
const n = modulus(2048);

const OTHER_ALGORITHM = "Unexpected public key alg ";
const WRONG_KEY = "Malformed key";
const OFF_CURVE = "Invalid EC key; public key coordinates ";
const LEFTOVER = "Leftover bytes detected while parsing authenticator data";
const WEAK_KEY = "Weak RSA key";

const KEYS_REFUSED: [what: string, key: SigningKey, expected: string][] = [
  ["P-384", ellipticKey("P-384", -35, 2), OTHER_ALGORITHM],
  ["P-521", ellipticKey("P-521", -36, 3), OTHER_ALGORITHM],
  ["secp256k1", ellipticKey("secp256k1", -47, 8), OTHER_ALGORITHM],
  ["Ed25519", adaptKey(es256, coseKey([1, 1], [3, -8], [-1, 6], [-2, x])), OTHER_ALGORITHM],
  ["PS256", rsaKey(2048, -37), OTHER_ALGORITHM],
  ["RS384", rsaKey(2048, -258), OTHER_ALGORITHM],
  ["RS1", rsaKey(2048, -65_535), OTHER_ALGORITHM],
  [
    "no algorithm",
    adaptKey(es256, coseKey([1, 2], [-1, 1], [-2, x], [-3, y])),
    "Credential public key was missing numeric alg",
  ],
  ["P-384 as ES256", ellipticKey("P-384", -7, 2), WRONG_KEY],
  ["secp256k1 as ES256", ellipticKey("secp256k1", -7, 8), WRONG_KEY],
  ["RSA as ES256", rsaKey(2048, -7), WRONG_KEY],
  ["P-256 as RS256", ellipticKey("P-256", -257, 1), WRONG_KEY],
  ["a compressed point", ec([-1, 1], [-2, x], [-3, true]), WRONG_KEY],
  ["a short coordinate", ec([-1, 1], [-2, x.subarray(1)], [-3, y]), WRONG_KEY],
  ["a long coordinate", ec([-1, 1], [-2, Buffer.concat([Buffer.alloc(1), x])], [-3, y]), WRONG_KEY],
  ["the private key too", ec([-1, 1], [-2, x], [-3, y], [-4, d]), WRONG_KEY],
  ["another member", ec([-1, 1], [-2, x], [-3, y], [4, 1]), WRONG_KEY],
  ["no y", ec([-1, 1], [-2, x]), WRONG_KEY],
  ["the point at infinity", ec([-1, 1], [-2, Buffer.alloc(32)], [-3, Buffer.alloc(32)]), OFF_CURVE],
  ["a point off the curve", ec([-1, 1], [-2, y], [-3, x]), OFF_CURVE],
  ["a point of secp256k1 as P-256", ellipticKey("secp256k1", -7, 1), OFF_CURVE],
  ["PEM", adaptKey(es256, Buffer.from(es256.privateKey.export({ type: "pkcs8", format: "pem" }))), LEFTOVER],
  ["PKCS #8", adaptKey(es256, es256.privateKey.export({ type: "pkcs8", format: "der" })), LEFTOVER],
  ["nothing", adaptKey(es256, Buffer.alloc(0)), "No data"],
  ["an empty map", adaptKey(es256, coseKey()), "Credential public key was missing numeric alg"],
  ["RSA with 1,024 bits", rsaKey(1024), WEAK_KEY],
  ["RSA with 2,040 bits", rsa(modulus(2040)), WEAK_KEY],
  ["RSA with 2,047 bits", rsa(Buffer.concat([Buffer.from([0x7f]), n.subarray(1)])), WEAK_KEY],
  ["RSA with 4,104 bits", rsa(modulus(4104)), WEAK_KEY],
  ["RSA with 16,384 bits", rsa(modulus(16_384)), WEAK_KEY],
  ["a modulus with a leading zero", rsa(Buffer.concat([Buffer.alloc(1), n])), WEAK_KEY],
  ["a prime modulus", rsa(getDiffieHellman("modp14").getPrime()), WEAK_KEY],
  ["an even modulus", rsa(Buffer.concat([n.subarray(0, -1), Buffer.from([2])])), WEAK_KEY],
  ["e = 1", rsa(n, Buffer.from([1])), WEAK_KEY],
  ["e = 3", rsa(n, Buffer.from([3])), WEAK_KEY],
  ["e = 65,539", rsa(n, Buffer.from([1, 0, 3])), WEAK_KEY],
  ["e with a leading zero", rsa(n, Buffer.from([0, 1, 0, 1])), WEAK_KEY],
];

const BACKED_UP = "Single-device credential indicated that it was backed up";
const TWO_IDS = "Credential ID was not base64url-encoded";
const FOREIGN = "The user handle of another account";
const MALFORMED = "Malformed signature";
const UNSIGNED = "Wrong signature";
const OTHER_ID = { id: base64url("another"), rawId: base64url("another") };

/** What else a registration may get wrong. */
const REGISTRATIONS_REFUSED: [what: string, make: (challenge: string) => Sent, expected: string][] = [
  ...forgedPages("registration").map(([what, forged, expected]): (typeof REGISTRATIONS_REFUSED)[number] => [
    what,
    (challenge) => authenticatorOf().create(challenge, forged),
    expected,
  ]),
  ...KEYS_REFUSED.map(([what, key, expected]): (typeof REGISTRATIONS_REFUSED)[number] => [
    `the key ${what}`,
    (challenge) => authenticatorOf({ key }).create(challenge),
    expected,
  ]),
  ["nobody present", (c) => authenticatorOf().create(c, { flags: 0x40 }), "User presence was required"],
  ["no credential", (c) => authenticatorOf().create(c, { flags: 0x01 }), LEFTOVER],
  ["a backup that isn't eligible", (c) => authenticatorOf().create(c, { flags: 0x51 }), BACKED_UP],
  [
    "more data",
    (c) => authenticatorOf().create(c, { data: (data) => Buffer.concat([data, Buffer.alloc(1)]) }),
    LEFTOVER,
  ],
  ["an empty id", (c) => authenticatorOf({ credentialId: Buffer.alloc(0) }).create(c), "Missing credential ID"],
  [
    "an id of 1,024 bytes",
    (c) => authenticatorOf({ credentialId: randomBytes(1024) }).create(c),
    "Credential ID too long",
  ],
  ["another id than its data", (c) => ({ ...authenticatorOf().create(c), ...OTHER_ID }), "Wrong credential"],
  ["a rawId that isn't its id", (c) => ({ ...authenticatorOf().create(c), rawId: OTHER_ID.rawId }), TWO_IDS],
  ["a login", (c) => authenticatorOf().get(c), "Invalid key"],
  ...Object.entries(SPELLINGS).flatMap(([how, spell]) =>
    ["id", "clientDataJSON", "attestationObject"].map((part): (typeof REGISTRATIONS_REFUSED)[number] => [
      `${part} ${how}`,
      (challenge) => {
        const credentialId = Buffer.concat([Buffer.alloc(30, 0xff), randomBytes(2)]);
        return respelled(authenticatorOf({ credentialId }).create(challenge, spellable), part, spell);
      },
      "Not base64url",
    ]),
  ),
];

describe("a passkey isn't added if its registration has", () => {
  test.each(REGISTRATIONS_REFUSED)("%s", async (_, make, expected) => {
    const [challenge, lines] = [await challengeFor("add-passkey"), worker.logs().length];
    await expectRefusal(lines, await add(challenge, make(base64url(challenge))), expected);
    expect(await worker.db.$count(passkeys, eq(passkeys.userId, ada.id))).toBe(0);
  });
});

/** A new passkey of an account. */
async function addTo(account: SignedIn, options: Partial<AuthenticatorOptions> = {}) {
  const authenticator = authenticatorOf(options);
  const challenge = await challengeFor("add-passkey", account);
  expect(await add(challenge, authenticator.create(base64url(challenge)), account)).toBe("201");
  return authenticator;
}

type Authenticator = Awaited<ReturnType<typeof addTo>>;

/** An ECDSA signature's numbers: 32 bytes each. */
function numbersOf(signature: Buffer): [r: Buffer, s: Buffer] {
  const second = 4 + signature[3]!;
  const number = (bytes: Buffer) => Buffer.concat([Buffer.alloc(32), bytes]).subarray(-32);
  return [number(signature.subarray(4, second)), number(signature.subarray(second + 2))];
}

/** An ECDSA signature of two numbers of up to 33 bytes, in DER. */
function der(...numbers: readonly Uint8Array[]): Buffer {
  const parts = numbers.map((bytes) => Buffer.concat([Buffer.from([2, bytes.length]), bytes]));
  return Buffer.concat([Buffer.from([0x30, parts[0]!.length + parts[1]!.length]), ...parts]);
}

const ORDER = Buffer.from("00ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", "hex");

/** A login with another signature. */
function resigned(sent: Sent, change: (signature: Buffer) => Uint8Array): Sent {
  const signature = change(Buffer.from(sent.response["signature"] as string, "base64url"));
  return { ...sent, response: { ...sent.response, signature: base64url(signature) } };
}

const withHandle = (sent: Sent, userHandle: unknown): Sent => ({ ...sent, response: { ...sent.response, userHandle } });

/** What a login may get wrong: its response to a challenge, from Ada's authenticator. */
const LOGINS_REFUSED: [what: string, make: (challenge: string, own: Authenticator) => Sent, expected: string][] = [
  ...forgedPages("authentication").map(([what, forged, expected]): (typeof LOGINS_REFUSED)[number] => [
    what,
    (challenge, own) => own.get(challenge, forged),
    expected,
  ]),
  ...Object.entries(SPELLINGS).flatMap(([how, spell]) =>
    ["clientDataJSON", "authenticatorData", "signature", "userHandle"].map((part): (typeof LOGINS_REFUSED)[number] => [
      `${part} ${how}`,
      (challenge, own) => {
        for (;;) {
          // Until this signature and this hash have a character that the alphabets don't share.
          const sent = withHandle(own.get(challenge, spellable), "-_-_-w");
          const text = sent.response[part] as string;
          if (text.length % 4 !== 0 && /[-_]/.test(text)) return respelled(sent, part, spell);
        }
      },
      "Not base64url",
    ]),
  ),
  ["nobody present", (c, own) => own.get(c, { flags: 0 }), "User not present during authentication"],
  ["a backup that isn't eligible", (c, own) => own.get(c, { flags: 0x11 }), BACKED_UP],
  ["more data", (c, own) => own.get(c, { data: (data) => Buffer.concat([data, Buffer.alloc(1)]) }), LEFTOVER],
  ["another kind", (c, own) => ({ ...own.get(c), type: "password" }), "Invalid type"],
  ["a rawId that isn't its id", (c, own) => ({ ...own.get(c), rawId: OTHER_ID.rawId }), TWO_IDS],
  ["the user handle of another account", (c, own) => withHandle(own.get(c), base64url("usr_eve")), FOREIGN],
  ["a user handle of another type", (c, own) => withHandle(own.get(c), { length: 0 }), "Invalid type"],
  [
    "another key's signature",
    (c, own) => ({ ...authenticatorOf().get(c), id: own.get(c).id, rawId: own.get(c).id }),
    UNSIGNED,
  ],
  ["no signature", (c, own) => resigned(own.get(c), () => Buffer.alloc(0)), MALFORMED],
  ["r = s = 0", (c, own) => resigned(own.get(c), () => der(Buffer.alloc(1), Buffer.alloc(1))), UNSIGNED],
  ["r = s = n", (c, own) => resigned(own.get(c), () => der(ORDER, ORDER)), UNSIGNED],
  [
    "a signature in IEEE P1363",
    (c, own) => resigned(own.get(c), (bytes) => Buffer.concat(numbersOf(bytes))),
    MALFORMED,
  ],
  [
    "a signature with more bytes",
    (c, own) => resigned(own.get(c), (bytes) => Buffer.concat([bytes, Buffer.alloc(1)])),
    MALFORMED,
  ],
  [
    "a signature with a third number",
    (c, own) =>
      resigned(own.get(c), (bytes) =>
        Buffer.concat([Buffer.from([0x30, bytes[1]! + 3]), bytes.subarray(2), Buffer.from([2, 1, 1])]),
      ),
    MALFORMED,
  ],
];

describe("a login is refused if its passkey has", () => {
  test.each(LOGINS_REFUSED)("%s", async (_, make, expected) => {
    const own = await addTo(ada);
    const [challenge, lines] = [await challengeFor("log-in"), worker.logs().length];
    await expectRefusal(lines, await logIn(challenge, make(base64url(challenge), own)), expected);
    expect(await logIn(challenge, own.get(base64url(challenge)))).toBe("200");
  });
});

/** Ceremonies that contain a forged or repeated step: what the last one returns. */
const CEREMONIES: [what: string, hold: () => Promise<string>, expected: string][] = [
  [
    "a registration with another account's challenge",
    async () => {
      const challenge = await challengeFor("add-passkey", eve);
      return add(challenge, authenticatorOf().create(base64url(challenge)));
    },
    "400 CHALLENGE_INVALID",
  ],
  [
    "a registration with a login's challenge",
    async () => {
      const challenge = await challengeFor("log-in");
      return add(challenge, authenticatorOf().create(base64url(challenge)));
    },
    "400 CHALLENGE_INVALID",
  ],
  [
    "a credential of another account, added again",
    async () => {
      const evil = await addTo(eve);
      const challenge = await challengeFor("add-passkey");
      return add(challenge, evil.create(base64url(challenge)));
    },
    "400 PASSKEY_REFUSED",
  ],
  [
    "another key under the credential id of another account",
    async () => {
      const credentialId = randomBytes(32);
      await addTo(eve, { credentialId });
      const challenge = await challengeFor("add-passkey");
      return add(challenge, authenticatorOf({ credentialId }).create(base64url(challenge)));
    },
    "400 PASSKEY_REFUSED",
  ],
  [
    "a login with a registration's challenge",
    async () => {
      const own = await addTo(ada);
      const challenge = await challengeFor("add-passkey");
      return logIn(challenge, own.get(base64url(challenge)));
    },
    "400 CHALLENGE_INVALID",
  ],
  [
    "a login to another account with one's own credential",
    async () => {
      await addTo(ada);
      const evil = await addTo(eve);
      const challenge = await challengeFor("log-in");
      return logIn(challenge, evil.get(base64url(challenge)));
    },
    "400 PASSKEY_REFUSED",
  ],
  [
    "a response under a new challenge",
    async () => {
      const own = await addTo(ada);
      const [first, next] = [await challengeFor("log-in"), await challengeFor("log-in")];
      const sent = own.get(base64url(first));
      expect(await logIn(first, sent)).toBe("200");
      return logIn(next, sent);
    },
    "Unexpected authentication response challenge ",
  ],
  ...[5, 6, 0].map((counter): (typeof CEREMONIES)[number] => [
    `a counter that goes from 6 to ${counter}`,
    async () => {
      const own = await addTo(ada);
      const [first, next] = [await challengeFor("log-in"), await challengeFor("log-in")];
      expect(await logIn(first, own.get(base64url(first), { counter: 6 }))).toBe("200");
      return logIn(next, own.get(base64url(next), { counter }));
    },
    "400 PASSKEY_REFUSED",
  ]),
];

test.each(CEREMONIES)("refused: %s", async (_, hold, expected) => {
  const lines = worker.logs().length;
  await expectRefusal(lines, await hold(), expected);
});

test("of 16 requests with the same response, one gets a session", async () => {
  const own = await addTo(ada, { counter: null });
  const challenge = await challengeFor("log-in");
  const before = await worker.db.$count(sessions, eq(sessions.userId, ada.id));
  const sent = own.get(base64url(challenge));
  const outcomes = await Promise.all(Array.from({ length: 16 }, () => logIn(challenge, sent)));
  expect(outcomes.filter((outcome) => outcome === "200")).toHaveLength(1);
  expect(await worker.db.$count(sessions, eq(sessions.userId, ada.id))).toBe(before + 1);
});

test("the key that is stored is the one in the authenticator's data, whatever else the browser says", async () => {
  const smuggled = KEYS.ES256();
  const own = authenticatorOf({ key: es256 });
  const challenge = await challengeFor("add-passkey");
  const sent: Sent = own.create(base64url(challenge));
  const more = { publicKey: base64url(smuggled.cose), publicKeyAlgorithm: -7, authenticatorData: base64url("x") };
  expect(await add(challenge, { ...sent, response: { ...sent.response, ...more } })).toBe("201");
  const stored = await worker.db.select().from(passkeys).where(eq(passkeys.userId, ada.id));
  expect(stored).toMatchObject([{ publicKey: base64url(es256.cose) }]);
});

test("a login may carry the account's own user handle, or an empty one", async () => {
  const own = await addTo(ada);
  for (const handle of [base64url(ada.id), "", null]) {
    const challenge = await challengeFor("log-in");
    expect(await logIn(challenge, withHandle(own.get(base64url(challenge)), handle))).toBe("200");
  }
});

/** Logins at an address, with the passkey of a page that also is in the Origin header. */
const PAGES: [environment: string, called: string, page: string, expected: string][] = [
  ["production", ORIGIN, ORIGIN, "200"],
  ["production", "https://evil.com", ORIGIN, "200"],
  ["production", "https://evil.com", "https://evil.com", "400 PASSKEY_REFUSED"],
  ["production", ORIGIN, "https://evil.com", "400 PASSKEY_REFUSED"],
  ["production", "https://localhost:8787", "http://localhost:8787", "400 PASSKEY_REFUSED"],
  ["production", ORIGIN, "http://127.0.0.1:8787", "400 PASSKEY_REFUSED"],
  ["development", "http://localhost:8787", "http://localhost:8787", "200"],
  ["development", "http://127.0.0.1:8788", "http://localhost:8787", "200"],
  ["development", "http://evil.com", "http://evil.com", "400 PASSKEY_REFUSED"],
  ["development", "http://localhost:8787", "http://localhost.evil.com", "400 PASSKEY_REFUSED"],
];

test.each(PAGES)("in %s at %s, a passkey of a page of %s: %s", async (ENVIRONMENT, called, page, expected) => {
  await addTo(ada, { key: es256, credentialId: Buffer.from(ada.id) });
  const app = createApp(createIsolate({ ...TEST_SETTINGS, ...worker.env, ENVIRONMENT }));
  const challenge = await challengeFor("log-in");
  const passkey = authenticatorOf({ key: es256, credentialId: Buffer.from(ada.id), origin: page, counter: 7 }).get(
    base64url(challenge),
  );
  const body = JSON.stringify({ challenge, passkey });
  const headers = {
    Origin: page,
    Host: new URL(called).host,
    "Content-Type": "application/json",
    "Content-Length": String(body.length),
  };
  const request = new Request(new URL(pathOf("logInWithSecondFactor"), called), { method: "POST", headers, body });
  const context = { waitUntil: () => {}, passThroughOnException() {}, props: {} };
  expect(await outcomeOf(await app.fetch(request, {}, context))).toBe(expected);
});
