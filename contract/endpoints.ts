import * as v from "valibot";
import type { ErrorCode } from "./errors.ts";
import { BatchRequest, BatchResponse, SandboxResult, VerificationResult, VerifyRequest } from "./verification.ts";

/** One operation of the API, as the OpenAPI document and the reference describe it. */
export interface Endpoint {
  readonly id: string;
  readonly method: "get" | "post" | "delete";
  readonly path: string;
  readonly tag: "Verification" | "Service";
  readonly summary: string;
  readonly description?: string;
  /** Which credential it takes. */
  readonly auth: "api-key" | "none";
  readonly request?: { readonly schema: v.GenericSchema; readonly example: unknown };
  readonly success: { readonly status: 200; readonly description: string; readonly schema: v.GenericSchema };
  readonly errors: readonly ErrorCode[];
  /** Whether a test key may get a sandbox failure instead. */
  readonly sandbox?: true;
}

export const Health = v.object({
  status: v.literal("ok"),
  version: v.pipe(v.string(), v.description("The version of the service.")),
  data: v.object({
    numbering_plans: v.pipe(v.string(), v.description("The libphonenumber release of the numbering plans.")),
    carriers: v.pipe(v.string(), v.description("The libphonenumber release of the carrier table.")),
    locations: v.pipe(v.string(), v.description("The libphonenumber release of the location table.")),
    time_zones: v.pipe(v.string(), v.description("The libphonenumber release of the time zone table.")),
  }),
});
export type Health = v.InferOutput<typeof Health>;

const READING_A_BODY = ["INVALID_JSON", "VALIDATION_FAILED", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const;
const CHECKING_A_KEY = [
  "UNAUTHENTICATED",
  "INVALID_API_KEY",
  "API_KEY_REVOKED",
  "SUBSCRIPTION_INACTIVE",
  "TEMPORARILY_UNAVAILABLE",
] as const;

const verify = {
  method: "post",
  tag: "Verification",
  auth: "api-key",
  request: { schema: VerifyRequest, example: { number: "+5511987654321" } },
  success: {
    status: 200,
    description: "What the numbering plan knows about the number. A number that is not valid is an answer too.",
    schema: v.union([VerificationResult, SandboxResult]),
  },
  errors: [...READING_A_BODY, ...CHECKING_A_KEY, "INTERNAL_ERROR"],
  sandbox: true,
} as const satisfies Partial<Endpoint>;

/** Every operation, in the order of the reference. */
export const ENDPOINTS: readonly Endpoint[] = [
  {
    ...verify,
    id: "verify",
    path: "/api/v1/verify",
    summary: "Verify one number",
    description: "With a test key the sandbox answers; with a live key the numbering plan does.",
  },
  {
    ...verify,
    id: "verifyAlias",
    path: "/verify",
    summary: "Verify one number (alias without base path)",
  },
  {
    ...verify,
    id: "verifyBatch",
    path: "/api/v1/verify/batch",
    summary: "Verify up to 100 numbers",
    description:
      "Results keep the order of the numbers. With a test key, a number that the sandbox refuses has an error and a code instead of a result.",
    request: {
      schema: BatchRequest,
      example: { numbers: ["+5511987654321", "020 7946 0018"], country: "GB" },
    },
    success: { status: 200, description: "One result a number, in order.", schema: BatchResponse },
  },
  {
    id: "health",
    method: "get",
    path: "/api/v1/health",
    tag: "Service",
    auth: "none",
    summary: "Health and versions",
    success: { status: 200, description: "The service is up.", schema: Health },
    errors: ["INTERNAL_ERROR"],
  },
  {
    id: "openapi",
    method: "get",
    path: "/api/v1/openapi.json",
    tag: "Service",
    auth: "none",
    summary: "This document",
    success: { status: 200, description: "An OpenAPI 3.1 document.", schema: v.looseObject({ openapi: v.string() }) },
    errors: ["INTERNAL_ERROR"],
  },
];
