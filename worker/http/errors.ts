import type { ErrorHandler } from "hono";
import { ERRORS } from "../../contract/errors.ts";
import type { ErrorBody } from "../../contract/errors.ts";
import { ApiError } from "../api-error.ts";
import type { AppEnv } from "../env.ts";
import { logFailure } from "./log.ts";

/** What answers of a status carry unless the error says otherwise. */
const STANDARD_HEADERS: Partial<Record<number, Record<string, string>>> = {
  401: { "WWW-Authenticate": "Bearer" },
  503: { "Retry-After": "5" },
};

/** Turns anything thrown into `{error, code}`. What nobody foresaw is logged in full and answered in general terms. */
export const handleError: ErrorHandler<AppEnv> = (thrown, c) => {
  if (!(thrown instanceof ApiError)) logFailure(c.get("requestId"), thrown);
  const error = thrown instanceof ApiError ? thrown : new ApiError("INTERNAL_ERROR");
  const { fields, headers } = error.details;
  const { status } = ERRORS[error.code];
  const body: ErrorBody = { error: error.message, code: error.code, ...(fields && { fields }) };
  c.set("errorCode", error.code);
  return c.json(body, status, { ...STANDARD_HEADERS[status], ...headers });
};
