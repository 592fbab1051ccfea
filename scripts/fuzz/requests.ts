import * as v from "valibot";
import { bodySchema, checkBody } from "../../contract/body.ts";
import type { BodySchema } from "../../contract/body.ts";
import { ENDPOINTS } from "../../contract/endpoints/index.ts";
import type { Endpoint } from "../../contract/endpoints/endpoint.ts";
import { NUMBER_TYPES } from "../../contract/result-values.ts";
import { SANDBOX_FAILURES, SANDBOX_SUCCESSES } from "../../contract/sandbox.ts";
import { PASSWORD } from "../../test/factories.ts";
import type { Expectation } from "./judge.ts";
import * as odd from "./odd.ts";
import type { People } from "./people.ts";
import type { Sending } from "./wire.ts";

/** A request of a run, with its expected response. */
export interface Planned extends Sending, Expectation {}

/** Random choices from a single stream. */
class Dice {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  /** True with probability 1 / `inTimes`. */
  once(inTimes: number): boolean {
    return this.below(inTimes) === 0;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
}

/**
 * `POST /mcp`, which is not an API operation: its messages are JSON-RPC, but errors before a message is read are the
 * API's.
 */
export const MCP: Endpoint = {
  id: "mcp",
  method: "post",
  path: "/mcp",
  tag: "Verification",
  summary: "Model Context Protocol",
  credential: "key",
  rate: "account",
  request: {
    schema: bodySchema({ jsonrpc: v.string(), id: v.number(), method: v.string(), params: v.looseObject({}) }),
    example: { jsonrpc: "2.0", id: 1 },
  },
  success: { status: 200, description: "A message." },
  errors: [],
};

/**
 * Ends its caller's session or account: rarely sent with a valid session, or no one would be left to send anything
 * else.
 */
function isFinal({ id, method, credential }: Endpoint): boolean {
  return credential === "session" && (method === "delete" || id === "logOut" || id === "confirmPassword");
}

const NDJSON = "application/x-ndjson";
const NUMBERS = [...SANDBOX_SUCCESSES, ...SANDBOX_FAILURES].map(({ number }) => number);

function phoneNumber(dice: Dice): string {
  const kind = dice.below(4);
  if (kind === 0) return dice.pick(NUMBERS);
  if (kind === 1) return dice.pick(odd.ODD_TEXTS);
  return (kind === 2 ? "+" : "") + String(dice.below(1e9)) + String(dice.below(1e5));
}

/** A valid value for a field of this name. */
function goodValue(name: string, dice: Dice, people: People): unknown {
  const of = (kind: keyof People) => dice.pick(people[kind]);
  switch (name) {
    case "number":
      return phoneNumber(dice);
    case "numbers":
      return Array.from({ length: 1 + dice.below(dice.once(4) ? 100 : 5) }, () => phoneNumber(dice));
    case "country":
    case "expect_country":
      return dice.pick(["US", "br", "GB", "AC", "ZZ", null]);
    case "accept_types":
      return [dice.pick(NUMBER_TYPES)];
    case "email":
      return dice.once(2) ? of("email") : `new${dice.below(1e9)}@example.com`;
    case "password":
    case "old_password":
      return dice.once(2) ? PASSWORD : "another password of the tests";
    case "new_password":
      return `a new password ${dice.below(1e9)}`;
    case "token":
      return of("link");
    case "mode":
      return dice.pick(["test", "live"]);
    case "days":
      return dice.pick(["1", "30", "366"]);
    case "method":
      return dice.pick(["tools/call", "tools/call", "tools/list", "initialize", "ping", "no/such"]);
    case "params":
      return dice.pick<object>([
        { name: "verify_number", arguments: { number: phoneNumber(dice) } },
        { name: "verify_batch", arguments: { numbers: [phoneNumber(dice), phoneNumber(dice)] } },
        { name: "explain_reason", arguments: { code: "TOO_SHORT" } },
        { name: "__proto__" },
        {},
      ]);
    case "verifier":
      return "0123456789abcdef".repeat(4);
    default:
      return undefined;
  }
}

/** Fields with raw JSON values, so names can repeat and values can be anything. */
type Fields = [name: string, json: string][];

function goodFields(schema: BodySchema, example: unknown, dice: Dice, people: People): Fields {
  const examples = new Map(Object.entries((example ?? {}) as object));
  return Object.entries(schema.entries as Record<string, v.GenericSchema>).flatMap(([name, entry]): Fields => {
    const isOptional = !examples.has(name) && v.safeParse(entry, undefined).success;
    if (isOptional && !dice.once(3)) return [];
    const value = goodValue(name, dice, people) ?? examples.get(name);
    return value === undefined ? [] : [[name, JSON.stringify(value)]];
  });
}

function jsonOf(fields: Fields): string {
  return `{${fields.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join()}}`;
}

function withOddField(fields: Fields, dice: Dice): Fields {
  const value = dice.once(2) ? dice.pick(odd.ODD_JSON) : JSON.stringify(dice.pick(odd.ODD_TEXTS));
  const at = dice.below(fields.length);
  const way = dice.below(4);
  if (way === 0) return [...fields, [dice.pick(odd.ODD_TEXTS), value]];
  if (way === 1) return fields.toSpliced(at, 1);
  return way === 2 && fields.length > 0
    ? [...fields, fields[at]!]
    : fields.map(([name, json], index) => [name, index === at ? value : json]);
}

function isValid(schema: BodySchema, json: string): boolean {
  try {
    return checkBody(schema, JSON.parse(json)).ok;
  } catch {
    return false;
  }
}

/** How rarely to send a valid body whose password gets hashed: a hash costs as much as a hundred other requests. */
const HASHED_ONCE_IN = 120;

/** The runtime hangs up on a sender of more than it buffers if nothing reads the body. */
const MOST_UNREAD_BYTES = 32_000;

function bodyOf(endpoint: Endpoint, dice: Dice, people: People): Buffer | undefined {
  const one = lineOf(endpoint, dice, people);
  if (endpoint.format !== "ndjson" || one === undefined) return one;
  const others = Array.from({ length: dice.below(4) }, () => lineOf(endpoint, dice, people)!);
  return Buffer.concat(
    [one, ...others].flatMap((line) => [line, Buffer.from(dice.pick(["\n", "\n", "\r\n", "\n\n"]))]),
  );
}

/** A body, or one line of a multi-line body. */
function lineOf({ request }: Endpoint, dice: Dice, people: People): Buffer | undefined {
  if (request === undefined) return dice.once(12) ? dice.pick(odd.ODD_BODIES) : undefined;
  const { schema, example } = request;
  if (dice.once(8)) return dice.pick(odd.ODD_BODIES);
  const good = goodFields(schema, example, dice, people);
  const fields = dice.once(3) ? withOddField(good, dice) : good;
  const isHashed = Object.keys(schema.entries).some((name) => name.includes("password"));
  const isSpared = isHashed && isValid(schema, jsonOf(fields)) && !dice.once(HASHED_ONCE_IN);
  const bytes = Buffer.from(jsonOf(isSpared ? [...fields, ["surplus", "1"]] : fields));
  if (!dice.once(10)) return bytes;
  const at = dice.below(bytes.length);
  return dice.once(2)
    ? bytes.subarray(0, at)
    : Buffer.concat([bytes.subarray(0, at), Buffer.from([dice.below(256)]), bytes.subarray(at)]);
}

function credentialOf(endpoint: Endpoint, dice: Dice, people: People): string | undefined {
  const of = (kind: keyof People) => `Bearer ${dice.pick(people[kind])}`;
  const own = {
    key: ["liveKey", "testKey"],
    session: ["session", "spareSession"],
    any: ["liveKey", "session"],
    none: [],
  } as const;
  const isOwn = dice.once(isFinal(endpoint) ? 12 : 2);
  if (isOwn && endpoint.credential !== "none") return of(dice.pick(own[endpoint.credential]));
  const way = dice.below(4);
  if (way === 0) return undefined;
  if (way === 1) return of(dice.pick(["liveKey", "testKey", "revokedKey", "staleSession", "suspendedSession", "link"]));
  if (way === 2) return dice.pick(odd.ODD_CREDENTIALS);
  const real = of(dice.pick(["liveKey", "staleSession", "session"]));
  const at = "Bearer ".length + dice.below(real.length - "Bearer ".length);
  return dice.once(2) ? real.slice(0, at) : real.slice(0, at) + dice.pick(["A", "_", ".", "%"]) + real.slice(at + 1);
}

function queryOf({ query, id }: Endpoint, dice: Dice, people: People): string {
  const good = query === undefined ? [] : goodFields(query, {}, dice, people);
  // A verification link proves the mailbox, whatever else is sent.
  if (id === "verifyEmail" && good.length === 0) good.push(["token", JSON.stringify(goodValue("token", dice, people))]);
  const parts = good.map(([name, json]) => `${name}=${encodeURIComponent(String(JSON.parse(json)))}`);
  if (dice.once(5))
    parts.push(
      `${dice.pick(["mode", "days", "token", "x", "__proto__"])}=${encodeURIComponent(dice.pick(odd.ODD_TEXTS).toWellFormed())}`,
    );
  if (dice.once(12))
    parts.push(
      dice.pick(["%zz", "=", "&&&", "a=%E0%A4%A", "mode=test&mode=test", "mode[]=test", "%6dode=live", "+=+"]),
    );
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

function headersOf(endpoint: Endpoint, dice: Dice, people: People, body: Buffer | undefined): [string, string][] {
  const headers: [string, string][] = [
    ["CF-Connecting-IP", `10.${dice.below(256)}.${dice.below(256)}.${dice.below(256)}`],
  ];
  const credential = credentialOf(endpoint, dice, people);
  if (credential !== undefined) headers.push(["Authorization", credential]);
  if (dice.once(60)) headers.push(["Authorization", "Bearer twice"]);
  if (body !== undefined) headers.push(["Content-Type", endpoint.format === "ndjson" ? NDJSON : "application/json"]);
  if (endpoint.sameOrigin !== undefined && !dice.once(4)) headers.push(["Sec-Fetch-Site", "same-origin"]);
  if (endpoint.rate === "account" && dice.once(4)) headers.push(["Idempotency-Key", `key ${dice.below(3)}`]);
  for (let left = dice.once(3) ? 1 + dice.below(3) : 0; left > 0; left--) {
    const [name, value] = dice.pick(odd.ODD_HEADERS);
    const at = headers.findIndex(([present]) => present === name);
    headers.splice(at < 0 ? headers.length : at, at < 0 || dice.once(4) ? 0 : 1, [name, value]);
  }
  return headers;
}

function asBytes(
  method: string,
  target: string,
  host: string,
  headers: readonly [string, string][],
  body?: Buffer,
): Buffer {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${host}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), body ?? Buffer.alloc(0)]);
}

