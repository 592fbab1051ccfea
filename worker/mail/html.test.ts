import { describe, expect, test } from "vitest";
import { escapeHtml, html } from "./html.ts";
import type { Html } from "./html.ts";

describe("html", () => {
  test("escapes what could end a text or an attribute", () => {
    expect(escapeHtml(`<a href="x" title='y'>&amp;`)).toBe("&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;");
    expect(html`<b>${"<i>"}</b>`.markup).toBe("<b>&lt;i&gt;</b>");
  });

  test("takes numbers, and its own markup as it is", () => {
    const inner = html`<i>${"&"}</i>`;
    expect(html`<b>${1}${inner}${[inner, inner]}</b>`.markup).toBe(`<b>1${"<i>&amp;</i>".repeat(3)}</b>`);
    expect(html`${[]}`.markup).toBe("");
  });

  test("does not take a look-alike for markup", () => {
    const lookAlike = JSON.parse('{"markup":"<script>"}') as Html;
    expect(() => html`${lookAlike}`.markup).toThrow(TypeError);
  });
});
