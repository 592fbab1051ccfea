import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import * as v from "valibot";
import { fieldErrors } from "../../contract/body.ts";
import type { AppEnv } from "../env.ts";
import { ApiError } from "./errors.ts";

/** Refuses a body over so many bytes before anything else looks at it. */
export function limitBody(maxBytes: number) {
  return bodyLimit({
    maxSize: maxBytes,
    onError: () => {
      throw new ApiError("PAYLOAD_TOO_LARGE", { message: `The request body is larger than ${maxBytes / 1024} KB.` });
    },
  });
}

function checkMediaType(c: Context<AppEnv>): void {
  const type = c.req.header("Content-Type")?.split(";", 1)[0]?.trim().toLowerCase();
  const encoding = c.req.header("Content-Encoding")?.trim().toLowerCase() ?? "identity";
  if (type !== "application/json" || encoding !== "identity") throw new ApiError("UNSUPPORTED_MEDIA_TYPE");
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

function parseJson(bytes: ArrayBuffer): unknown {
  if (bytes.byteLength === 0) throw new ApiError("INVALID_JSON", { message: "The request body is empty." });
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch {
    throw new ApiError("INVALID_JSON");
  }
}

/**
 * The request's JSON body, checked against a schema.
 * @throws ApiError 415 when it is not declared as JSON, 400 INVALID_JSON, or 400 VALIDATION_FAILED with the offending fields.
 */
export async function readBody<S extends v.GenericSchema>(c: Context<AppEnv>, schema: S): Promise<v.InferOutput<S>> {
  checkMediaType(c);
  const parsed = v.safeParse(schema, parseJson(await c.req.arrayBuffer()));
  if (parsed.success) return parsed.output;
  throw validationFailed(fieldErrors(parsed.issues));
}

/** The 400 that names offending fields, in its sentence and by name. */
export function validationFailed(fields: Record<string, string>): ApiError {
  const complaints = Object.entries(fields).map(([field, complaint]) => `${field}: ${complaint}`);
  const more = complaints.length > 3 ? `; and ${complaints.length - 3} more` : "";
  const message = `The request body does not have the expected form (${complaints.slice(0, 3).join("; ")}${more}).`;
  return new ApiError("VALIDATION_FAILED", { message, fields });
}
