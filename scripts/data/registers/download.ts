import { writeFileSync } from "node:fs";
import { extname, join } from "node:path";

/** NANPA's blocks are 12 MB. */
const DEADLINE_MS = 120_000;

/**
 * Downloads files into a folder. Their names get the day of Last-Modified, if the server sends one.
 * @param addresses by the start of the files' names
 * @throws Error if one can't be downloaded
 */
export async function download(
  addresses: Readonly<Record<string, string>>,
  directory: string,
  fetchFile: (url: string, init: RequestInit) => Promise<Response> = fetch,
): Promise<void> {
  for (const [start, url] of Object.entries(addresses)) {
    let bytes: Uint8Array;
    let modified: number;
    try {
      const response = await fetchFile(url, { signal: AbortSignal.timeout(DEADLINE_MS) });
      if (!response.ok) throw new Error(`status ${response.status}`);
      modified = Date.parse(response.headers.get("Last-Modified") ?? "");
      bytes = new Uint8Array(await response.arrayBuffer());
    } catch (problem) {
      const { message, cause } = problem as Error;
      throw new Error(`${url}: ${cause instanceof Error ? cause.message : message}`, { cause: problem });
    }
    const day = Number.isNaN(modified) ? "undated" : new Date(modified).toISOString().slice(0, 10);
    writeFileSync(join(directory, `${start}-${day}${extname(url)}`), bytes);
  }
}
