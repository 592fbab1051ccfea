import fc from "fast-check";
import * as v from "valibot";
import { bodySchema } from "../contract/body.ts";
import type { BodySchema } from "../contract/body.ts";
import type { Endpoint } from "../contract/endpoints/endpoint.ts";
import { ENDPOINTS } from "../contract/endpoints/index.ts";
import { jsonSchemaOf } from "../contract/json-schema.ts";
import { SANDBOX_FAILURES, SANDBOX_SUCCESSES } from "../contract/sandbox.ts";
import type { Senders } from "./random-senders.ts";
import { PASSWORD } from "./factories.ts";

/** A random request to an operation, as an argument of `fetch`. */
export interface RandomRequest {
  /** The operation's id, which finds its declaration in OPERATIONS. */
  readonly operation: string;
  /** Whether the method is the operation's, so its declaration applies. */
  readonly isDeclared: boolean;
  readonly method: string;
  readonly path: string;
  readonly headers: [name: string, value: string][];
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** `POST /mcp`, which the contract doesn't declare: its messages are JSON-RPC. */
export const MCP: Endpoint = {
  id: "mcp",
  method: "post",
  path: "/mcp",
  tag: "Verification",
  summary: "Model Context Protocol",
  credential: "key",
  request: {
    schema: bodySchema({ jsonrpc: v.literal("2.0"), id: v.number(), method: v.string(), params: v.looseObject({}) }),
    example: {},
  },
  rate: "requests by account",
  success: { status: 200, description: "A message." },
  errors: [],
};

/** Everything that random requests are sent to, by id. */
export const OPERATIONS: ReadonlyMap<string, Endpoint> = new Map([...ENDPOINTS, MCP].map((each) => [each.id, each]));

/** The JSON Schema that the contract uses. */
interface JsonSchema {
  readonly type?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Texts that trip up programs, beside the random ones. */
const ODD_TEXTS = [
  "",
  "__proto__",
  "constructor",
  "' OR 1=1 --",
  "../../etc/passwd",
  "\u0000",
  "\uD800",
  "9".repeat(300),
  "1e999",
  "+1 (202) 555-0123 ext. 4;phone-context=+1",
];
const oddText = fc.oneof(fc.constantFrom(...ODD_TEXTS), fc.string({ unit: "binary" }));
const oddValue = fc.oneof(oddText, fc.jsonValue());

const BROKEN_BODIES = ["", "null", "[]", "{", "{}{}", '{"number":NaN}', "\uFEFF{}", "number=1", "[".repeat(9_000)];

const ODD_HEADERS: [name: string, value: string][] = [
  ["Content-Type", "text/plain"],
  ["Content-Type", "application/json; charset=utf-16"],
  ["Content-Encoding", "gzip"],
  ["Accept", "text/csv"],
  ["Accept", ",;,;q=,="],
  ["Idempotency-Key", "again"],
  ["Idempotency-Key", "k".repeat(256)],
  ["Idempotency-Key", "\u00e9"],
  ["Origin", "https://elsewhere.example"],
  ["Origin", "::::"],
  ["Sec-Fetch-Site", "same-origin"],
  ["Sec-Fetch-Site", "cross-site"],
  ["CF-Connecting-IP", "2001:db8::zz%eth0"],
  ["CF-Connecting-IP", "1".repeat(500)],
  ["User-Agent", "x".repeat(2_000)],
  ["X-Forwarded-Proto", "http"],
  ["X-HTTP-Method-Override", "DELETE"],
];

/** Mostly the first, once in `times` the second. */
function mostly<A, B>(usual: fc.Arbitrary<A>, rare: fc.Arbitrary<B>, times = 10): fc.Arbitrary<A | B> {
  return fc.oneof({ weight: times - 1, arbitrary: usual }, { weight: 1, arbitrary: rare });
}

function textOf({ format, pattern, minLength, maxLength = 200 }: JsonSchema): fc.Arbitrary<string> {
  if (format === "email") return fc.emailAddress();
  if (format === "date-time") return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ ...(minLength !== undefined && { minLength }), maxLength: Math.min(maxLength, 300) });
}

/** Values that a schema allows. */
function valueOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(valueOf));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case "integer":
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1e9 });
    case "array":
      return fc.array(valueOf(schema.items!), { minLength: schema.minItems ?? 0, maxLength: schema.maxItems ?? 10 });
    case "object":
      return fc.dictionary(fc.string(), fc.jsonValue());
    case "null":
      return fc.constant(null);
    case "string":
      return schema.const === undefined ? textOf(schema) : fc.constant(schema.const);
    default:
      return fc.jsonValue();
  }
}

/** Values by the names of fields that must refer to something. */
function knownValues({ emails, ids, links }: Senders): Readonly<Record<string, readonly unknown[]>> {
  const numbers = [...SANDBOX_SUCCESSES, ...SANDBOX_FAILURES].map(({ number }) => number);
  return {
    number: numbers,
    email: emails,
    password: [PASSWORD],
    old_password: [PASSWORD],
    token: links,
    key_id: ids,
    method: ["tools/call", "tools/list", "initialize", "ping"],
    params: [
      { name: "verify_number", arguments: { number: numbers[0] } },
      { name: "verify_batch", arguments: { numbers } },
      { name: "explain_reason", arguments: { code: "TOO_SHORT" } },
      { name: "__proto__" },
    ],
  };
}

