import { createRequire } from "node:module";
import { availableParallelism, cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";

const runtime = createRequire(fileURLToPath(import.meta.resolve("miniflare")))("workerd") as {
  readonly default: string;
  readonly version: string;
};

/** The runtime that miniflare starts. */
export const WORKERD = { path: runtime.default, version: runtime.version };

/** What figures depend on. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  /** How many threads wanted to run in the minute before. Over 1, other programs affect the figures. */
  readonly load: number;
  readonly node: string;
  readonly workerd: string;
}

/** This machine, now. */
export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? "an unknown processor",
    cores: availableParallelism(),
    load: Number(loadavg()[0]!.toFixed(1)),
    node: process.versions.node,
    workerd: WORKERD.version,
  };
}
