import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { longOrShort } from "../test/long.ts";
import { run } from "../test/programs.ts";
import { verify } from "../test/engine.ts";
import { openApiDocument } from "./openapi.ts";

/**
 * Installed for this test only: the generators need an older TypeScript than ours. openapi-python-client is missing
 * because PyPI was not reachable when this was written.
 */
const PACKAGES = [
  "openapi-typescript@7.13.0",
  "orval@8.38.0",
  "@hey-api/openapi-ts@0.99.0",
  "swagger-typescript-api@13.13.0",
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
    await call(bin("tsc"), ...options.split(" "), ...libraries.split(" "), "program.ts");
    expect(await call(process.execPath, "check.ts")).toBe("false\n");
  });
});
