import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { ENDPOINTS } from "./endpoints.ts";
import type { Endpoint } from "./endpoints.ts";
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

function schemaOf(schema: v.GenericSchema, definitions: Record<string, v.GenericSchema>): Json {
  const json = toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode: "input",
    // Upper-casing a country code changes the value, not what may be sent.
    ignoreActions: ["to_upper_case"],
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

const requestIdHeader = { "X-Request-Id": { $ref: "#/components/headers/RequestId" } };

function errorResponses(endpoint: Endpoint): { [status: string]: Json } {
  const responses: { [status: string]: Json } = {};
  for (const [status, codes] of Map.groupBy(endpoint.errors, (code) => ERRORS[code].status)) {
    const examples = Object.fromEntries(codes.map((code) => [code, errorExample(code)]));
    if (status === 400 && endpoint.sandbox) {
      for (const [code, { message }] of Object.entries(SANDBOX_ERRORS)) {
        examples[code] = { summary: `${code} (test keys)`, value: { error: message, code } };
      }
    }
    responses[String(status)] = {
      description: codes.map((code) => ERRORS[code].message).join(" "),
      headers: requestIdHeader,
      content: { "application/json": { schema: { $ref: "#/components/schemas/Error" }, examples } },
    };
  }
  return responses;
}

function operation(endpoint: Endpoint): Json {
  const { request, success } = endpoint;
  return {
    operationId: endpoint.id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.description && { description: endpoint.description }),
    security: endpoint.auth === "api-key" ? [{ apiKey: [] }] : [],
    ...(request && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: schemaOf(request.schema, {}), example: request.example as Json } },
      },
    }),
    responses: {
      [success.status]: {
        description: success.description,
        headers: requestIdHeader,
        content: { "application/json": { schema: schemaOf(success.schema, COMPONENTS) } },
      },
      ...errorResponses(endpoint),
    },
  };
}

/**
 * The API as an OpenAPI 3.1 document, made from the very schemas that check requests.
 * @param origin scheme, host and port the document is served from.
 * @param version of the service.
 */
export function openApiDocument(origin: string, version: string): Json {
  const paths: { [path: string]: { [method: string]: Json } } = {};
  for (const endpoint of ENDPOINTS) {
    (paths[endpoint.path] ??= {})[endpoint.method] = operation(endpoint);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Checkline API",
      version,
      description: "Phone number verification: validity, country, carrier, line type and deliverability indicators.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: origin }],
    tags: [
      { name: "Verification", description: "Calls that take an API key." },
      { name: "Service", description: "About the service itself." },
    ],
    paths,
    components: {
      schemas: componentSchemas(),
      headers: {
        RequestId: { description: "Names this answer in our logs; quote it to support.", schema: { type: "string" } },
      },
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "An API key from the dashboard: `ch_test_…` for the sandbox, `ch_live_…` for live verification.",
        },
      },
    },
  };
}
