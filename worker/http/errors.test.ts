import { DrizzleQueryError } from "drizzle-orm";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { RequestContext } from "./context.ts";
import { logFailure, methodNotAllowed } from "./errors.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

function logged(thrown: unknown): string {
  const spy = vi.spyOn(console, "error").mockReturnValue();
  logFailure("req_1", thrown);
  return String(spy.mock.calls[0]?.[0]);
}

describe("logFailure", () => {
  test("writes one line of JSON with message and stack", () => {
    const line = JSON.parse(logged(new TypeError("x is not a function"))) as Record<string, string>;
    expect(line).toMatchObject({ level: "error", event: "failure", request_id: "req_1" });
    expect(line["message"]).toBe("x is not a function");
    expect(line["stack"]).toContain("errors.test.ts");
  });

  test("includes the failed query but not its parameters", () => {
    const error = new DrizzleQueryError(
      "select * from users where email = ?",
      ["ada@example.com"],
      new Error("no table"),
    );
    const line = logged(error);
    expect(line).toContain("no table");
    expect(line).toContain("where email = ?");
    expect(line).not.toContain("ada@example.com");
  });

  test("handles a thrown value that isn't an error", () => {
    expect(logged("a string")).toContain("a string");
  });
});

test.each([
  [["POST"], "Use POST for this path, not PUT."],
  [["GET", "HEAD"], "Use GET or HEAD for this path, not PUT."],
  [["GET", "HEAD", "POST"], "Use GET, HEAD, or POST for this path, not PUT."],
])("a 405 lists the methods: %j", (allowed, message) => {
  const c = { req: { method: "PUT" } } as RequestContext;
  expect(methodNotAllowed(c, allowed).message).toBe(message);
});
