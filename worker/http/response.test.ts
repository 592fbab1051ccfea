import { expect, test } from "vitest";
import { createReusedHeaders } from "./response.ts";

const STANDARD = new Headers({ "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" });

test("no response gets a header of the previous one", () => {
  const withParticular = createReusedHeaders(STANDARD);
  const sent = [
    { "X-Request-Id": "req_1", "Retry-After": "5" },
    { "Access-Control-Allow-Origin": "*", "X-Request-Id": "req_2" },
    {},
  ].map((particular) => Object.fromEntries(new Response(null, { headers: withParticular(particular) }).headers));
  const standard = Object.fromEntries(STANDARD);
  expect(sent).toStrictEqual([
    { ...standard, "x-request-id": "req_1", "retry-after": "5" },
    { ...standard, "x-request-id": "req_2", "access-control-allow-origin": "*" },
    standard,
  ]);
});

test("an invalid header value leaves nothing behind", () => {
  const withParticular = createReusedHeaders(STANDARD);
  const broken = { "X-Request-Id": "req_1", "X-Broken": "\n\0", "Retry-After": "5" };
  expect(() => withParticular(broken)).toThrow();
  expect(withParticular({ "X-Request-Id": "req_1", "Retry-After": "5" }).get("Retry-After")).toBe("5");
  expect(Object.fromEntries(withParticular({}))).toStrictEqual(Object.fromEntries(STANDARD));
});

test("a standard header that one response overrides is restored in the next", () => {
  const withParticular = createReusedHeaders(STANDARD);
  expect(withParticular({ "Cache-Control": "public" }).get("Cache-Control")).toBe("public");
  expect(withParticular({}).get("Cache-Control")).toBe("no-store");
  expect(STANDARD.get("Cache-Control")).toBe("no-store");
});

test.each(["Retry-After", "Cache-Control"])("%s is set again if it comes back with the same value", (name) => {
  const withParticular = createReusedHeaders(STANDARD);
  for (const value of ["5", null, "5"]) {
    const expected = value ?? STANDARD.get(name);
    expect(withParticular(value === null ? {} : { [name]: value }).get(name)).toBe(expected);
  }
});
