/** One case of the conformance suite: the SDK's call, the responses it gets, and the expected outcome. */
export interface Case {
  readonly id: string;
  /** What the case shows, as a sentence about the SDK. */
  readonly title: string;
  readonly client?: ClientOptions;
  readonly call: Call;
  /**
   * The responses to play back, one per request; "worker" for the real worker's; or "echo" for a result per number of a
   * list or stream.
   */
  readonly played: readonly Played[] | "worker" | "echo";
  /** For a list: the chunk from which everything is rejected, from 0. */
  readonly reject_from?: number;
  /** The most connections that may be opened. */
  readonly connections?: number;
  /** What the hook gets for each response, in order. The last one is also the result's. */
  readonly responses?: readonly ResponseTold[];
  readonly outcome: Outcome;
  /** The stand-in's key unless the case is about another. */
  readonly key?: string;
}

/** Anything left out is the SDK's default. */
export interface ClientOptions {
  /** Longest time for one attempt, in milliseconds. */
  readonly timeout_ms?: number;
  readonly max_retries?: number;
  /** Longest time for a call, with its retries, in milliseconds. */
  readonly deadline_ms?: number;
  /** Longest wait that the service may ask for, in milliseconds. */
  readonly max_wait_ms?: number;
  /**
   * The base URL's ending, after the service's address. "unreachable": nothing listens there. A full address is used
   * unchanged.
   */
  readonly base_url?: "/" | "/api/v1" | "/api/v1/" | "unreachable" | `http${"" | "s"}://${string}`;
}

/** What an SDK reports about a response, including successes. */
export interface ResponseTold {
  readonly status: number;
  readonly request_id: string | null;
  /** The version of the data behind the result. */
  readonly data_version: string | null;
  /** The attempt number within its call, starting at 1. */
  readonly attempt: number;
  readonly rate_limits: Readonly<Record<string, { readonly remaining: number; readonly reset_seconds: number }>>;
}

/** Which numbers the caller accepts. */
export interface Conditions {
  readonly expect_country?: string;
  readonly accept_types?: readonly string[];
  readonly accept_line_types?: readonly string[];
  readonly reject_unallocated?: true;
}

export type Call =
  | { readonly method: "quota"; readonly idempotency_key?: undefined }
  | ({
      readonly method: "verify" | "lookup";
      readonly number: string;
      readonly country?: string;
      readonly idempotency_key?: string;
    } & Conditions)
  | ({
      readonly method: "lookup_batch" | "lookup_all";
      readonly numbers: readonly NumberInput[];
      /** Of `lookup_all`: the most concurrent requests. */
      readonly concurrency?: number;
      readonly country?: string;
      readonly idempotency_key?: string;
    } & Conditions)
  | ({
      readonly method: "lookup_stream";
      readonly numbers: readonly NumberInput[];
      /** Stop reading after this many items. */
      readonly take?: number;
      /** Report the count and the memory that reading it takes, in place of the results. */
      readonly tally?: true;
      readonly country?: string;
      readonly idempotency_key?: undefined;
    } & Conditions);

/** A number of a list or stream, on its own or with options of its own. */
export type NumberInput =
  | string
  | { readonly number: string; readonly country?: string; readonly expect_country?: string };

/** One HTTP response. Without `json`, `text` and `lines` its body is empty. */
export interface Played {
  readonly status?: number;
  /**
   * In addition to Content-Type, Content-Length, X-Request-Id, and Data-Version. `{elsewhere}` in a value is another host's address,
   * `{date+2}` the date in two seconds.
   */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly json?: unknown;
  readonly text?: string;
  /** Lines of a stream: objects as JSON, strings verbatim. */
  readonly lines?: readonly (object | string)[];
  /** For a stream: the line that its request starts with, from 0. */
  readonly from?: number;
  /** Milliseconds until the header section is sent. */
  readonly delay_ms?: number;
  /** Milliseconds between the first half of the body and the second. */
  readonly slow_ms?: number;
  /** The connection ends before any response or halfway through the body, or the body never ends. */
  readonly broken?: "reset" | "short_body" | "stalled_body";
  /** Minimum and maximum milliseconds from the previous response to this request. The maximum is generous. */
  readonly after_ms?: number;
  readonly before_ms?: number;
}

export const ERROR_TYPES = [
  "authentication",
  "quota",
  "rate_limit",
  "invalid_request",
  "verification_failed",
  "server",
  "connection",
] as const;
export type ErrorType = (typeof ERROR_TYPES)[number];

/** An error in the API's terms. Only the expected fields are compared. */
export interface ErrorOutcome {
  readonly type: ErrorType;
  readonly code?: string;
  readonly message?: string;
  readonly status?: number | null;
  readonly request_id?: string | null;
  /** Seconds. */
  readonly retry_after?: number | null;
  readonly fields?: Readonly<Record<string, string>>;
  /** The figures of a 402. */
  readonly quota?: Readonly<Record<string, unknown>> | null;
}

/** What reading a long stream took. */
export interface Tally {
  readonly counted: number;
  /** How much more memory was in use at the end than after a tenth of the items, in bytes. */
  readonly grown_bytes?: number;
}

/** The outcome of a call. Results have the API's field names; absent fields count as null. */
export type Outcome =
  | { readonly result: unknown }
  | {
      readonly results: readonly ({ readonly result: unknown } | { readonly error: ErrorOutcome })[];
      /** What ended a list prematurely. */
      readonly ended_by?: ErrorOutcome;
    }
  | { readonly error: ErrorOutcome }
  | { readonly tally: Tally }
  /** No client can be created with these settings. */
  | { readonly rejected: true };