function inChunks(body: Buffer, dice: Dice, isSound: boolean): Buffer {
  const at = dice.below(body.length);
  const part = (bytes: Buffer, size = bytes.length.toString(16)) =>
    Buffer.concat([Buffer.from(`${size}\r\n`), bytes, Buffer.from("\r\n")]);
  const parts = [body.subarray(0, at), body.subarray(at)]
    .filter((bytes) => bytes.length > 0)
    .map((bytes) => part(bytes));
  if (isSound) return Buffer.concat([...parts, Buffer.from("0\r\n\r\n")]);
  const broken = [
    part(body, dice.pick(["zz", "", "-1", "ffffffffffffffffff", "7fffffff", " 5", "0x5", "5;x=\u0000"])),
    Buffer.from("5\r\nabc"),
    Buffer.from("3\r\nabcdef\r\n"),
    Buffer.from("\r\n\r\n"),
    Buffer.from("0\r\nTrailer: x\r\n"),
  ];
  return Buffer.concat([...parts, dice.pick(broken)]);
}

const RUBBISH = [
  Buffer.from("\r\n\r\n\r\n"),
  Buffer.from("GET /api/v1/health\r\n\r\n"),
  Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]),
  Buffer.from("GET /api/v1/health HTTP/1.1\n\n"),
  Buffer.from("GET /api/v1/health HTTP/1.1\r\nHost: x\r\n folded: y\r\n\r\n"),
  Buffer.from("GET /api/v1/health HTTP/9.9\r\nHost: x\r\n\r\n"),
  Buffer.from("GET /api/v1/health HTTP/1.1\r\n: empty\r\n\r\n"),
  Buffer.from("GET /api/v1/health HTTP/1.1\r\nHost: x\r\nA\u0000b: y\r\n\r\n", "latin1"),
  Buffer.from(`GET /${"a".repeat(200_000)} HTTP/1.1\r\nHost: x\r\n\r\n`),
  Buffer.from(`GET /api/v1/health HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(300_000)}\r\n\r\n`),
  Buffer.from(`GET /api/v1/health HTTP/1.1\r\nHost: x\r\n${"X: y\r\n".repeat(2_000)}\r\n`),
  Buffer.from("GET /api/v1/health HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n"),
];

