import * as v from "valibot";

/** A field with its description for the OpenAPI document and the docs. */
export function described<S extends v.GenericSchema>(schema: S, text: string) {
  return v.pipe(schema, v.description(text));
}

export const Integer = v.pipe(v.number(), v.integer());

/** A time in UTC: `2026-01-31T09:30:00.000Z`. */
export const Timestamp = v.pipe(v.string(), v.isoTimestamp());

/** An object with these fields and no others. */
export type BodySchema = v.GenericSchema & { readonly entries: v.ObjectEntries };

export type BodyCheck<S extends BodySchema> =
  | { readonly ok: true; readonly output: v.InferOutput<S> }
  | { readonly ok: false; readonly fields: Record<string, string> };

/**
 * The schema of a request: exactly these fields. Check with `checkBody`, which reports every unknown one: valibot
 * reports one, and its `objectWithRest` skips `__proto__` and `constructor`.
 */
export function bodySchema<E extends v.ObjectEntries>(entries: E) {
  return v.strictObject(entries, "Required");
}

/** How much of an unknown field's name we echo to its sender. */
const MAX_ECHO = 64;

function unknownFields(schema: BodySchema, value: object): string[] {
  return Object.keys(value).filter((field) => !Object.hasOwn(schema.entries, field));
}

/** A field's name, made safe to print on one line. */
function printable(field: string): string {
  const short = field.length > MAX_ECHO ? `${field.slice(0, MAX_ECHO)}…` : field;
  return short.replace(/\p{Cc}/gu, "�");
}

/** The path of a field as callers write it: `numbers[3].country`. */
function fieldPath(keys: readonly unknown[]): string {
  let path = "";
  for (const key of keys) {
    path += typeof key === "number" ? `[${key}]` : path === "" ? String(key) : `.${String(key)}`;
  }
  return path;
}

interface Complaint {
  readonly keys: readonly unknown[];
  readonly message: string;
  /** Whether the field isn't one of the schema's. */
  readonly isUnknown: boolean;
}

/** The complaints of an issue. If an alternative is an object and so is the value, they are about its fields. */
function complaintsOf(issue: v.BaseIssue<unknown>, above: readonly unknown[] = []): Complaint[] {
  const keys = [...above, ...(issue.path ?? []).map(({ key }) => key)];
  const isObject = issue.type === "union" && !Array.isArray(issue.input);
  const ofFields = isObject ? (issue.issues ?? []).filter(({ path }) => path !== undefined) : [];
  if (ofFields.length > 0) return ofFields.flatMap((inner) => complaintsOf(inner, keys));
  const isUnknown = issue.expected === "never";
  return [{ keys, message: isUnknown ? "Unknown field" : issue.message, isUnknown }];
}

/**
 * Checks a value against a request's schema. On failure, `fields` has the first complaint about each field, and every
 * unknown field. A complaint about the whole value is listed under `body`.
 */
export function checkBody<S extends BodySchema>(schema: S, value: unknown): BodyCheck<S> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { ok: false, fields: { body: "Must be an object" } };
  }
  const parsed = v.safeParse(schema, value);
  const unknown = unknownFields(schema, value);
  if (parsed.success && unknown.length === 0) return { ok: true, output: parsed.output };
  const errors = new Map(unknown.map((field) => [printable(field), "Unknown field"]));
  for (const { keys, message, isUnknown: isUnknownField } of (parsed.issues ?? []).flatMap((issue) =>
    complaintsOf(issue),
  )) {
    const path = printable(fieldPath(keys));
    // valibot reports only the first unknown field of the body.
    if (!(isUnknownField && keys.length === 1) && !errors.has(path)) errors.set(path, message);
  }
  return { ok: false, fields: Object.fromEntries(errors) };
}
