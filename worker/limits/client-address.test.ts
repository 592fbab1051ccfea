import { expect, test } from "vitest";
import { clientAddress } from "./client-address.ts";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
  ["2001:DB8:1:2::9", "2001:db8:1::/48"],
  ["2001:db8:1:ffff::1", "2001:db8:1::/48"],
  ["2001:db8:2::1", "2001:db8:2::/48"],
  ["2001:db8::1", "2001:db8:0::/48"],
  ["2001:0db8:0000:0000::1", "2001:db8:0::/48"],
  ["::1", "0:0:0::/48"],
])("%s counts as %s", (address, expected) => {
  expect(clientAddress(address)).toBe(expected);
});

test("callers without an address share one count", () => {
  expect(clientAddress(undefined)).toBe("local");
});
