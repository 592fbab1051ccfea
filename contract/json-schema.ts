import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Flattens a nullable list to three options instead of nested ones. */
function flattened(json: Json): Json {
  if (Array.isArray(json)) return json.map(flattened);
  if (typeof json !== "object" || json === null) return json;
  const entries = Object.entries(json).map(([key, value]) => [key, flattened(value)] as const);
  const { anyOf, ...rest } = Object.fromEntries(entries);
  if (!Array.isArray(anyOf)) return rest;
  const options = (anyOf as { [key: string]: Json }[]).flatMap((option) =>
    Object.keys(option).length === 1 && Array.isArray(option["anyOf"]) ? option["anyOf"] : [option],
  );
  return { anyOf: options, ...rest };
}

/**
 * A schema as JSON Schema that refers to `definitions` by name. Enums are open in responses, which may contain values
 * added after the client was generated.
 */
export function schemaOf(
  schema: v.GenericSchema,
  definitions: Record<string, v.GenericSchema>,
  use: "request" | "query" | "response",
): { [key: string]: Json } {
  const json = toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode: use === "query" ? "output" : "input",
    // These change a value, not what may be sent.
    ignoreActions: ["to_upper_case", "to_lower_case", "trim", "transform", "check", "raw_check"],
    definitions,
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
    overrideSchema: ({ valibotSchema, jsonSchema: made }) => {
      if (use === "response" && valibotSchema.type === "picklist") return { anyOf: [made, { type: "string" }] };
      if (made.enum?.every(Number.isInteger)) return { ...made, type: "integer" };
      return made.const === undefined ? null : { ...made, type: typeof made.const as "string" };
    },
  }) as { [key: string]: Json };
  delete json["$schema"];
  delete json["$defs"];
  return flattened(json) as { [key: string]: Json };
}

/** A schema as standalone JSON Schema, describing the input. */
export function jsonSchemaOf(schema: v.GenericSchema): { [key: string]: Json } {
  return schemaOf(schema, {}, "request");
}

/** A schema as standalone JSON Schema, describing a response. */
export function responseSchemaOf(schema: v.GenericSchema): { [key: string]: Json } {
  return schemaOf(schema, {}, "response");
}
