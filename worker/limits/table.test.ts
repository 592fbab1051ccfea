import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LIMITS } from "./table.ts";

test("each limit counts somewhere", () => {
  const files = globSync("worker/**/*.ts").filter((file) => !/(table|\.test)\.ts$/.test(file));
  const [, ...uses] = readFileSync("worker/limits/table.ts", "utf8").split("} as const;");
  const code = [...files.map((file) => readFileSync(file, "utf8")), ...uses].join("");
  expect(Object.keys(LIMITS).filter((name) => !code.includes(`LIMITS.${name}`))).toStrictEqual([]);
});
