import { openApiDocument } from "../../../contract/openapi.ts";
import { docResult } from "./data.ts";
import { isElement, requiredAttribute, textAttribute } from "./tree.ts";
import type { DocElement, DocNode } from "./tree.ts";

/** A field of a request or a response in the docs. */
export interface DocField {
  /** With dots for nesting: `deliverability.sms`, `results[].number`. */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  /** Its default as JSON; absent if there is none. */
  readonly fallback?: string;
  readonly description: string;
  /** A value as JSON, and what it's based on, in a table that shows them. */
  readonly example?: string;
  readonly source?: string;
}

/** An operation as the docs list it. */
export interface DocOperation {
  /** `POST`. */
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string | undefined;
  /** Whether it needs the session of a dashboard account. */
  readonly session: boolean;
  /** Of its query and of its body. */
  readonly parameters: readonly DocField[];
  /** The status of its success. */
  readonly status: number;
  /** The fields of that response; none where it has no body. */
  readonly answer: readonly DocField[];
}

/** The part of JSON Schema that the contract's schemas use. */
interface JsonSchema {
  readonly type?: string;
  readonly $ref?: string;
  readonly const?: unknown;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly required?: readonly string[];
  readonly description?: string;
}

interface Content {
  readonly content?: {
    readonly "application/json"?: { readonly schema: JsonSchema };
    readonly "application/x-ndjson"?: { readonly schema: { readonly contentSchema: JsonSchema } };
  };
}

interface Parameter {
  readonly name: string;
  readonly in?: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

/** The part of the OpenAPI document from which the docs get their fields. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

const DOCUMENT = openApiDocument() as unknown as Document;

function typeOf(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf) {
    // An open enum, as in responses, shows today's values.
    const isOpen = schema.anyOf.some((option) => option.enum);
    const shown = schema.anyOf.filter((option) => !isOpen || option.enum || option.type !== "string");
    return [...new Set(shown.map(typeOf))].join(" | ");
  }
  if (schema.type === "array") {
    const item = typeOf(schema.items ?? {});
    return item.includes(" | ") ? `(${item})[]` : `${item}[]`;
  }
  if (schema.type === "object" && typeof schema.additionalProperties === "object") {
    return `{ [name]: ${typeOf(schema.additionalProperties)} }`;
  }
  return schema.type ?? "any";
}

function fallbackOf(schema: JsonSchema): Pick<DocField, "fallback"> {
  return schema.default === undefined ? {} : { fallback: JSON.stringify(schema.default) };
}

/** A field's schema without null. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const options = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  return options.length === 1 ? options[0]! : schema;
}

function fieldsOf(schema: JsonSchema, prefix = ""): DocField[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const name = prefix + key;
    const required = schema.required?.includes(key) ?? false;
    const own = { name, type: typeOf(field), required, ...fallbackOf(field), description: field.description ?? "" };
    const value = withoutNull(field);
    if (value.type === "array") return [own, ...fieldsOf(value.items ?? {}, `${name}[].`)];
    return [own, ...fieldsOf(value, `${name}.`)];
  });
}

/** A request's body is referenced by name in the document. */
function bodyFields(body: Content | undefined): DocField[] {
  const { "application/json": whole, "application/x-ndjson": lines } = body?.content ?? {};
  const schema = whole?.schema ?? lines?.schema.contentSchema ?? {};
  return schema.$ref === undefined ? fieldsOf(schema) : schemaFields(typeOf(schema));
}

function queryFields(parameters: readonly Parameter[]): DocField[] {
  return parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name, required, description = "", schema }) => ({
      name,
      type: typeOf(schema),
      required,
      ...fallbackOf(schema),
      description,
    }));
}

/** The fields of a named schema in the document. */
export function schemaFields(name: string): DocField[] {
  const { schemas } = DOCUMENT.components;
  if (schemas[name] === undefined) {
    throw new Error(`There is no schema ${name}. There are ${Object.keys(schemas).join(", ")}.`);
  }
  return fieldsOf(schemas[name]);
}

function operations() {
  return Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  );
}

/** An operation by its id. */
export function docOperation(id: string): DocOperation {
  const all = operations();
  const found = all.find(({ operationId }) => operationId === id);
  if (found === undefined) {
    throw new Error(`There is no operation ${id}. There are ${all.map(({ operationId }) => operationId).join(", ")}.`);
  }
  const { method, path, summary, description, security, parameters = [], requestBody, responses } = found;
  const status = Object.keys(responses).find((code) => code.startsWith("2"))!;
  return {
    method,
    path,
    summary,
    description,
    session: security.some((credential) => "session" in credential),
    parameters: [...queryFields(parameters), ...bodyFields(requestBody)],
    status: Number(status),
    answer: bodyFields(responses[status]),
  };
}

/** A table of fields requested by a page. */
export interface DocTable {
  /** Its accessible name. */
  readonly label: string;
  readonly fields: readonly DocField[];
  /** Whether it shows which fields are required. */
  readonly optional: boolean;
  /** Whether a field opens to show more than its name, type, and example. */
  readonly folded: boolean;
}

/** The `<Field>`s of a table. */
export function fieldElements(element: DocElement): DocElement[] {
  return (element.children as DocNode[]).filter(isElement);
}

/**
 * The fields with their examples: those of the result for a number or, where that has none, of their own `<Field>`.
 * @throws Error for a `<Field>` that the table lacks
 */
function withExamples(element: DocElement, fields: readonly DocField[], number: string): DocField[] {
  const result = docResult(number, false) as Readonly<Record<string, unknown>>;
  const own = new Map(fieldElements(element).map((field) => [requiredAttribute(field, "name"), field]));
  const stray = [...own.keys()].find((name) => !fields.some((field) => field.name === name));
  if (stray !== undefined) throw new Error(`<Field name="${stray}"> is no field of its table.`);
  return fields.map((field) => {
    const about = own.get(field.name);
    const example = (about && textAttribute(about, "example")) ?? JSON.stringify(result[field.name]);
    const source = about && textAttribute(about, "source");
    return { ...field, ...(example !== undefined && { example }), ...(source !== undefined && { source }) };
  });
}

/** The fields of a named schema, or with `only="…"` just that one; with `example="+55…"` each with its value for that number. */
function schemaTable(element: DocElement): DocTable {
  const schema = requiredAttribute(element, "schema");
  const only = textAttribute(element, "only")?.split(",");
  const fields = schemaFields(schema).filter(({ name }) => only === undefined || only.includes(name));
  if (fields.length === 0) throw new Error(`${schema} has no field ${only?.join()}.`);
  const number = textAttribute(element, "example");
  if (number === undefined) return { label: `Fields of ${schema}`, fields, optional: false, folded: false };
  return {
    label: `Fields of ${schema}`,
    fields: withExamples(element, fields, number),
    optional: false,
    folded: true,
  };
}

/**
 * The content of `<FieldTable schema>`, `<ParameterTable endpoint>`, and `<AnswerTable endpoint>`; null for any other
 * component.
 */
export function docTable(element: DocElement): DocTable | null {
  switch (element.name) {
    case "FieldTable":
      return schemaTable(element);
    case "ParameterTable": {
      const endpoint = requiredAttribute(element, "endpoint");
      return {
        label: `Parameters of ${endpoint}`,
        fields: docOperation(endpoint).parameters,
        optional: true,
        folded: false,
      };
    }
    case "AnswerTable": {
      const endpoint = requiredAttribute(element, "endpoint");
      return {
        label: `Response of ${endpoint}`,
        fields: docOperation(endpoint).answer,
        optional: false,
        folded: false,
      };
    }
    default:
      return null;
  }
}
