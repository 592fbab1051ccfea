import { expect, test } from "vitest";
import { jsonHtml } from "./json-html.ts";

const plain = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&");

test("values are colored by kind, names are not", () => {
  expect(jsonHtml('{"valid": true, "n": -1.5e3, "carrier": "TIM"}')).toBe(
    [
      '<span style="color:var(--shiki-token-punctuation)">{</span>"valid"<span style="color:var(--shiki-token-punctuation)">:</span> ',
      '<span style="color:var(--shiki-token-constant)">true</span><span style="color:var(--shiki-token-punctuation)">,</span> ',
      '"n"<span style="color:var(--shiki-token-punctuation)">:</span> <span style="color:var(--shiki-token-constant)">-1.5e3</span>',
      '<span style="color:var(--shiki-token-punctuation)">,</span> "carrier"<span style="color:var(--shiki-token-punctuation)">:</span> ',
      '<span style="color:var(--shiki-token-string)">"TIM"</span><span style="color:var(--shiki-token-punctuation)">}</span>',
    ].join(""),
  );
});

test.each([
  '{"a": "quote \\" and : , [ inside", "b": [1, null, false]}',
  '{"a": "<script>alert(1)</script> & more"}',
  "<h1>502 Bad Gateway</h1>",
  '"no end',
  "",
])("the text stays the same, without markup: %s", (json) => {
  const html = jsonHtml(json);
  expect(plain(html)).toBe(json);
  expect(html.replaceAll(/<span style="color:var\(--shiki-token-\w+\)">|<\/span>/g, "")).not.toContain("<");
});
