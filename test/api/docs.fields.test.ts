import { beforeAll, describe, expect, test } from "vitest";
import { builtPages, builtSamples } from "../docs-samples.ts";
import { startWorker } from "../harness.ts";

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
}

interface Field {
  /** With dots for nesting: `days[].date`. */
  readonly name: string;
  readonly description: string;
}

const worker = startWorker();
let document: { readonly components: { readonly schemas: Readonly<Record<string, Schema>> } };

beforeAll(async () => {
  document = await (await worker.fetch("/api/v1/openapi.json")).json();
});

/** Every schema of the document that is not nested in another. */
function outermostSchemas(value: unknown, key = ""): Schema[] {
  if (typeof value !== "object" || value === null) return [];
  if (key === "schema" || key === "schemas") return key === "schema" ? [value as Schema] : Object.values(value);
  return Object.entries(value).flatMap(([name, inner]) => outermostSchemas(inner, name));
}

/** A schema's fields, including nested ones; with `follow` also those of referenced schemas. */
function fieldsOf(schema: Schema, follow: boolean, prefix = ""): Field[] {
  if (schema.$ref !== undefined) {
    const named = document.components.schemas[schema.$ref.replace("#/components/schemas/", "")]!;
    return follow ? fieldsOf(named, follow, prefix) : [];
  }
  const own = Object.entries(schema.properties ?? {}).flatMap(([key, field]) => [
    { name: prefix + key, description: field.description ?? "" },
    ...fieldsOf(field, follow, `${prefix}${key}.`),
  ]);
  const items = schema.items ? fieldsOf(schema.items, follow, `${prefix.slice(0, -1)}[].`) : [];
  return [...own, ...items, ...(schema.anyOf ?? []).flatMap((option) => fieldsOf(option, follow, prefix))];
}

function describedFields(follow: boolean): Field[] {
  return outermostSchemas(document).flatMap((schema) => fieldsOf(schema, follow));
}

/** Query parameters are in tables of fields too. */
function queryParameters(): Field[] {
  const found: Field[] = [];
  JSON.stringify(document, (_key, value: Field & { in?: string }) => {
    if (value?.in === "query") found.push(value);
    return value;
  });
  return found;
}

/** The rows of the docs' tables of fields: those with a type in the second column. */
function documentedFields(): Field[] {
  const tables = /^\| Field \| Type \|[^\n]*\n\|[ |:-]+\n((?:\|[^\n]*\n)+)/gm;
  return [...builtPages().values()].flatMap((markdown) =>
    [...markdown.matchAll(tables)].flatMap(([, rows]) =>
      rows!
        .trim()
        .split("\n")
        .map((row) => {
          // Types contain escaped pipes.
          const cells = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
          return { name: cells[1]!.replaceAll("`", ""), description: cells.at(-2)! };
        }),
    ),
  );
}

/** A field as one line. Markdown escapes some characters of a description. A result has the same fields anywhere. */
function lines(fields: readonly Field[]): Set<string> {
  return new Set(
    fields.map(({ name, description }) => {
      return `${name.replace(/^result\./, "")}: ${description.replaceAll(/\\([^\w\s])/g, "$1")}`;
    }),
  );
}

/**
 * The names of a value's fields, in the form of `fieldsOf`. Callers choose the names in a validation error's fields.
 */
function namesIn(value: unknown, prefix = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => namesIn(item, `${prefix.slice(0, -1)}[].`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    prefix + key,
    ...(key === "fields" ? [] : namesIn(inner, `${prefix}${key}.`)),
  ]);
}

/** All JSON in the docs: results, bodies of HTTP messages, and what the shell samples send. */
function shownJson(): { readonly page: string; readonly json: string }[] {
  return builtSamples().flatMap(({ page, language, title, code }) => {
    // Another program's settings file.
    if (title.endsWith(".json")) return [];
    if (language === "json") return [{ page, json: code }];
    const form = language === "http" ? /^\{[\s\S]*\}$/gm : language === "sh" ? /(?<=-d ')\{.*\}(?=')/g : null;
    return form === null ? [] : [...code.matchAll(form)].map(([json]) => ({ page, json }));
  });
}

describe("fields", () => {
  test("every field in the OpenAPI document has a description", () => {
    const described = [...describedFields(false), ...queryParameters()];
    expect(described.length).toBeGreaterThan(80);
    expect(described.filter(({ description }) => description === "")).toStrictEqual([]);
  });

  test("every field in the OpenAPI document is in a table of the docs, with its description", () => {
    const documented = lines(documentedFields());
    const described = lines([...describedFields(false), ...queryParameters()]);
    expect([...described].filter((field) => !documented.has(field))).toStrictEqual([]);
  });

  test("every field in a table of the docs is in the OpenAPI document", () => {
    const described = lines([...describedFields(false), ...queryParameters()]);
    const documented = lines(documentedFields());
    expect([...documented].filter((field) => !described.has(field))).toStrictEqual([]);
  });

  test("every field in the docs' JSON is in the OpenAPI document", () => {
    const known = new Set(describedFields(true).map(({ name }) => name));
    const shown = shownJson();
    expect(shown.length).toBeGreaterThan(30);
    const names = shown.flatMap(({ page, json }) => namesIn(JSON.parse(json)).map((name) => ({ page, name })));
    expect(names.filter(({ name }) => !known.has(name))).toStrictEqual([]);
  });
});
