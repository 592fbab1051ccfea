import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sdkWithId } from "../../contract/sdks.ts";
import { PACKAGES } from "../../scripts/sdks/manifest.ts";
import { builtSamples } from "../docs-samples.ts";
import { createKey } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { run } from "../programs.ts";

const worker = startWorker();

/** Sends the sign-up form's numbers to the route, and prints the responses. */
const PROGRAM = `
  import { POST } from "./route.mjs";
  for (const phone of process.argv.slice(2)) {
    const response = await POST(new Request("http://localhost/", { method: "POST", body: JSON.stringify({ phone }) }));
    console.log(response.status, JSON.stringify(await response.json()));
  }
`;

test("the route of Next.js stores, explains, and lets through", { timeout: 120_000 }, async () => {
  const { code } = builtSamples().find(({ page, title }) => page === "frameworks" && title.endsWith("route.js"))!;
  const folder = mkdtempSync(join(tmpdir(), "docs-framework-"));
  const args = ["install", "--offline", "--no-audit", "--no-fund", join(PACKAGES, sdkWithId("javascript").file)];
  expect((await run("npm", args, { cwd: folder })).exit).toBe(0);
  writeFileSync(join(folder, "route.mjs"), code);
  writeFileSync(join(folder, "sign-up.mjs"), PROGRAM);
  const signUp = async (key: string, ...phones: string[]) => {
    const env = { CHECKLINE_API_KEY: key, CHECKLINE_BASE_URL: worker.url.replace(/\/$/, "") };
    return (await run(process.execPath, ["sign-up.mjs", ...phones], { cwd: folder, env })).stdout.trim().split("\n");
  };
  for (const mode of ["live", "test"] as const) {
    const key = await createKey(worker.db, mode);
    expect(await signUp(key, "(202) 555-0123", "+1202555"), mode).toStrictEqual([
      '200 {"phone":"+12025550123"}',
      '422 {"reason":"TOO_SHORT","suggestion":null}',
    ]);
  }
  expect(await signUp("ch_test_wrong", "+1202")).toStrictEqual(['200 {"phone":"+1202"}']);
  rmSync(folder, { recursive: true });
});
