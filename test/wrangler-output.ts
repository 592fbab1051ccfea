import type { WranglerRun } from "../scripts/deploy/wrangler.ts";

/** What wrangler prints when Cloudflare refuses something. */
export function refused(message: string): WranglerRun {
  const stderr = `\u001b[31m✘ [ERROR]\u001b[0m A request to the Cloudflare API (/accounts/1/x) failed.\n\n  ${message}\n\n\n🪵  Logs were written to "x.log"\n`;
  return { code: 1, stdout: "", stderr };
}

/** What it prints when it refuses something itself. */
export function failed(message: string): WranglerRun {
  return { code: 1, stdout: "", stderr: `✘ [ERROR] ${message}\n` };
}

/** What it prints when it has done something: text, or JSON. */
export function printed(value: unknown): WranglerRun {
  return { code: 0, stdout: typeof value === "string" ? value : JSON.stringify(value, null, 2), stderr: "" };
}
