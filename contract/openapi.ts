import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { Country } from "./countries.ts";
import { ENDPOINTS } from "./endpoints/index.ts";
import { errorsOf, TAGS } from "./endpoints/endpoint.ts";
import type { Endpoint } from "./endpoints/endpoint.ts";
import { ErrorBody, ERRORS, SANDBOX_ERRORS } from "./errors.ts";
import type { ErrorCode } from "./errors.ts";
import { API_VERSION } from "./origin.ts";
import {
  PageResult,
  SandboxBatchFailure,
  SandboxFailure,
  SandboxResult,
  StreamFailure,
  VerificationResult,
} from "./verification.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Schemas shared by many operations, by their name in the document. */
const COMPONENTS: Record<string, v.GenericSchema> = {
  Country,
  // Not "Error": generated code would shadow the language's own.
  Problem: ErrorBody,
  PageResult,
  SandboxBatchFailure,
  SandboxFailure,
  SandboxResult,
  StreamFailure,
  VerificationResult,
};

/** Request bodies, named after the first operation that uses one. */
const REQUESTS: Record<string, v.GenericSchema> = {};
for (const { id, request } of ENDPOINTS) {
  if (request !== undefined && !Object.values(REQUESTS).includes(request.schema)) {
    REQUESTS[`${id[0]!.toUpperCase()}${id.slice(1)}Request`] = request.schema;
  }
}

/** Flattens a nullable list to three options instead of nested ones. */
function flattened(json: Json): Json {
  if (Array.isArray(json)) return json.map(flattened);
  if (typeof json !== "object" || json === null) return json;
  const entries = Object.entries(json).map(([key, value]) => [key, flattened(value)] as const);
  const { anyOf, ...rest } = Object.fromEntries(entries);
  if (!Array.isArray(anyOf)) return rest;
  const options = (anyOf as { [key: string]: Json }[]).flatMap((option) =>
    Object.keys(option).length === 1 && Array.isArray(option["anyOf"]) ? option["anyOf"] : [option],
  );
  return { anyOf: options, ...rest };
}

/** Enums are open in responses, which may contain values added after the client was generated. */
function schemaOf(
  schema: v.GenericSchema,
  definitions: Record<string, v.GenericSchema>,
  use: "request" | "query" | "response",
): { [key: string]: Json } {
  const json = toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode: use === "query" ? "output" : "input",
    // These change a value, not what may be sent.
    ignoreActions: ["to_upper_case", "to_lower_case", "trim", "transform", "check", "raw_check"],
    definitions,
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
    overrideSchema: ({ valibotSchema, jsonSchema: made }) => {
      if (use === "response" && valibotSchema.type === "picklist") return { anyOf: [made, { type: "string" }] };
      if (made.enum?.every(Number.isInteger)) return { ...made, type: "integer" };
      return made.const === undefined ? null : { ...made, type: typeof made.const as "string" };
    },
  }) as { [key: string]: Json };
  delete json["$schema"];
  delete json["$defs"];
  return flattened(json) as { [key: string]: Json };
}

/** A schema as standalone JSON Schema, describing the input. */
export function jsonSchemaOf(schema: v.GenericSchema): { [key: string]: Json } {
  return schemaOf(schema, {}, "request");
}

/** A schema as standalone JSON Schema, describing a response. */
export function responseSchemaOf(schema: v.GenericSchema): { [key: string]: Json } {
  return schemaOf(schema, {}, "response");
}

function componentSchemas(): Record<string, Json> {
  const named = (schemas: Record<string, v.GenericSchema>, use: "request" | "response") =>
    Object.entries(schemas).map(([name, schema]) => [name, schemaOf(schema, {}, use)] as const);
  return Object.fromEntries([...named(COMPONENTS, "response"), ...named(REQUESTS, "request")].toSorted());
}

function errorExample(code: ErrorCode): Json {
  const body = { error: ERRORS[code].message, code };
  return { summary: code, value: code === "VALIDATION_FAILED" ? { ...body, fields: { number: "Required" } } : body };
}

const SECURITY = {
  key: [{ apiKey: [] }],
  session: [{ session: [] }],
  any: [{ apiKey: [] }, { session: [] }],
  none: [],
};

