import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { assertPortIsFree, configuredPort, rememberPort, runningPort } from "./port.ts";

describe("the port", () => {
  test.each([
    [undefined, 8787],
    ["", 8787],
    ["3000", 3000],
  ])("is from PORT=%s: %d", (value, port) => {
    expect(configuredPort(value)).toBe(port);
  });

  test.each(["http", "0", "-1", "80.5", "65535", "99999"])("is never %s", (value) => {
    expect(() => configuredPort(value)).toThrow("PORT must be a whole number");
  });
});

test("admin commands know the port while the server runs", async () => {
  const folder = mkdtempSync(join(tmpdir(), "checkline-port-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "new/port");
  expect(await runningPort(undefined, file)).toBe(8787);
  const forget = await rememberPort(8851, file);
  expect(await runningPort("", file)).toBe(8851);
  expect(await runningPort("9000", file)).toBe(9000);
  await forget();
  expect(await runningPort(undefined, file)).toBe(8787);
});

describe("assertPortIsFree", () => {
  const server = createServer();
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  test("has a clear error if it is taken, and none if it is free", async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await expect(assertPortIsFree(port)).rejects.toThrow(`Port ${port} is in use`);
    await new Promise((resolve) => server.close(resolve));
    await expect(assertPortIsFree(port)).resolves.toBeUndefined();
  });
});
