import type { ExecutionContext } from "@cloudflare/workers-types";
import worker from "../../worker/index.ts";
import type { Bindings } from "../../worker/env.ts";

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

// The line is made, but not written: the local runtime writes each with a system call of its own.
console.log = () => {};

let bindings: Bindings | undefined;

export default {
  ...worker,
  fetch(request: Request, env: Bindings, context: ExecutionContext) {
    bindings ??= { ...env, BACKSTOP };
    return worker.fetch(request as never, bindings, context);
  },
};