/** The headers of an error response with this status. */
function headersOf(status: number): { [name: string]: Json } {
  if (status === 401) return { "WWW-Authenticate": { $ref: "#/components/headers/Authenticate" } };
  if (status === 429 || status === 503) return { "Retry-After": { $ref: "#/components/headers/RetryAfter" } };
  return {};
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name: name!,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

/**
 * Descriptions go on parameters, not their schemas. A query is text; the schema, default included, describes the parsed
 * value.
 */
function queryParameters(query: Endpoint["query"]): Json[] {
  return Object.entries((query?.entries ?? {}) as Record<string, v.GenericSchema>).map(([name, entry]) => {
    const { description, ...schema } = schemaOf(entry, {}, "query");
    const required = entry.type !== "optional";
    if ("default" in schema) schema["default"] = v.parse(entry, undefined) as Json;
    return { name, in: "query", required, ...(description && { description }), schema };
  });
}

/** Statuses before the caller's limits were checked. Those of other statuses are reported if they were. */
const UNMETERED_STATUSES: ReadonlySet<number> = new Set([401, 403]);

/** Statuses after the caller's address was counted or rejected. */
const LIMITED_STATUSES: ReadonlySet<number> = new Set([200, 429]);

const LIMIT_HEADERS = {
  "RateLimit-Policy": { $ref: "#/components/headers/RateLimitPolicy" },
  RateLimit: { $ref: "#/components/headers/RateLimit" },
};

const TIMING_HEADER = { "Server-Timing": { $ref: "#/components/headers/ServerTiming" } };

/** The headers of a response with this status about its result. */
function resultHeaders({ rate, request, sandbox }: Endpoint, status: number): { [name: string]: Json } {
  const verifies = (rate === "requests by account" && request !== undefined) || rate === "demo lookups by address";
  const hasResult = status === 200 || (status === 400 && sandbox === true);
  return verifies && hasResult ? { "Data-Version": { $ref: "#/components/headers/DataVersion" } } : {};
}

/** The headers of a response with this status about the caller's key and limits. */
function callerHeaders({ rate }: Endpoint, status: number): { [name: string]: Json } {
  const isLimited = rate.endsWith("by account")
    ? !UNMETERED_STATUSES.has(status)
    : rate === "demo lookups by address" && LIMITED_STATUSES.has(status);
  return { ...(isLimited && LIMIT_HEADERS), ...(rate === "requests by account" && TIMING_HEADER) };
}

const requestIdHeader = { "X-Request-Id": { $ref: "#/components/headers/RequestId" } };

function errorResponses(endpoint: Endpoint): { [status: string]: Json } {
  const responses: { [status: string]: Json } = {};
  for (const [status, codes] of Map.groupBy(errorsOf(endpoint), (code) => ERRORS[code].status)) {
    const examples = Object.fromEntries(codes.map((code) => [code, errorExample(code)]));
    const schemas = [{ $ref: "#/components/schemas/Problem" }];
    if (status === 400 && endpoint.sandbox) {
      schemas.push({ $ref: "#/components/schemas/SandboxFailure" });
      for (const [code, { message }] of Object.entries(SANDBOX_ERRORS)) {
        examples[code] = { summary: `${code} (test keys)`, value: { error: message, code } };
      }
    }
    responses[String(status)] = {
      description: codes.map((code) => ERRORS[code].message).join(" "),
      headers: {
        ...requestIdHeader,
        ...resultHeaders(endpoint, status),
        ...headersOf(status),
        ...callerHeaders(endpoint, status),
      },
      content: { "application/json": { schema: schemas.length > 1 ? { anyOf: schemas } : schemas[0]!, examples } },
    };
  }
  return responses;
}

/** JSON lines: text with a schema for each line. */
function lines(line: Json, example?: unknown): Json {
  const type = "application/x-ndjson";
  const text = example === undefined ? {} : { example: `${JSON.stringify(example)}\n` };
  return { [type]: { schema: { type: "string", contentMediaType: type, contentSchema: line }, ...text } };
}

function successContent({ success: { schema, alternative }, format }: Endpoint): Json {
  if (format === "ndjson") return lines(schemaOf(schema!, COMPONENTS, "response"));
  return {
    "application/json": { schema: schemaOf(schema!, COMPONENTS, "response") },
    ...(alternative && { [alternative.mediaType]: { schema: { type: "string" }, example: alternative.example } }),
  };
}

function operation(endpoint: Endpoint): Json {
  const { request, success } = endpoint;
  const parameters = [
    ...pathParameters(endpoint.path),
    ...queryParameters(endpoint.query),
    ...(endpoint.rate === "requests by account" && request && endpoint.format === undefined
      ? [{ $ref: "#/components/parameters/IdempotencyKey" }]
      : []),
  ];
  return {
    operationId: endpoint.id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.description && { description: endpoint.description }),
    security: SECURITY[endpoint.credential],
    ...(parameters.length > 0 && { parameters }),
    ...(request && {
      requestBody: {
        required: request.optional !== true,
        content:
          endpoint.format === "ndjson"
            ? lines(schemaOf(request.schema, REQUESTS, "request"), request.example)
            : {
                "application/json": {
                  schema: schemaOf(request.schema, REQUESTS, "request"),
                  example: request.example as Json,
                },
              },
      },
    }),
    responses: {
      [success.status]: {
        description: success.description,
        headers: {
          ...requestIdHeader,
          ...resultHeaders(endpoint, success.status),
          ...callerHeaders(endpoint, success.status),
        },
        ...(success.schema && { content: successContent(endpoint) }),
      },
      ...errorResponses(endpoint),
    },
  };
}

