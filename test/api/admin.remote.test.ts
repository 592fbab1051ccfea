import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openPlatform } from "../../scripts/admin/platform.ts";
import { ENVIRONMENTS } from "../../scripts/arguments.ts";
import { writeProjectConfig } from "../wrangler-config.ts";
import { firstOrAll } from "../long.ts";

// A deployed database requires an account; finding out which one is used does not.

const CONFIG = writeProjectConfig(({ env }) => {
  for (const name of ENVIRONMENTS) env[name].d1_databases[0]!.database_name = `database-of-${name}`;
});

/** Cloudflare's API for an empty account. */
const api = createServer((_, response) => {
  response.setHeader("Content-Type", "application/json");
  response.end(
    JSON.stringify({ success: true, errors: [], messages: [], result: [], result_info: { total_count: 0 } }),
  );
});

beforeAll(async () => {
  await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
  const { port } = api.address() as AddressInfo;
  vi.stubEnv("CLOUDFLARE_API_BASE_URL", `http://127.0.0.1:${port}/client/v4`);
  vi.stubEnv("CLOUDFLARE_API_TOKEN", "token");
  vi.stubEnv("CLOUDFLARE_ACCOUNT_ID", "account");
});
afterAll(() => {
  vi.unstubAllEnvs();
  api.close();
});

test.each(firstOrAll(ENVIRONMENTS))("--remote --env %s looks for the database of that environment", async (name) => {
  await expect(openPlatform(name, CONFIG)).rejects.toThrow(
    `The account has no D1 database called database-of-${name}.`,
  );
});
