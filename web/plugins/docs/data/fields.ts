import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { LoginRequest, RegisterRequest } from "../../../../contract/accounts.ts";
import { ENDPOINTS } from "../../../../contract/endpoints.ts";
import { Health } from "../../../../contract/endpoints/service.ts";
import { ErrorBody } from "../../../../contract/errors.ts";
import { CreateKeyRequest, CreatedKey } from "../../../../contract/keys.ts";
import { UsageReport, UsageSummary } from "../../../../contract/reports.ts";
import { Subscription } from "../../../../contract/subscriptions.ts";
import {
  BatchRequest,
  BatchResponse,
  SandboxBatchFailure,
  SandboxResult,
  VerificationResult,
  VerifyRequest,
} from "../../../../contract/verification.ts";

/** A field of a request or an answer, as the docs list it. */
export interface DocField {
  /** With dots where it is within another: `deliverability.sms`. */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** What `<FieldTable schema="…">` may name. */
const SCHEMAS: Readonly<Record<string, v.GenericSchema>> = {
  BatchRequest,
  BatchResponse,
  CreateKeyRequest,
  CreatedKey,
  Error: ErrorBody,
  Health,
  LoginRequest,
  RegisterRequest,
  SandboxBatchFailure,
  SandboxResult,
  Subscription,
  UsageReport,
  UsageSummary,
  VerificationResult,
  VerifyRequest,
};

/** Answers that others refer to by name instead of listing their fields again. */
const NAMED = { VerificationResult, SandboxResult, SandboxBatchFailure };

/** The part of JSON Schema that the contract's schemas become. */
interface JsonSchema {
  readonly type?: string;
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly required?: readonly string[];
  readonly description?: string;
}

function jsonSchema(schema: v.GenericSchema): JsonSchema {
  const definitions = Object.values<v.GenericSchema>(NAMED).includes(schema) ? {} : NAMED;
  return toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode: "input",
    // These change a value, not what may be sent.
    ignoreActions: ["to_upper_case", "to_lower_case", "trim", "transform", "check"],
    definitions,
  }) as JsonSchema;
}

function typeOf(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(" | ");
  if (schema.type === "array") {
    const item = typeOf(schema.items ?? {});
    return item.includes(" | ") ? `(${item})[]` : `${item}[]`;
  }
  if (schema.type === "object" && typeof schema.additionalProperties === "object") {
    return `{ [name]: ${typeOf(schema.additionalProperties)} }`;
  }
  return schema.type ?? "any";
}

function fieldsOf(schema: JsonSchema, prefix = ""): DocField[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const name = prefix + key;
    const required = schema.required?.includes(key) ?? false;
    const own = { name, type: typeOf(field), required, description: field.description ?? "" };
    if (field.type === "array") return [own, ...fieldsOf(field.items ?? {}, `${name}[].`)];
    return [own, ...fieldsOf(field, `${name}.`)];
  });
}

/** The fields of a whole schema. A description behind a transformation is not part of the JSON Schema, so it is asked for. */
function allFieldsOf(schema: v.GenericSchema): DocField[] {
  const entries = "entries" in schema ? (schema.entries as Readonly<Record<string, v.GenericSchema>>) : {};
  return fieldsOf(jsonSchema(schema)).map((field) => {
    const entry = entries[field.name];
    if (field.description !== "" || entry === undefined) return field;
    return { ...field, description: v.getDescription(entry) ?? "" };
  });
}

/** The fields of a schema of the contract. */
export function schemaFields(name: string): DocField[] {
  const schema = SCHEMAS[name];
  if (schema === undefined) {
    throw new Error(`There is no schema ${name}. There are ${Object.keys(SCHEMAS).join(", ")}.`);
  }
  return allFieldsOf(schema);
}

/** The parameters of an operation of the contract: of its query and of its body. */
export function endpointFields(id: string): DocField[] {
  const endpoint = ENDPOINTS.find((candidate) => candidate.id === id);
  if (endpoint === undefined) {
    throw new Error(`There is no operation ${id}. There are ${ENDPOINTS.map((candidate) => candidate.id).join(", ")}.`);
  }
  return [endpoint.query, endpoint.request?.schema].flatMap((schema) => (schema ? allFieldsOf(schema) : []));
}