/** The fields of an object, now and then with an odd value, a missing field, or one too many. */
function fieldsOf(schema: BodySchema, known: ReturnType<typeof knownValues>): fc.Arbitrary<[string, unknown][]> {
  const json = jsonSchemaOf(schema);
  const properties = json["properties"] as Record<string, JsonSchema>;
  const required = (json["required"] ?? []) as string[];
  const fields = Object.entries(properties).map(([name, property]) => {
    const values = known[name];
    const allowed = valueOf(property);
    const good = values === undefined ? allowed : mostly(fc.constantFrom(...values), allowed, 3);
    const field = mostly(good, oddValue, 20).map((value): [string, unknown][] => [[name, value]]);
    return mostly(field, fc.constant([]), required.includes(name) ? 30 : 2);
  });
  const surplus = fc.tuple(oddText, oddValue).map((field): [string, unknown][] => [field]);
  return fc.tuple(...fields, mostly(fc.constant([]), surplus, 20)).map((parts) => parts.flat());
}

/** As text, because `__proto__` and repeated names can't be in an object. */
function jsonOf(fields: readonly [string, unknown][]): string {
  return `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`;
}

function bodyOf({ request, format }: Endpoint, known: ReturnType<typeof knownValues>) {
  if (request === undefined) return fc.constant(undefined);
  const json = fieldsOf(request.schema, known).map(jsonOf);
  const lines = fc.array(json, { minLength: 1, maxLength: 4 }).map((each) => each.join("\n"));
  const broken = fc.oneof(fc.constantFrom(...BROKEN_BODIES), fc.uint8Array(), fc.constant("9".repeat(70_000)));
  return mostly(format === "ndjson" ? lines : json, broken, 15);
}

function pathOf({ path, query }: Endpoint, { ids }: Senders, known: ReturnType<typeof knownValues>) {
  const segment = fc.string({ minLength: 1, unit: "grapheme" }).filter((text) => !/^\.+$/.test(text));
  const id = mostly(fc.constantFrom(...ids), segment, 5);
  const parameters = query === undefined ? fc.constant([]) : fieldsOf(query, known);
  return fc
    .tuple(id, parameters, mostly(fc.constant(""), fc.constantFrom("%zz", "mode=test&mode=live", "a=%E0%A4%A"), 20))
    .map(([value, fields, rest]) => {
      const search = fields.map(([name, field]) => new URLSearchParams([[name, String(field)]]).toString());
      return `${path.replace(/\{\w+\}/, encodeURIComponent(value))}?${[...search, rest].join("&")}`;
    });
}

function credentialOf({ credential }: Endpoint, { keys, sessions, rejected }: Senders) {
  const accepted = { key: keys, session: sessions, any: [...keys, ...sessions], none: rejected }[credential];
  const others = fc.oneof(fc.constantFrom(...keys, ...sessions, ...rejected), fc.constant(undefined));
  return mostly(fc.constantFrom(...accepted), others, 4);
}

function requestTo(endpoint: Endpoint, senders: Senders): fc.Arbitrary<RandomRequest> {
  const known = knownValues(senders);
  const own = endpoint.method.toUpperCase();
  const type = endpoint.format === "ndjson" ? "application/x-ndjson" : "application/json";
  const odd = mostly(fc.constant([]), fc.subarray(ODD_HEADERS, { minLength: 1, maxLength: 2 }), 3);
  return fc
    .record({
      method: mostly(fc.constant(own), fc.constantFrom("GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"), 25),
      path: pathOf(endpoint, senders, known),
      credential: credentialOf(endpoint, senders),
      address: fc.ipV4(),
      odd,
      body: bodyOf(endpoint, known),
    })
    .map(({ method, path, credential, address, odd: others, body }) => {
      const headers = new Map([["CF-Connecting-IP", address]]);
      if (credential !== undefined) headers.set("Authorization", `Bearer ${credential}`);
      if (body !== undefined) headers.set("Content-Type", type);
      if (endpoint.sameOrigin !== undefined) headers.set("Sec-Fetch-Site", "same-origin");
      for (const [name, value] of others) headers.set(name, value);
      const hasBody = body !== undefined && method !== "GET" && method !== "HEAD";
      return {
        operation: endpoint.id,
        isDeclared: method === own,
        method,
        path,
        headers: [...headers],
        ...(hasBody && { body }),
      };
    });
}

/** Requests to every operation: mostly valid, odd in a few places. Most have an accepted credential. */
export function randomRequests(senders: Senders): fc.Arbitrary<RandomRequest> {
  return fc.oneof(...Array.from(OPERATIONS.values(), (endpoint) => requestTo(endpoint, senders)));
}
