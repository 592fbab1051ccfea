import type * as v from "valibot";
import type { BodySchema } from "../body.ts";
import type { ErrorCode } from "../errors.ts";

export const TAGS = {
  Verification: "Calls that take an API key.",
  Accounts: "Registering, signing in and passwords. For dashboard accounts only: no API key is involved.",
  Dashboard: "What a signed-in account manages: keys, subscription, usage. For dashboard accounts only.",
  Service: "About the service itself, and the demo on its site.",
} as const;

/** One operation of the API, as the OpenAPI document and the reference describe it. */
export interface Endpoint {
  readonly id: string;
  readonly method: "get" | "post" | "delete";
  /** With `{id}` for parts that vary. */
  readonly path: string;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly description?: string;
  /** Which credential it takes. */
  readonly auth: "api-key" | "session" | "none";
  readonly query?: BodySchema;
  readonly request?: { readonly schema: BodySchema; readonly example: unknown };
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    readonly description: string;
    /** Absent for an answer without body. */
    readonly schema?: v.GenericSchema;
    /** Another form of the answer, by its media type. */
    readonly alternative?: { readonly mediaType: string; readonly example: string };
  };
  /** Beyond those that every operation may answer with. */
  readonly errors: readonly ErrorCode[];
  /** Whether calls are counted: they take an Idempotency-Key, and their answers tell where the caller's limit stands. */
  readonly metered?: boolean;
  /** Whether answers tell where the limit of the caller's address stands; what is metered tells that of its key. */
  readonly limited?: boolean;
  /** Whether a test key may get a sandbox failure instead. */
  readonly sandbox?: boolean;
}

export const READING_A_BODY = [
  "INVALID_JSON",
  "VALIDATION_FAILED",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
] as const satisfies readonly ErrorCode[];

export const ANY_OPERATION = ["INTERNAL_ERROR", "TEMPORARILY_UNAVAILABLE"] as const satisfies readonly ErrorCode[];