/**
 * Creates the request of an index: nearly valid and odd in a few places, so every layer gets some. Deterministic for
 * the same random numbers and names.
 */
export function planRequest(random: () => number, people: People, host: string): Planned {
  const dice = new Dice(random);
  const endpoint = dice.pick([...ENDPOINTS, MCP]);
  const segment = () =>
    dice.once(3) ? dice.pick(odd.ODD_SEGMENTS) : dice.pick(people[dice.pick(["liveKeyId", "spareSessionId"] as const)]);
  const path = endpoint.path.replaceAll(/\{\w+\}/g, segment);
  const body = bodyOf(endpoint, dice, people);
  const headers = headersOf(endpoint, dice, people, body);
  const length: [string, string][] = body === undefined ? [] : [["Content-Length", String(body.length)]];
  const target = path + queryOf(endpoint, dice, people);
  const verb = endpoint.method.toUpperCase();
  const base = { endpoint, isHead: false, ends: false };
  const isPlainPath = !endpoint.path.includes("{") && endpoint !== MCP;
  const sound = (): Planned => ({
    ...base,
    isDeclared: isPlainPath,
    replies: 1,
    heads: [false],
    bytes: asBytes(verb, target, host, [...headers, ...length], body),
  });
  /** The server below the worker may reject it, or hang up. */
  const broken = (bytes: Buffer, ends = true): Planned => ({
    ...base,
    isDeclared: false,
    replies: null,
    heads: [false],
    ends,
    bytes,
  });

  // Nobody reads the body of a GET.
  const mostUnread = verb === "GET" ? 0 : MOST_UNREAD_BYTES;
  if (body !== undefined && body.length > mostUnread) return broken(sound().bytes, false);
  switch (dice.below(26)) {
    case 0: {
      const method = dice.pick(odd.ODD_METHODS);
      const isHead = method === "HEAD";
      const bytes = asBytes(method, target, host, [...headers, ...length], body);
      return { ...broken(bytes, false), isHead, heads: [isHead] };
    }
    case 1:
      return broken(asBytes(verb, dice.pick(odd.ODD_TARGETS), host, [...headers, ...length], body), false);
    case 2:
      return broken(asBytes(verb, target, dice.pick(odd.ODD_HOSTS), [...headers, ...length], body), false);
    case 3:
      return broken(
        asBytes(verb, `${path}/${dice.pick(odd.ODD_SEGMENTS)}`, host, [...headers, ...length], body),
        false,
      );
    case 4: {
      const whole = sound().bytes;
      return broken(whole.subarray(0, dice.below(whole.length)));
    }
    case 5: {
      const lie = dice.pick(["0", "1", "9999", "-1", "+5", "0x5", "1e3", "99999999999999999999", "", "5, 5"]);
      return broken(asBytes(verb, target, host, [...headers, ["Content-Length", lie]], body));
    }
    case 6:
      if (body === undefined) return broken(dice.pick(RUBBISH));
      return broken(
        asBytes(verb, target, host, [...headers, ["Transfer-Encoding", "chunked"]], inChunks(body, dice, false)),
      );
    case 7: {
      if (body === undefined) return broken(dice.pick(RUBBISH));
      const chunked = asBytes(
        verb,
        target,
        host,
        [...headers, ["Transfer-Encoding", "chunked"]],
        inChunks(body, dice, true),
      );
      return { ...sound(), bytes: chunked };
    }
    case 8: {
      const coding = dice.pick(["chunked, gzip", "identity", "chunked, chunked", "CHUNKED", "\u000bchunked", "x"]);
      return broken(asBytes(verb, target, host, [...headers, ...length, ["Transfer-Encoding", coding]], body));
    }
    case 9: {
      const one = sound();
      const times = 2 + dice.below(4);
      const heads = Array.from({ length: times }, () => false);
      return { ...one, replies: times, heads, bytes: Buffer.concat(heads.map(() => one.bytes)) };
    }
    default:
      return sound();
  }
}
