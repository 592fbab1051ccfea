import type { Io } from "./deployment.ts";

/**
 * Aborted by the first SIGINT or SIGTERM, such as Ctrl-C. Further ones change nothing, so that what was begun can be undone; npm hands
 * on what its terminal has sent already.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => controller.abort(new Error(`Stopped by ${name}.`)));
  }
  return controller.signal;
}

/**
 * What a deployment does until it is stopped. Builds, tests and pauses end at once. A command of wrangler that runs is awaited, since
 * nobody could say what one that was cut off has done; no other begins.
 */
export function stoppable(io: Io): Io {
  const { stopped } = io;
  return {
    ...io,
    async run(args, env) {
      stopped.throwIfAborted();
      return io.run(args, env);
    },
    build: (script, variables) => io.build(script, variables, stopped),
    fetch: (url, init) => io.fetch(url, { ...init, signal: AbortSignal.any([stopped, init.signal ?? stopped]) }),
    sleep: (ms) => io.sleep(ms, stopped),
  };
}
