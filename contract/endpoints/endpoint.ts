import type * as v from "valibot";
import type { BodySchema } from "../body.ts";
import type { ErrorCode } from "../errors.ts";

export const TAGS = {
  Verification: "Calls that use an API key.",
  Accounts: "Registration, login, and passwords. For dashboard accounts only; doesn't use an API key.",
  Dashboard: "Keys, subscription, and usage for a logged-in account. For dashboard accounts only.",
  Service: "The service itself, and the demo on its site.",
} as const;

/** What a session's calls count toward. */
export type SessionRate =
  /** Requests with an API key or from the bulk check, and the numbers in them. */
  | "requests by account"
  /** Calls that read, or that end something whose creation is limited. */
  | "calls by account"
  /** Calls that write: each is also a call. */
  | "changes by account"
  /** Calls that hash a password: each is also a call. */
  | "passwords by account";

/** What calls without a credential count toward. */
export type AddressRate =
  | "passwords by address"
  | "registrations by address"
  | "emails by address"
  | "links by address"
  | "demo lookups by address"
  | "documents by address";

/**
 * Who may call, and what such a call counts toward: the rows of worker/limits/table.ts. `any` accepts an API key or a
 * session. A domain may add a stricter limit of its own, and counts passwords where it checks them.
 */
type Counted =
  | { readonly credential: "key" | "any"; readonly rate: "requests by account" }
  | { readonly credential: "session"; readonly rate: SessionRate }
  | { readonly credential: "none"; readonly rate: AddressRate };

/** One API operation. Mounts the route, validates requests, documents them, and types the site's client. */
export type Endpoint = Operation & Counted;

interface Operation {
  readonly id: string;
  readonly method: "get" | "post" | "patch" | "delete";
  /** With `{id}` for variable parts. */
  readonly path: string;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly description?: string;
  /** Accepts live keys for web pages. */
  readonly pageKeys?: true;
  /**
   * Rejected with `PASSWORD_REQUIRED` when the session's password was given more than `RECENT_PASSWORD_MINUTES` ago. An
   * operation that requires it only for some requests lists that error instead.
   */
  readonly password?: "recent";
  readonly query?: BodySchema;
  /** An optional body may be omitted, with its Content-Type, and counts as an empty object. */
  readonly request?: {
    readonly schema: BodySchema;
    readonly example: unknown;
    readonly optional?: true;
  };
  /** Request and response are any number of JSON lines; the schemas describe one line. */
  readonly format?: "ndjson";
  /** Largest request body in bytes; `MAX_BODY_BYTES` by default. */
  readonly maxBytes?: number;
  /** The error for requests from other sites' pages or from programs. */
  readonly sameOrigin?: ErrorCode;
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    readonly description: string;
    /** Absent for a response without a body. */
    readonly schema?: v.GenericSchema;
    /** An alternative media type of the response. */
    readonly alternative?: { readonly mediaType: string; readonly example: string };
  };
  /** Besides those that every operation may return. */
  readonly errors: readonly ErrorCode[];
  /** Whether a test key may get a sandbox failure instead. */
  readonly sandbox?: boolean;
}

type Declaration = Omit<Operation, "id"> & Counted;

/** Sets each declaration's `operationId` to its key. */
export function endpoints<const Group extends Record<string, Declaration>>(
  group: Group,
): { readonly [Id in keyof Group]: Group[Id] & { readonly id: Id & string } } {
  const named = Object.entries(group).map(([id, declaration]) => [id, { ...declaration, id }]);
  return Object.fromEntries(named) as ReturnType<typeof endpoints<Group>>;
}

type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & PathParameters<Rest>
  : unknown;

type SchemaOf<E extends Endpoint, Part extends "query" | "request"> = Part extends "query"
  ? E extends { readonly query: infer S extends BodySchema }
    ? S
    : never
  : E extends { readonly request: { readonly schema: infer S extends BodySchema } }
    ? S
    : never;

/** A handler's input: path parameters, query, and body in one object, validated and with defaults. */
export type InputOf<E extends Endpoint> = PathParameters<E["path"]> &
  ([SchemaOf<E, "query">] extends [never] ? unknown : v.InferOutput<SchemaOf<E, "query">>) &
  ([SchemaOf<E, "request">] extends [never] ? unknown : v.InferOutput<SchemaOf<E, "request">>);

/** What a client sends: the same, before defaults and conversions. */
export type RequestOf<E extends Endpoint> = PathParameters<E["path"]> &
  ([SchemaOf<E, "query">] extends [never] ? unknown : v.InferInput<SchemaOf<E, "query">>) &
  ([SchemaOf<E, "request">] extends [never] ? unknown : v.InferInput<SchemaOf<E, "request">>);

/** The body of a successful response; undefined if there is none. */
export type OutputOf<E extends Endpoint> = E["success"] extends { readonly schema: infer S extends v.GenericSchema }
  ? v.InferOutput<S>
  : undefined;

export const READING_A_BODY = [
  "INVALID_JSON",
  "VALIDATION_FAILED",
  "REQUEST_TIMEOUT",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
] as const satisfies readonly ErrorCode[];

export const ANY_OPERATION = [
  "RATE_LIMITED",
  "HTTPS_REQUIRED",
  "INTERNAL_ERROR",
  "TEMPORARILY_UNAVAILABLE",
] as const satisfies readonly ErrorCode[];

const SESSION_ERRORS = [
  "UNAUTHENTICATED",
  "SESSION_EXPIRED",
  "ACCOUNT_SUSPENDED",
] as const satisfies readonly ErrorCode[];

/** Every error that an operation may return, except the sandbox's. */
export function errorsOf({ credential, password, errors }: Endpoint): readonly ErrorCode[] {
  const session = credential === "session" || credential === "any" ? SESSION_ERRORS : [];
  const recent = password === "recent" ? (["PASSWORD_REQUIRED"] as const) : [];
  return [...errors, ...session, ...recent, ...ANY_OPERATION];
}
