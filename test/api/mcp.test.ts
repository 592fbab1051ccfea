import { Client as Client2026, StreamableHTTPClientTransport as Transport2026 } from "@modelcontextprotocol/client";
import { Client as Client2025 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Transport2025 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, test } from "vitest";
import { API_VERSION } from "../../contract/origin.ts";
import { createKey } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { post } from "../requests.ts";

const worker = startWorker();

const NAME = { name: "test", version: "1.0.0" };

function transportOptions(key: string) {
  return { requestInit: { headers: { Authorization: `Bearer ${key}` } } };
}

async function connect2025(key: string): Promise<Client2025> {
  const client = new Client2025(NAME);
  await client.connect(new Transport2025(new URL("/mcp", worker.url), transportOptions(key)));
  return client;
}

async function connect2026(key: string, mode: "legacy" | "auto" | { pin: string }): Promise<Client2026> {
  const client = new Client2026(NAME, { versionNegotiation: { mode } });
  await client.connect(new Transport2026(new URL("/mcp", worker.url), transportOptions(key)));
  return client;
}

/** The protocol authors' own clients, as used by assistants: the one of 2025, and the one of 2026 in each of its modes. */
const CLIENTS: readonly [string, (key: string) => Promise<Client2025 | Client2026>][] = [
  ["of 2025", connect2025],
  ["of 2026, with a handshake", (key) => connect2026(key, "legacy")],
  ["of 2026, choosing the revision itself", (key) => connect2026(key, "auto")],
  ["of 2026, without a handshake", (key) => connect2026(key, { pin: "2026-07-28" })],
];

describe.each(CLIENTS)("the official client %s", (_, connect) => {
  test("finds and calls the tools", async () => {
    const key = await createKey(worker.db, "live");
    const client = await connect(key);
    expect(client.getServerVersion()).toMatchObject({ name: "checkline", version: API_VERSION });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toStrictEqual(["verify_number", "verify_batch", "explain_reason"]);
    // The client checks each structured result against its tool's schema.
    for (const { outputSchema } of tools) expect(outputSchema).toMatchObject({ type: "object" });
    const args = { number: "020 7946 0018", country: "GB" };
    const { structuredContent } = await client.callTool({ name: "verify_number", arguments: args });
    const single = await worker.fetch("/api/v1/verify", post(key, args));
    expect(await single.json()).toMatchObject(structuredContent as object);
    expect(structuredContent).toMatchObject({ valid: true, number: "+442079460018", line_type: "fixed" });
    const batch = await client.callTool({
      name: "verify_batch",
      arguments: { numbers: ["+1202", { number: "030 901820", country: "DE" }] },
    });
    expect(batch.structuredContent).toMatchObject({ results: [{ valid: false }, { valid: true, country_code: "DE" }] });
    const explained = await client.callTool({ name: "explain_reason", arguments: { code: "TOO_SHORT" } });
    expect(JSON.stringify(explained.content)).toContain("missing digits");
    const wrong = await client.callTool({ name: "verify_number", arguments: { number: 5 } });
    expect(wrong).toMatchObject({ isError: true });
    await client.close();
  });

  test("is rejected without a valid key", async () => {
    await expect(connect("ch_test_nonsense")).rejects.toThrow(/INVALID_API_KEY|HTTP 401/);
  });
});

test("the official client of 2026 chooses the newest revision", async () => {
  const client = await connect2026(await createKey(worker.db, "test"), "auto");
  expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
  await client.close();
});

test("the official client of 2025 can ping", async () => {
  const client = await connect2025(await createKey(worker.db, "test"));
  await client.ping();
  await client.close();
});
