import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { longOrShort } from "../test/long.ts";
import { run, whyMissing } from "../test/programs.ts";
import { verify } from "../test/engine.ts";
import type { Json } from "./json-schema.ts";
import { openApiDocument } from "./openapi.ts";
import { VerificationResult } from "./verification.ts";

/**
 * Installed for this test only: the generators need an older TypeScript than ours. openapi-python-client is missing
 * because PyPI was not reachable when this was written.
 */
const PACKAGES = [
  "openapi-typescript@7.13.0",
  "openapi-fetch@0.17.0",
  "orval@8.38.0",
  "@hey-api/openapi-ts@0.99.0",
  "swagger-typescript-api@13.13.0",
  "quicktype@26.0.0",
  "typescript@5.9.3",
  "zod@4.6.7",
];

const ORVAL = `export default {
  fetch: { input: "openapi.json", output: { target: "orval/client.ts", client: "fetch" } },
  zod: { input: "openapi.json", output: { target: "orval/zod.ts", client: "zod" } },
};`;

/** A caller's code with the generated types: names of bodies, a current value, and one added later. */
const PROGRAM = `import type { paths, components } from "./openapi-typescript.ts";
import type * as hey from "./hey/index.ts";
import type * as orval from "./orval/client.ts";
import type * as swagger from "./swagger/client.ts";

type Body = paths["/api/v1/verify"]["post"]["requestBody"]["content"]["application/json"];
export const body: Body & hey.VerifyRequest & orval.VerifyRequest & swagger.VerifyRequest = { number: "+14155550100", accept_types: ["mobile"] };
// @ts-expect-error Requests take no other values.
export const wrong: Body = { number: "+14155550100", accept_types: ["satellite"] };
export const later: [components["schemas"]["VerificationResult"]["number_type"], hey.VerificationResult["number_type"], orval.VerificationResult["number_type"], swagger.VerificationResult["number_type"]] = ["satellite", "satellite", "satellite", "satellite"];
export const problem: components["schemas"]["Problem"] & hey.Problem & orval.Problem & swagger.Problem = { error: "A sentence.", code: "LATER" };
export const thrown: Error = new Error("still the language's");
`;

const FIELDS = Object.keys(VerificationResult.entries);

/** Reads everything that a call returns, with openapi-fetch. */
const READER = `import createClient from "openapi-fetch";
import type { paths } from "./openapi-typescript.ts";

const client = createClient<paths>({ baseUrl: "http://localhost:8787" });

export async function readAll(number: string): Promise<unknown[]> {
  const read: unknown[] = [];
  const single = await client.POST("/api/v1/verify", { body: { number } });
  if (single.data) read.push(${FIELDS.map((field) => `single.data.${field}`).join(", ")});
  else read.push(single.error.error, single.error.code);
  if (single.response.status === 400 && single.error && "result" in single.error) read.push(single.error.result?.carrier);
  const batch = await client.POST("/api/v1/verify/batch", { body: { numbers: [number, { number, country: "BR" }] } });
  for (const item of batch.data?.results ?? []) {
    if ("valid" in item) read.push(${FIELDS.map((field) => `item.${field}`).join(", ")});
    else read.push(item.number, item.error, item.code);
  }
  return read;
}
`;

