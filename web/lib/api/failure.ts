/** An answer of the API that is no success. `message` is the server's own sentence. */
export class ApiFailure extends Error {
  override readonly name = "ApiFailure";
  readonly status: number;
  /** From contract/errors.ts; empty where the body could not be read. */
  readonly code: string;
  /** What is wrong with each field, by its name. */
  readonly fields: Readonly<Record<string, string>>;
  /** Seconds to wait, where the answer says so. */
  readonly retryAfter: number | null;
  readonly requestId: string | null;

  constructor(message: string, details: Omit<ApiFailure, "name" | "message" | "cause" | "stack">) {
    super(message);
    this.status = details.status;
    this.code = details.code;
    this.fields = details.fields;
    this.retryAfter = details.retryAfter;
    this.requestId = details.requestId;
  }
}

/** No answer came: offline, refused, or too slow. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";

  constructor(cause: unknown) {
    super("The service could not be reached. Check your connection and try again.", { cause });
  }
}

/** The sentence to show for a failed call: the server's, or ours for no answer, or else the fallback. */
export function failureMessage(error: unknown, fallback: string): string {
  if (error instanceof ApiFailure) return error.message || fallback;
  if (error instanceof Unreachable) return error.message;
  return fallback;
}
