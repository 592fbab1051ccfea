import type { ErrorCode } from "../../../contract/errors.ts";
import type { SecondFactorChallenge } from "../../../contract/second-factor.ts";

/** An error response. `message` is the server's own, empty if the body could not be read. */
export class ApiFailure extends Error {
  override readonly name = "ApiFailure";
  readonly status: number;
  /** From contract/errors.ts; empty where the body could not be read. */
  readonly code: string;
  /** The problem with each field, by name. */
  readonly fields: Readonly<Record<string, string>>;
  /** With SECOND_FACTOR_REQUIRED: what the second step needs. */
  readonly secondFactor: SecondFactorChallenge | undefined;
  /** Null where something other than the API has responded. */
  readonly requestId: string | null;

  constructor(
    message: string,
    {
      status,
      code,
      fields,
      secondFactor,
      requestId = null,
    }: Pick<ApiFailure, "status" | "code" | "fields"> & Partial<Pick<ApiFailure, "secondFactor" | "requestId">>,
  ) {
    super(message);
    this.secondFactor = secondFactor;
    this.requestId = requestId;
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}

/** No response: offline, connection refused, or too slow. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";

  constructor(cause: unknown) {
    super("We can’t reach the server. Check your connection and try again.", { cause });
  }
}

/** The message to show for a failed call: the server's, ours without a response, or the fallback. */
export function failureMessage(error: unknown, fallback: string): string {
  if (error instanceof ApiFailure) return error.message || fallback;
  if (error instanceof Unreachable) return error.message;
  return fallback;
}

/** Whether a call failed for the values of fields, beside which a form reports it. */
export function isAboutFields(error: unknown): boolean {
  return error instanceof ApiFailure && Object.keys(error.fields).length > 0;
}

/** Awaits a call that ends something, which another tab may have ended first. */
export async function unlessGone(response: Promise<unknown>): Promise<void> {
  try {
    await response;
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== "NOT_FOUND") throw error;
  }
}

/** Awaits a call; turns an error with this code into an error of the field. */
async function atField<T>(field: string, code: ErrorCode, response: Promise<T>): Promise<T> {
  try {
    return await response;
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== code) throw error;
    throw new ApiFailure(error.message, { ...error, fields: { ...error.fields, [field]: error.message } });
  }
}

/** Awaits a call; turns a wrong password into an error of its field. */
export function atPasswordField<T>(field: string, response: Promise<T>): Promise<T> {
  return atField(field, "WRONG_PASSWORD", response);
}

/** The same for a wrong code, in the field `code`. */
export function atCodeField<T>(response: Promise<T>): Promise<T> {
  return atField("code", "WRONG_CODE", response);
}
