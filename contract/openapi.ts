import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { ENDPOINTS } from "./endpoints/index.ts";
import { ANY_OPERATION, TAGS } from "./endpoints/endpoint.ts";
import type { Endpoint } from "./endpoints/endpoint.ts";
import { ErrorBody, ERRORS, SANDBOX_ERRORS } from "./errors.ts";
import type { ErrorCode } from "./errors.ts";
import { SandboxBatchFailure, SandboxResult, VerificationResult } from "./verification.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Schemas that many operations share, by the name they have in the document. */
const COMPONENTS: Record<string, v.GenericSchema> = {
  Error: ErrorBody,
  SandboxBatchFailure,
  SandboxResult,
  VerificationResult,
};

function schemaOf(
  schema: v.GenericSchema,
  definitions: Record<string, v.GenericSchema>,
  typeMode: "input" | "output" = "input",
): { [key: string]: Json } {
  const json = toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode,
    // These change a value, not what may be sent.
    ignoreActions: ["to_upper_case", "to_lower_case", "trim", "transform", "check", "raw_check"],
    definitions,
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  }) as { [key: string]: Json };
  delete json["$schema"];
  delete json["$defs"];
  return json;
}

function componentSchemas(): Json {
  const named = Object.entries(COMPONENTS).map(([name, schema]) => [name, schemaOf(schema, {})] as const);
  return Object.fromEntries(named);
}

function errorExample(code: ErrorCode): Json {
  const body = { error: ERRORS[code].message, code };
  return { summary: code, value: code === "VALIDATION_FAILED" ? { ...body, fields: { number: "Required" } } : body };
}

const SESSION_ERRORS = [
  "UNAUTHENTICATED",
  "SESSION_EXPIRED",
  "ACCOUNT_SUSPENDED",
] as const satisfies readonly ErrorCode[];

const SECURITY = {
  key: [{ apiKey: [] }],
  session: [{ session: [] }],
  any: [{ apiKey: [] }, { session: [] }],
  none: [],
};

/** What an error answer of this status tells in its headers. */
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
 * Parameters say themselves what they are, and not their schemas. An address is text: the schema is of what its text stands for,
 * the default too.
 */
function queryParameters(query: Endpoint["query"]): Json[] {
  return Object.entries((query?.entries ?? {}) as Record<string, v.GenericSchema>).map(([name, entry]) => {
    const { description, ...schema } = schemaOf(entry, {}, "output");
    const required = entry.type !== "optional";
    if ("default" in schema) schema["default"] = v.parse(entry, undefined) as Json;
    return { name, in: "query", required, ...(description && { description }), schema };
  });
}

/** Answers to a caller whose key has been found: errors tell where its limit stands too. */
const METERED_STATUSES: ReadonlySet<number> = new Set([200, 400, 402, 408, 415, 422, 429]);

/** Answers to a caller whose address has been counted, or was refused instead. */
const LIMITED_STATUSES: ReadonlySet<number> = new Set([200, 429]);

const LIMIT_HEADERS = {
  "RateLimit-Policy": { $ref: "#/components/headers/RateLimitPolicy" },
  RateLimit: { $ref: "#/components/headers/RateLimit" },
};

const METERED_HEADERS = { ...LIMIT_HEADERS, "Server-Timing": { $ref: "#/components/headers/ServerTiming" } };

/** What an answer of this status tells of where the caller stands. */
function standingHeaders({ rate }: Endpoint, status: number): { [name: string]: Json } {
  if (rate === "account" && METERED_STATUSES.has(status)) return METERED_HEADERS;
  return rate === "demo" && LIMITED_STATUSES.has(status) ? LIMIT_HEADERS : {};
}

const requestIdHeader = { "X-Request-Id": { $ref: "#/components/headers/RequestId" } };

