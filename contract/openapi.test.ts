import { describe, expect, test } from "vitest";
import { ENDPOINTS } from "./endpoints/index.ts";
import type { Json } from "./json-schema.ts";
import { openApiDocument, PUBLIC_ENDPOINTS } from "./openapi.ts";

interface Found {
  readonly path: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

const document = openApiDocument() as unknown as Document;

/** Every object of the document with its path; examples are not counted as objects. */
function objects(value: unknown, path = ""): Found[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, each]) =>
    key === "example" || key === "examples" ? [] : objects(each, `${path}/${key}`),
  );
  return Array.isArray(value) ? inner : [{ path, value: value as Found["value"] }, ...inner];
}

const all = objects(document);
const bodies = all.filter(({ path }) => path.endsWith("/requestBody/content/application/json/schema"));

/** Callers write requests, so their enums are closed. */
function isOfRequest(path: string): boolean {
  return /^\/components\/schemas\/\w+Request\/|\/parameters\//.test(path);
}

/** JSON with a line for each entry of the outer objects, so that a changed operation or schema is one changed line. */
function inLines(value: Json, depth: number): string {
  if (depth === 0 || typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value);
  const lines = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}:${inLines(inner, depth - 1)}`);
  return `{\n${lines.join(",\n")}\n}`;
}

test("the served documents are current (npx vitest run --project unit contract/openapi.test.ts -u writes them)", async () => {
  await expect(`${inLines(openApiDocument(), 3)}\n`).toMatchFileSnapshot("openapi.txt");
  await expect(`${inLines(openApiDocument(PUBLIC_ENDPOINTS), 3)}\n`).toMatchFileSnapshot("openapi-public.txt");
});

describe("for client generators, the document", () => {
  test("types every enum and every constant", () => {
    const typeless = all.filter(({ value }) => ("enum" in value || "const" in value) && !("type" in value));
    expect(typeless).toStrictEqual([]);
    expect(all.filter(({ value }) => "const" in value).length).toBeGreaterThan(1);
  });

  test("has open enums in responses, nullable ones included, and closed ones in requests", () => {
    const lists = all.filter(({ value }) => Array.isArray(value["enum"]));
    const isOpen = ({ path }: Found): boolean => {
      const around = all.find((each) => each.path === path.replace(/\/anyOf\/\d+$/, ""))!.value["anyOf"];
      return Array.isArray(around) && around.some((option) => JSON.stringify(option) === '{"type":"string"}');
    };
    expect(lists.filter((list) => isOpen(list) === isOfRequest(list.path))).toStrictEqual([]);
    expect(lists.filter(({ path }) => isOfRequest(path)).length).toBeGreaterThan(0);
    expect(document.components.schemas["VerificationResult"]).toMatchObject({
      properties: {
        line_type: {
          anyOf: [{ type: "string", enum: ["mobile", "fixed", "voip"] }, { type: "string" }, { type: "null" }],
        },
      },
    });
  });

  test("names every request body, each once", () => {
    expect(bodies).toHaveLength(ENDPOINTS.filter(({ request, format }) => request && !format).length);
    expect(bodies.filter(({ value }) => !/^#\/components\/schemas\/\w+Request$/.test(String(value["$ref"])))).toEqual(
      [],
    );
    const names = bodies.map(({ value }) => value["$ref"]);
    expect(names.filter((name) => name === "#/components/schemas/VerifyRequest")).toHaveLength(4);
  });

  test("avoids built-in names of JavaScript and Python", () => {
    const names = Object.keys(document.components.schemas);
    expect(names).toContain("Problem");
    expect(names.filter((name) => name in globalThis || /^(Exception|List|Dict|Any|Union|Type)$/.test(name))).toEqual(
      [],
    );
  });

  test("counts in integers: only a percentage has decimals", () => {
    const decimals = all.filter(({ value }) => value["type"] === "number").map(({ path }) => path);
    expect(decimals).toStrictEqual([expect.stringMatching(/\/month_over_month\/anyOf\/\d$/)]);
  });

  test("has no dangling references", () => {
    const missing = all.filter(({ value: { $ref } }) => {
      const found = typeof $ref !== "string" || all.some(({ path }) => path === $ref.slice(1));
      return !found;
    });
    expect(missing).toStrictEqual([]);
  });
});
