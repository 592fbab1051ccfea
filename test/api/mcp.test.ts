import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, test } from "vitest";
import { createKey } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { post } from "../requests.ts";

const worker = startWorker();

/** The protocol authors' own client, as used by assistants. */
async function connect(key: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", worker.url), { requestInit }));
  return client;
}

test("the official client finds and calls the tools", async () => {
  const key = await createKey(worker.db, "live");
  const client = await connect(key);
  expect(client.getServerVersion()).toMatchObject({ name: "checkline" });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toStrictEqual(["verify_number", "verify_batch", "explain_reason"]);
  // The client checks each structured result against its tool's schema.
  for (const { outputSchema } of tools) expect(outputSchema).toMatchObject({ type: "object" });
  const args = { number: "020 7946 0018", country: "GB" };
  const { structuredContent } = await client.callTool({ name: "verify_number", arguments: args });
  const single = await worker.fetch("/api/v1/verify", post(key, args));
  expect(structuredContent).toStrictEqual(await single.json());
  const batch = await client.callTool({
    name: "verify_batch",
    arguments: { numbers: ["+1202", { number: "030 901820", country: "DE" }] },
  });
  expect(batch.structuredContent).toMatchObject({ results: [{ valid: false }, { valid: true, country_code: "DE" }] });
  const explained = await client.callTool({ name: "explain_reason", arguments: { code: "TOO_SHORT" } });
  expect(JSON.stringify(explained.content)).toContain("missing digits");
  const wrong = await client.callTool({ name: "verify_number", arguments: { number: 5 } });
  expect(wrong).toMatchObject({ isError: true });
  await client.ping();
  await client.close();
});

test("the official client is rejected without a valid key", async () => {
  await expect(connect("ch_test_nonsense")).rejects.toThrow("INVALID_API_KEY");
});
