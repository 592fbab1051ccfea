import { env } from "cloudflare:workers";
import { createApp } from "../../worker/app.ts";
import type { Bindings } from "../../worker/env.ts";
import { createIsolate } from "../../worker/io.ts";

export { Ledger } from "../../worker/ledger/object.ts";

/**
 * This project's worker, with a counter in memory in place of the platform's rate limiting binding, which counts in the memory of the
 * machine. The local runtime's own writes a row to disk for each call, and that would be all that is measured.
 */
const counts = new Map<string, number>();

const BACKSTOP: Bindings["BACKSTOP"] = {
  async limit({ key }) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return { success: true };
  },
};

// The line is made, but not written: the local runtime writes each with a separate system call.
console.log = () => {};

export default createApp(createIsolate({ ...(env as unknown as Bindings), BACKSTOP }));
