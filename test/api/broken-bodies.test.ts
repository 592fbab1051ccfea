import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { MAX_BODY_BYTES } from "../../contract/limits.ts";
import { createKey } from "../factories.ts";
import { startWorker } from "../harness.ts";

const worker = startWorker();

async function open(path: string, headers: readonly string[], body: string): Promise<Socket> {
  const { hostname, port } = new URL(worker.url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const head = [`POST ${path} HTTP/1.1`, "Host: checkline.test", "Content-Type: application/json", ...headers, "", ""];
  socket.write(head.join("\r\n") + body);
  return socket;
}

function requestLines(): { readonly route: string; readonly status: number; readonly level: string }[] {
  return worker
    .logs()
    .filter((line) => line.includes('"event":"request"'))
    .map((line) => JSON.parse(line) as { route: string; status: number; level: string });
}

test.each([
  ["whose length is known", "Content-Length: 100", '{"number":'],
  ["in chunks", "Transfer-Encoding: chunked", '5\r\n{"num\r\n'],
  ["in malformed chunks", "Transfer-Encoding: chunked", "zz\r\n{}\r\n"],
])("an upload %s that is cut off is not our failure", async (_, header, body) => {
  const key = await createKey(worker.db, "test");
  const before = requestLines().length;
  for (const path of ["/api/v1/auth/login", "/api/v1/verify"]) {
    const socket = await open(path, [`Authorization: Bearer ${key}`, header], body);
    await new Promise((resolve) => setTimeout(resolve, 300));
    socket.destroy();
  }
  // A later request is logged after the outcome of these.
  await expect.poll(async () => (await worker.fetch("/api/v1/health")).status, { timeout: 5_000 }).toBe(200);
  await expect.poll(() => requestLines().length).toBeGreaterThan(before);
  expect(requestLines().filter(({ status }) => status >= 500)).toStrictEqual([]);
  expect(worker.logs().filter((line) => /"event":"failure"|"level":"error"/.test(line))).toStrictEqual([]);
});

test("a Content-Length doesn't hide a larger chunked body", async () => {
  const key = await createKey(worker.db, "test");
  const headers = [
    `Authorization: Bearer ${key}`,
    "Content-Length: 2",
    "Transfer-Encoding: chunked",
    "Connection: close",
  ];
  const chunk = " ".repeat(MAX_BODY_BYTES + 1);
  const socket = await open("/api/v1/verify", headers, `${chunk.length.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`);
  const [head] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  expect(head.toString()).toMatch(/^HTTP\/1\.1 413 /);
});
