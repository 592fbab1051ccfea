import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { API_BASE_PATH, ORIGIN } from "../../../contract/origin.ts";
import { readSample } from "../../plugins/code-sample.ts";

const NUMBER = "+5511987654321";
const CALLS = [
  "verify.sh",
  "verify.rb",
  "verify.py",
  "verify.php",
  "verify.mjs",
  "verify.go",
  "Verify.java",
  "verify.dart",
];
const WITHOUT_A_KEY = ["get.rb", "get.py", "get.php", "get.mjs", "get.go", "Get.java", "get.dart"];

function sample(name: string) {
  return readSample(join(import.meta.dirname, name));
}

function textOf(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&");
}

describe.each(CALLS)("%s", (file) => {
  test("makes the same call as the others, with the key from the environment", async () => {
    const { text } = await sample(file);
    expect(text.split(ORIGIN)).toHaveLength(2);
    expect(text).toContain(`${ORIGIN}${API_BASE_PATH}/verify`);
    expect(text).toContain(NUMBER);
    expect(text).toContain("CHECKLINE_API_KEY");
    expect(text).toMatch(/Authorization.{1,8}Bearer /);
    expect(text).toMatch(/Content-Type|contentType/);
    expect(text).not.toMatch(/ch_(test|live)_/);
  });
});

test.each(WITHOUT_A_KEY)("%s reads a country without a key", async (file) => {
  const { text } = await sample(file);
  expect(text).toContain(`${ORIGIN}${API_BASE_PATH}/countries/GM`);
  expect(text).not.toContain("Authorization");
});

describe.each([...CALLS, ...WITHOUT_A_KEY])("%s", (file) => {
  test("fits its place without scrolling on a wide screen", async () => {
    const lines = (await sample(file)).text.replaceAll("\t", "  ").split("\n");
    expect(lines.filter((line) => line.length > 76)).toEqual([]);
  });

  test("keeps its text when highlighted, and its origin in one piece for the page to replace", async () => {
    const { text, html } = await sample(file);
    expect(textOf(html)).toBe(text);
    expect(html.split(ORIGIN)).toHaveLength(2);
    expect(html).toContain("var(--shiki-token-");
    expect(html).not.toContain("background");
  });
});
