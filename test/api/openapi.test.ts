import { createConfig, lintFromString } from "@redocly/openapi-core";
import { beforeAll, describe, expect, test } from "vitest";
import { ERRORS } from "../../contract/errors.ts";
import { SANDBOX_FAILURES } from "../../contract/sandbox.ts";
import { usageCsv } from "../../worker/ledger/reports.ts";
import { startWorker } from "../harness.ts";

const worker = startWorker();
let source: string;

beforeAll(async () => {
  source = await (await worker.fetch("/api/v1/openapi.json")).text();
});

describe("GET /api/v1/openapi.json", () => {
  test("is valid under Redocly's recommended rules", async () => {
    const config = await createConfig({ extends: ["recommended-strict"] });
    const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
    expect(problems.map((problem) => `${problem.ruleId}: ${problem.message} ${problem.location[0]?.pointer}`)).toEqual(
      [],
    );
  });

  test("describes operations that respond, with the errors they return", async () => {
    const { paths } = JSON.parse(source) as { paths: Record<string, Record<string, { responses: object }>> };
    for (const [path, operations] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        const response = await worker.fetch(path, { method: method.toUpperCase() });
        expect(Object.keys(operation.responses)).toContain(String(response.status));
        // A country's path has no country here.
        if (path !== "/api/v1/countries/{code}") expect(response.status).not.toBe(404);
      }
    }
  });

  test("has a second document, with the calls for programs alone", async () => {
    const text = await (await worker.fetch("/api/v1/openapi-public.json")).text();
    const config = await createConfig({ extends: ["recommended-strict"] });
    expect(await lintFromString({ source: text, absoluteRef: "openapi-public.json", config })).toEqual([]);
    const { paths, components, tags } = JSON.parse(text);
    expect(Object.keys(paths)).toStrictEqual([
      "/api/v1/verify",
      "/verify",
      "/api/v1/verify/batch",
      "/api/v1/verify/stream",
      "/api/v1/account/quota",
      "/api/v1/countries",
      "/api/v1/countries/{code}",
      "/api/v1/health",
      "/api/v1/status",
      "/api/v1/openapi.json",
      "/api/v1/openapi-public.json",
    ]);
    expect(Object.keys(components.schemas)).not.toContain("LoginRequest");
    expect(tags.map(({ name }: { name: string }) => name)).toStrictEqual(["Verification", "Dashboard", "Service"]);
  });

  test("lists sandbox failures for calls that return them, not for batches", () => {
    const { paths } = JSON.parse(source) as { paths: Record<string, object> };
    expect(JSON.stringify(paths["/api/v1/verify"])).toContain("REJECTED_NETWORK");
    expect(JSON.stringify(paths["/verify"])).toContain("REJECTED_NETWORK");
    expect(JSON.stringify(paths["/api/v1/verify/batch"])).not.toContain("REJECTED_NETWORK");
  });

  test("lists the columns of the report's CSV", () => {
    const [columns] = usageCsv({ days: [] }).split("\r\n");
    const { description, responses } = JSON.parse(source).paths["/api/v1/account/reports/usage"].get;
    expect([...description.matchAll(/`(\w+)`/g)].map(([, name]) => name).join(",")).toBe(columns);
    expect(responses["200"].content["text/csv"].example.split("\r\n")[0]).toBe(columns);
  });

  test("has an example of every error and every sandbox failure", () => {
    const hasExample = (code: string) => source.includes(`"code":"${code}"`);
    expect(SANDBOX_FAILURES.filter(({ name }) => !hasExample(name))).toStrictEqual([]);
    const raisedOutsideOperations = ["METHOD_NOT_ALLOWED"];
    expect(Object.keys(ERRORS).filter((code) => !hasExample(code))).toStrictEqual(raisedOutsideOperations);
  });
});
