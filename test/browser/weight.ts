import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";

/** A script that a page has loaded. */
export interface Script {
  readonly path: string;
  readonly text: string;
  /** Bytes, compressed. */
  readonly size: number;
}

/** Collects every script that a page loads from now on, each once, by path. */
export function watchScripts(page: Page): () => Promise<Script[]> {
  const loading = new Map<string, Promise<Script>>();
  page.on("response", (response) => {
    const { pathname: path } = new URL(response.url());
    if (response.request().resourceType() !== "script" || loading.has(path)) return;
    const script = response.body().then((body) => ({ path, text: body.toString(), size: gzipSync(body).byteLength }));
    loading.set(path, script);
  });
  return () => Promise.all(loading.values());
}

/** Whether the dashboard's code is among the scripts: the store of its data, by what no other code contains. */
export function hasDashboard(scripts: readonly Script[]): boolean {
  return scripts.some(({ text }) => text.includes("No QueryClient set"));
}

/** The total compressed size of scripts, in bytes; prints it. */
export function weightOf(name: string, scripts: readonly Script[]): number {
  const bytes = scripts.reduce((sum, { size }) => sum + size, 0);
  console.log(`${name} loads ${(bytes / 1000).toFixed(1)} kB of JavaScript (gzip) in ${scripts.length} files.`);
  return bytes;
}
