import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { assertPortIsFree, configuredPort } from "./port.ts";

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
