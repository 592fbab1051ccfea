import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { AllowedOrigins, readOrigin } from "./allowed-origins.ts";

describe("an origin", () => {
  test.each([
    ["https://shop.example", "https://shop.example"],
    ["https://shop.example/", "https://shop.example"],
    ["HTTPS://Shop.Example", "https://shop.example"],
    ["https://shop.example:443", "https://shop.example"],
    ["https://shop.example:8443", "https://shop.example:8443"],
    ["https://müller.example", "https://xn--mller-kva.example"],
    ["https://ＳＨＯＰ。example", "https://shop.example"],
    ["https://my_shop.example", "https://my_shop.example"],
    ["https://192.0.2.7", "https://192.0.2.7"],
    ["https://[2001:db8::0:1]:8443", "https://[2001:db8::1]:8443"],
    ["http://localhost", "http://localhost"],
    ["http://localhost:80", "http://localhost"],
    ["http://localhost:3000", "http://localhost:3000"],
    ["http://app.localhost:3000", "http://app.localhost:3000"],
    ["http://127.0.0.1:5173", "http://127.0.0.1:5173"],
    ["http://[::1]:5173", "http://[::1]:5173"],
    [`https://${"a".repeat(60)}.example`, `https://${"a".repeat(60)}.example`],
  ])("%s is sent as %s", (text, origin) => {
    expect(readOrigin(text)).toBe(origin);
    // What browsers send is kept as it is.
    expect(readOrigin(origin)).toBe(origin);
  });

  test.each([
    "",
    "null",
    "*",
    "shop.example",
    "https:",
    "https://",
    "https:shop.example",
    "//shop.example",
    "https://*",
    "https://*.shop.example",
    "https://%2a.shop.example",
    "https://shop.example.",
    "https://.shop.example",
    "https://shop..example",
    "https://shop.example/path",
    "https://shop.example//",
    "https://shop.example\\path",
    "https://shop.example?query",
    "https://shop.example#hash",
    "https://user@shop.example",
    "https://shop.example@evil.example",
    "https://shop.example https://evil.example",
    "https://shop.example, https://evil.example",
    " https://shop.example",
    "https://shop.example\n",
    "https://shop.exa\tmple",
    "https://shop.example:99999",
    "http://shop.example",
    "http://localhost.evil.example",
    "http://notlocalhost",
    "http://127.0.0.1.evil.example",
    "http://0.0.0.0:3000",
    "http://192.168.0.2:3000",
    "ftp://localhost",
    "file:///index.html",
    "chrome-extension://abcdefgh",
    "javascript:alert(1)",
    "data:text/html,x",
    "blob:https://shop.example/1",
    `https://${"a.".repeat(140)}example`,
  ])("is not %j", (text) => {
    expect(readOrigin(text)).toBeNull();
  });
});

test("each is listed once, and at most ten are", () => {
  const twice = ["https://shop.example", "https://SHOP.example/", "http://localhost:3000"];
  expect(v.parse(AllowedOrigins, twice)).toStrictEqual(["https://shop.example", "http://localhost:3000"]);
  const many = Array.from({ length: 11 }, (_, index) => `https://shop-${index}.example`);
  expect(v.is(AllowedOrigins, many.slice(1))).toBe(true);
  expect(v.is(AllowedOrigins, many)).toBe(false);
});
