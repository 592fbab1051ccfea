import { Hono } from "hono";
import { expect, test } from "vitest";
import type { AppEnv } from "../env.ts";
import { clientAddress } from "./client-address.ts";

const app = new Hono<AppEnv>().get("/", (c) => c.text(clientAddress(c)));

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::9", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:0db8:0000:0000::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
])("%s counts as %s", async (address, expected) => {
  const response = await app.request("/", { headers: { "CF-Connecting-IP": address } });
  expect(await response.text()).toBe(expected);
});

test("callers without an address count as one", async () => {
  expect(await (await app.request("/")).text()).toBe("local");
});
