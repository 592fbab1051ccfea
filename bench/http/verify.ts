import { env } from "cloudflare:workers";
import { createApp } from "../../worker/app.ts";
import type { Bindings } from "../../worker/env.ts";
import { createIsolate } from "../../worker/io.ts";

export { Ledger } from "../../worker/ledger/object.ts";

/**
 * This project's worker, with an in-memory counter instead of the platform's rate limiting binding, which also counts
 * in memory. The local runtime's version writes a row to disk per call, which would dominate the measurement.
 */
const counts = new Map<string, number>();

const backstop: Bindings["BACKSTOP"] = {
  async limit({ key }) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return { success: true };
  },
};

// The line is built but not written: the local runtime uses a separate system call for each.
console.log = () => {};

export default createApp(
  createIsolate({ ...(env as unknown as Bindings), BACKSTOP: backstop, ACCOUNT_BACKSTOP: backstop }),
);