/** A schema of everything that calls return, for generators of types alone. */
function answersSchema(document: Json): object {
  const { paths } = document as { paths: Record<string, { post: { responses: Record<string, { content: Json }> } }> };
  const content = paths["/api/v1/verify/batch"]!.post.responses["200"]!.content as Record<string, { schema: Json }>;
  const properties = {
    result: { $ref: "#/components/schemas/VerificationResult" },
    problem: { $ref: "#/components/schemas/VerifyProblem" },
    batch: content["application/json"]!.schema,
  };
  const root = { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" };
  return { ...(document as object), ...root, required: Object.keys(properties), properties };
}

/** Reads the same with quicktype's types for Go. `types` has each field's name there, next to its own. */
function goReader(types: string): string {
  const names = new Map([...types.matchAll(/^\t(\w+) .*`json:"(\w+)/gm)].map(([, name, field]) => [field!, name!]));
  const read = (of: string) => FIELDS.map((field) => `${of}.${names.get(field)!}`);
  const reads = [...read("all.Result"), ...read("all.Problem.Result"), ...read("all.Batch.Results[0]")];
  return `package main

import (
	"fmt"
	"os"
)

func main() {
	text, _ := os.ReadFile("answers.json")
	all, err := UnmarshalAnswers(text)
	if err != nil {
		panic(err)
	}
	failure := all.Batch.Results[1]
	fmt.Println(${reads.join(", ")})
	fmt.Println(*all.Result.${names.get("carrier")!}, all.Problem.${names.get("code")!}, *failure.${names.get("code")!})
}
`;
}

/** Parses a result with orval's zod schemas, including a value added later. */
const CHECK = `import { readFileSync } from "node:fs";
import * as schemas from "./orval/zod.ts";
const result = JSON.parse(readFileSync("result.json", "utf8"));
const later = { ...result, number_type: "satellite", line_type: "satellite", reason: "LATER" };
for (const each of [result, later]) schemas.VerifyResponse.parse(each);
console.log(schemas.VerifyResponse.safeParse({ ...result, valid: "yes" }).success);
`;

describe.runIf(longOrShort(true, false))("client generators", { timeout: 300_000 }, () => {
  let folder: string;

  async function call(command: string, ...args: string[]): Promise<string> {
    const { exit, stdout, stderr } = await run(command, args, { cwd: folder });
    expect({ exit, output: exit === 0 ? "" : stdout + stderr }).toStrictEqual({ exit: 0, output: "" });
    return stdout;
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "checkline-generators-"));
    writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
    writeFileSync(join(folder, "openapi.json"), JSON.stringify(openApiDocument()));
    writeFileSync(join(folder, "orval.config.mjs"), ORVAL);
    writeFileSync(join(folder, "program.ts"), PROGRAM);
    writeFileSync(join(folder, "reader.ts"), READER);
    writeFileSync(join(folder, "check.ts"), CHECK);
    writeFileSync(join(folder, "result.json"), JSON.stringify(verify("+5511987654321")));
    await call("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", ...PACKAGES);
  }, 300_000);

  // Deleting thousands of files takes a while on a busy machine.
  afterAll(() => rmSync(folder, { recursive: true, force: true }), 60_000);

  test("openapi-typescript, orval, hey-api, and swagger-typescript-api produce clients that compile and accept values added later", async () => {
    const bin = (name: string) => join(folder, "node_modules/.bin", name);
    await call(bin("openapi-typescript"), "openapi.json", "-o", "openapi-typescript.ts");
    await call(bin("openapi-ts"), "-i", "openapi.json", "-o", "hey", "-c", "@hey-api/client-fetch");
    await call(bin("orval"), "--config", "orval.config.mjs");
    await call(bin("swagger-typescript-api"), "generate", "-p", "openapi.json", "-o", "swagger", "-n", "client.ts");
    const options = "--strict --noEmit --allowImportingTsExtensions --target ES2022 --module ESNext";
    const libraries = "--moduleResolution Bundler --lib ES2022,DOM,DOM.Iterable --skipLibCheck";
    await call(bin("tsc"), ...options.split(" "), ...libraries.split(" "), "program.ts", "reader.ts");
    expect(await call(process.execPath, "check.ts")).toBe("false\n");
  });

  test("quicktype produces types for Go with every field", async ({ skip }) => {
    const missing = whyMissing("go");
    if (missing !== null) skip(missing);
    const result = verify("+5511987654321");
    const failure = { number: "+1202", error: "A sentence.", code: "REJECTED_FORMAT" };
    const answers = { result, problem: { ...failure, result }, batch: { results: [result, failure] } };
    writeFileSync(join(folder, "answers.json"), JSON.stringify(answers));
    writeFileSync(join(folder, "answers.schema.json"), JSON.stringify(answersSchema(openApiDocument())));
    const options = "--lang go --src-lang schema --package main --top-level Answers -o types.go answers.schema.json";
    await call(join(folder, "node_modules/.bin/quicktype"), ...options.split(" "));
    writeFileSync(join(folder, "reader.go"), goReader(readFileSync(join(folder, "types.go"), "utf8")));
    const printed = await call("go", "run", "reader.go", "types.go");
    expect(printed.trim().split("\n").at(-1)).toBe(`${result.carrier} REJECTED_FORMAT REJECTED_FORMAT`);
  });
});