function errorResponses(endpoint: Endpoint): { [status: string]: Json } {
  const responses: { [status: string]: Json } = {};
  const session = endpoint.credential === "session" || endpoint.credential === "any" ? SESSION_ERRORS : [];
  const password = endpoint.password === "recent" ? (["PASSWORD_REQUIRED"] as const) : [];
  const all = [...endpoint.errors, ...session, ...password, ...ANY_OPERATION];
  for (const [status, codes] of Map.groupBy(all, (code) => ERRORS[code].status)) {
    const examples = Object.fromEntries(codes.map((code) => [code, errorExample(code)]));
    if (status === 400 && endpoint.sandbox) {
      for (const [code, { message }] of Object.entries(SANDBOX_ERRORS)) {
        examples[code] = { summary: `${code} (test keys)`, value: { error: message, code } };
      }
    }
    responses[String(status)] = {
      description: codes.map((code) => ERRORS[code].message).join(" "),
      headers: { ...requestIdHeader, ...headersOf(status), ...standingHeaders(endpoint, status) },
      content: { "application/json": { schema: { $ref: "#/components/schemas/Error" }, examples } },
    };
  }
  return responses;
}

function successContent({ schema, alternative }: Endpoint["success"]): Json {
  return {
    "application/json": { schema: schemaOf(schema!, COMPONENTS) },
    ...(alternative && { [alternative.mediaType]: { schema: { type: "string" }, example: alternative.example } }),
  };
}

function operation(endpoint: Endpoint): Json {
  const { request, success } = endpoint;
  const parameters = [
    ...pathParameters(endpoint.path),
    ...queryParameters(endpoint.query),
    ...(endpoint.rate === "account" && request ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
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
        content: { "application/json": { schema: schemaOf(request.schema, {}), example: request.example as Json } },
      },
    }),
    responses: {
      [success.status]: {
        description: success.description,
        headers: { ...requestIdHeader, ...standingHeaders(endpoint, success.status) },
        ...(success.schema && { content: successContent(success) }),
      },
      ...errorResponses(endpoint),
    },
  };
}

/** Everything but the address: the same for every request, so it is made once, when it is first asked for. */
let parts: { readonly paths: Json; readonly schemas: Json } | undefined;

function makeParts() {
  const paths: { [path: string]: { [method: string]: Json } } = {};
  for (const endpoint of ENDPOINTS) {
    (paths[endpoint.path] ??= {})[endpoint.method] = operation(endpoint);
  }
  return { paths, schemas: componentSchemas() };
}

/**
 * The API as an OpenAPI 3.1 document, made from the very schemas that check requests.
 * @param origin scheme, host and port the document is served from.
 * @param version of the service.
 */
export function openApiDocument(origin: string, version: string): Json {
  parts ??= makeParts();
  return {
    openapi: "3.1.0",
    info: {
      title: "Checkline API",
      version,
      description: "Phone number verification: validity, country, carrier, line type and deliverability indicators.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: origin }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: parts.paths,
    components: {
      schemas: parts.schemas,
      headers: {
        RateLimitPolicy: {
          description:
            'How many requests, and how many numbers in them, in how many seconds: `"requests";q=60;w=60, "numbers";q=600;w=60`.',
          schema: { type: "string" },
        },
        RateLimit: {
          description:
            'How many of each remain, and the seconds until there are more: `"requests";r=59;t=60, "numbers";r=599;t=60`.',
          schema: { type: "string" },
        },
        ServerTiming: {
          description: 'Where the key was found, and what was waited for: `key;desc="memory", awaited;desc="none"`.',
          schema: { type: "string" },
        },
        Authenticate: { description: "Always `Bearer`.", schema: { type: "string" } },
        RetryAfter: { description: "Seconds to wait before trying again.", schema: { type: "integer" } },
        RequestId: { description: "Names this answer in our logs; quote it to support.", schema: { type: "string" } },
      },
      parameters: {
        IdempotencyKey: {
          name: "Idempotency-Key",
          in: "header",
          required: false,
          description: "Makes a retry with the same body count once, for 48 hours. The answer is computed again.",
          schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
        },
      },
      securitySchemes: {
        session: { type: "http", scheme: "bearer", description: "The token of a dashboard session, from signing in." },
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "An API key from the dashboard: `ch_test_…` for the sandbox, `ch_live_…` for live verification.",
        },
      },
    },
  };
}
