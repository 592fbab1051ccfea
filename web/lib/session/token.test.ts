import { expect, test } from "vitest";
import { accountOf } from "./token.ts";

function tokenOf(claims: unknown, signature: string): string {
  return ["e30", Buffer.from(JSON.stringify(claims)).toString("base64url"), signature].join(".");
}

test("two tokens of an account are recognized as the same, another account's is not", () => {
  expect(accountOf(tokenOf({ sub: "usr_1", epoch: 0 }, "a"))).toBe("usr_1");
  expect(accountOf(tokenOf({ sub: "usr_1", epoch: 1, note: "??>>~~" }, "b"))).toBe("usr_1");
  expect(accountOf(tokenOf({ sub: "usr_2", epoch: 0 }, "a"))).toBe("usr_2");
});

test.each(["", "garbage", "a.b.c", tokenOf(null, "a"), tokenOf({}, "a"), tokenOf({ sub: 1 }, "a")])(
  "%j identifies only itself",
  (token) => {
    expect(accountOf(token)).toBe(token);
  },
);
