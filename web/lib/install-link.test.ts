import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ASSISTANTS, installLink } from "./install-link.ts";
import type { Assistant } from "./install-link.ts";

const PAGE = readFileSync(new URL("../content/docs/mcp.mdx", import.meta.url), "utf8");
const ORIGIN = "https://checkline.example";

/** The configuration file that the page shows under this title. */
function shown(title: string) {
  const [, json] = PAGE.split(`title="${title}"\n`)[1]!.match(/^([\s\S]*?)\n```/)!;
  return JSON.parse(json!);
}

/** The configuration within a link. */
function linked(assistant: Assistant) {
  const [, query = ""] = installLink(assistant, ORIGIN).split("?");
  if (assistant === "vscode") return JSON.parse(decodeURIComponent(query));
  const fields = new URLSearchParams(query);
  return { name: fields.get("name"), ...JSON.parse(atob(fields.get("config")!)) };
}

test("Cursor's link adds what the page shows", () => {
  const { checkline } = shown("~/.cursor/mcp.json").mcpServers;
  expect(linked("cursor")).toStrictEqual({ name: "checkline", ...checkline });
});

test("VS Code's link adds what the page shows", () => {
  const { inputs, servers } = shown(".vscode/mcp.json");
  expect(linked("vscode")).toStrictEqual({ name: "checkline", ...servers.checkline, inputs });
});

test("LM Studio's link adds what the page shows", () => {
  const { checkline } = shown("mcp.json").mcpServers;
  expect(linked("lmstudio")).toStrictEqual({ name: "checkline", ...checkline });
});

test.each(Object.keys(ASSISTANTS))("the page has the link of %s", (assistant) => {
  expect(PAGE).toContain(`<InstallLink to="${assistant}" />`);
});
