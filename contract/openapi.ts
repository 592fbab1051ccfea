import * as v from "valibot";
import { Country } from "./countries.ts";
import { ENDPOINTS } from "./endpoints/index.ts";
import { errorsOf, TAGS } from "./endpoints/endpoint.ts";
import type { Endpoint } from "./endpoints/endpoint.ts";
import { ErrorBody, ERRORS, SANDBOX_ERRORS } from "./errors.ts";
import type { ErrorCode } from "./errors.ts";
import { schemaOf } from "./json-schema.ts";
import type { Json } from "./json-schema.ts";
import { API_VERSION, ORIGIN } from "./origin.ts";
import { SandboxBatchFailure, StreamFailure, VerificationResult, VerifyProblem } from "./verification.ts";

/** Schemas shared by many operations, by their name in the document. */
const COMPONENTS: Record<string, v.GenericSchema> = {
  Country,
  // Not "Error": generated code would shadow the language's own.
  Problem: ErrorBody,
  SandboxBatchFailure,
  StreamFailure,
  VerificationResult,
  VerifyProblem,
};

/** Request bodies, named after the first operation that uses one. */
const REQUESTS: Record<string, v.GenericSchema> = {};
for (const { id, request } of ENDPOINTS) {
  if (request !== undefined && !Object.values(REQUESTS).includes(request.schema)) {
    REQUESTS[`${id[0]!.toUpperCase()}${id.slice(1)}Request`] = request.schema;
  }
}

function componentSchemas(): Record<string, Json> {
  const named = (schemas: Record<string, v.GenericSchema>, use: "request" | "response") =>
    Object.entries(schemas).map(([name, schema]) => {
      const { [name]: _, ...others } = schemas;
      return [name, schemaOf(schema, others, use)] as const;
    });
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

const READ_AS_HEADER = {
  description:
    "For `country: visitor`, the country of numbers in national format (ISO 3166-1 alpha-2). Missing if it's unknown.",
  schema: { type: "string" },
};

/** The headers of a response with this status about its result. */
function resultHeaders({ rate, request, sandbox }: Endpoint, status: number): { [name: string]: Json } {
  const isDemo = rate === "demo lookups by address";
  const verifies = (rate === "requests by account" && request !== undefined) || isDemo;
  const hasResult = status === 200 || (status === 400 && sandbox === true);
  if (!verifies || !hasResult) return {};
  const version = { "Data-Version": { $ref: "#/components/headers/DataVersion" } };
  return isDemo ? { ...version, "Read-As": READ_AS_HEADER } : version;
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
    const mayBeOfSandbox = status === 400 && endpoint.sandbox === true;
    if (mayBeOfSandbox) {
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
      content: {
        "application/json": {
          schema: { $ref: `#/components/schemas/${mayBeOfSandbox ? "VerifyProblem" : "Problem"}` },
          examples,
        },
      },
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

/** Whether programs call an operation: with an API key, or without any credential and from anywhere. */
function isPublic({ credential, tag, sameOrigin }: Endpoint): boolean {
  return credential === "key" || credential === "any" || (tag === "Service" && sameOrigin === undefined);
}

/** The operations that programs call, without those of the dashboard alone. */
export const PUBLIC_ENDPOINTS: readonly Endpoint[] = ENDPOINTS.filter(isPublic);

/**
 * Operations as an OpenAPI 3.1 document, generated from the schemas that validate requests, with the schemas they use.
 * It says that ORIGIN serves it, which the worker replaces. The worker serves openapi.txt and openapi-public.txt, which
 * the test beside this file writes.
 */
export function openApiDocument(endpoints: readonly Endpoint[] = ENDPOINTS): Json {
  const paths: { [path: string]: { [method: string]: Json } } = {};
  for (const endpoint of endpoints) {
    (paths[endpoint.path] ??= {})[endpoint.method] = operation(endpoint);
  }
  const text = JSON.stringify(paths);
  const used = Object.entries(componentSchemas()).filter(([name]) => text.includes(`"#/components/schemas/${name}"`));
  return {
    openapi: "3.1.0",
    info: {
      title: "Checkline API",
      version: API_VERSION,
      description: `Phone number verification: validity, country, carrier, line type, and deliverability indicators.

Any other method on these paths returns a 405 with the same error body, except CORS preflights, and HEAD on GET paths other than \`/api/v1/account/quota\` and \`/api/v1/users/verify\`. \`POST /mcp\` speaks JSON-RPC and isn't listed here; see ${ORIGIN}/docs/mcp.`,
      license: { name: "MIT", identifier: "MIT" },
    },
    externalDocs: { description: "Changes by version.", url: `${ORIGIN}/docs/changelog` },
    servers: [{ url: ORIGIN }],
    tags: Object.entries(TAGS)
      .filter(([tag]) => endpoints.some((endpoint) => endpoint.tag === tag))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: Object.fromEntries(used),
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
          description:
            "Makes retries with the same body count once, for 48 hours. The response is computed again. Ignored with a key for web pages.",
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
