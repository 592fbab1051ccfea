/** Assistants that add a server from a link, by the names of `<InstallLink to="…">`. */
export const ASSISTANTS = { cursor: "Cursor", vscode: "VS Code", lmstudio: "LM Studio" } as const;
export type Assistant = keyof typeof ASSISTANTS;

/** A link that opens an assistant and adds the MCP server at this origin. It never contains a key. */
export function installLink(assistant: Assistant, origin: string): string {
  const server = (key: string) => ({ url: `${origin}/mcp`, headers: { Authorization: `Bearer ${key}` } });
  // Cursor's format, which LM Studio shares.
  const query = (key: string) => `name=checkline&config=${encodeURIComponent(btoa(JSON.stringify(server(key))))}`;
  switch (assistant) {
    case "cursor":
      return `cursor://anysphere.cursor-deeplink/mcp/install?${query("${env:CHECKLINE_API_KEY}")}`;
    case "lmstudio":
      return `lmstudio://add_mcp?${query("YOUR_API_KEY")}`;
    case "vscode": {
      const input = { type: "promptString", id: "checkline-key", description: "Checkline API key", password: true };
      const entry = { name: "checkline", type: "http", ...server("${input:checkline-key}"), inputs: [input] };
      return `vscode:mcp/install?${encodeURIComponent(JSON.stringify(entry))}`;
    }
  }
}
