import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openPlatform } from "../../scripts/admin/platform.ts";
import { ENVIRONMENTS } from "../../scripts/deploy/arguments.ts";
import { startCloudflareApi } from "../cloudflare-api.ts";
import { writeProjectConfig } from "../wrangler-config.ts";

// What the deployed database answers cannot be had without an account; which one is asked for can.

const CONFIG = writeProjectConfig(({ env }) => {
  for (const name of ENVIRONMENTS) env[name].d1_databases[0]!.database_name = `database-of-${name}`;
});
let api: Awaited<ReturnType<typeof startCloudflareApi>>;

beforeAll(async () => {
  api = await startCloudflareApi();
  for (const [name, value] of Object.entries(api.variables)) vi.stubEnv(name, value);
  // Workers that other files have started here are to log warnings only, and so would wrangler.
  vi.stubEnv("WRANGLER_LOG", undefined);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await api.close();
});

test.each(ENVIRONMENTS)("--remote --env %s looks for the database of that environment", async (name) => {
  await expect(openPlatform(name, CONFIG)).rejects.toThrow(
    `The account has no D1 database called database-of-${name}.`,
  );
});