/** What a document is made of, except the origin. */
export interface OpenApiParts {
  readonly paths: Readonly<Record<string, { readonly [method: string]: Json }>>;
  readonly schemas: Readonly<Record<string, Json>>;
}

/** Everything except the origin. It takes half a second the first time, and is the same for every request. */
export function openApiParts(): OpenApiParts {
  const paths: { [path: string]: { [method: string]: Json } } = {};
  for (const endpoint of ENDPOINTS) {
    (paths[endpoint.path] ??= {})[endpoint.method] = operation(endpoint);
  }
  return { paths, schemas: componentSchemas() };
}

/** Whether programs call an operation: with an API key, or without any credential and from anywhere. */
function isPublic({ credential, tag, sameOrigin }: Endpoint): boolean {
  return credential === "key" || credential === "any" || (tag === "Service" && sameOrigin === undefined);
}

/** Only the operations that programs call, with the schemas they use. */
export function publicParts({ paths, schemas }: OpenApiParts): OpenApiParts {
  const known = new Set(ENDPOINTS.filter(isPublic).map(({ path }) => path));
  const kept = Object.fromEntries(Object.entries(paths).filter(([path]) => known.has(path)));
  const text = JSON.stringify(kept);
  const used = Object.entries(schemas).filter(([name]) => text.includes(`"#/components/schemas/${name}"`));
  return { paths: kept, schemas: Object.fromEntries(used) };
}

/**
 * The API as an OpenAPI 3.1 document, generated from the schemas that validate requests.
 * @param origin scheme, host, and port that serve the document.
 */
export function openApiDocument(origin: string, { paths, schemas } = openApiParts()): Json {
  return {
    openapi: "3.1.0",
    info: {
      title: "Checkline API",
      version: API_VERSION,
      description: `Phone number verification: validity, country, carrier, line type, and deliverability indicators.

Any other method on these paths returns a 405 with the same error body, except CORS preflights, and HEAD on GET paths other than \`/api/v1/account/quota\` and \`/api/v1/users/verify\`. \`POST /mcp\` speaks JSON-RPC and isn't listed here; see ${origin}/docs/mcp.`,
      license: { name: "MIT", identifier: "MIT" },
    },
    externalDocs: { description: "Changes by version.", url: `${origin}/docs/changelog` },
    servers: [{ url: origin }],
    tags: Object.entries(TAGS)
      .filter(([tag]) => JSON.stringify(paths).includes(`"tags":["${tag}"]`))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas,
      headers: {
        RateLimitPolicy: {
          description:
            'The request and number limits, and their window in seconds: `"requests";q=60;w=60, "numbers";q=600;w=60`.',
          schema: { type: "string" },
        },
        RateLimit: {
          description:
            'How many of each remain, and the seconds until more are available: `"requests";r=59;t=60, "numbers";r=599;t=60`.',
          schema: { type: "string" },
        },
        ServerTiming: {
          description:
            'Where the key was found, unless in memory: `key;desc="kv"`, `"d1"`, or `"stale"` (an unconfirmed copy in memory). `ledger;dur=12`: the call waited 12 ms to be counted.',
          schema: { type: "string" },
        },
        DataVersion: {
          description:
            "The version of the data behind a result, such as `9.0.43+3f9c1a`: the numbering plans' release, and the first digits of a digest of all tables. On a 400, only a sandbox failure has it.",
          schema: { type: "string" },
        },
        Authenticate: { description: "Always `Bearer`.", schema: { type: "string" } },
        RetryAfter: { description: "Seconds to wait before retrying.", schema: { type: "integer" } },
        RequestId: {
          description: "Identifies this response in our logs. Include it when you contact support.",
          schema: { type: "string" },
        },
      },
      parameters: {
        IdempotencyKey: {
          name: "Idempotency-Key",
          in: "header",
          required: false,
          description: "Makes retries with the same body count once, for 48 hours. The response is computed again.",
          schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
        },
      },
      securitySchemes: {
        session: { type: "http", scheme: "bearer", description: "A dashboard session token, from logging in." },
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "An API key from the dashboard: `ch_test_…` for the sandbox, `ch_live_…` for live verification.",
        },
      },
    },
  };
}
