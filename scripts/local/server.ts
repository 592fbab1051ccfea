import { subscribe } from "node:diagnostics_channel";
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { runSchedules } from "./cron.ts";
import { ROOT } from "./run.ts";
import { DevEnv } from "./wrangler.ts";

/**
 * Rejects when a runtime ends that neither wrangler nor Ctrl-C ended. wrangler would start another one, which accepts
 * calls and never answers.
 */
export function runtimeKilled(): Promise<never> {
  return new Promise((_, reject) => {
    subscribe("child_process", (message) => {
      const { process: child } = message as { process: ChildProcess };
      child.once("exit", (code, signal) => {
        if (!child.spawnfile.includes("workerd") || child.killed || signal === "SIGINT") return;
        const end = signal === null ? `with ${code}` : `by ${signal}`;
        reject(new Error(`The runtime was ended ${end}; maybe the memory is full. Start again: npm start`));
      });
    });
  });
}

/** A line of the worker's log. */
export interface LogLine {
  readonly level: string;
  readonly message: string;
}

/** Resolves once the worker can answer. @throws Error if it can't be built or started */
function loaded(environment: InstanceType<typeof DevEnv>): Promise<void> {
  return new Promise((resolve, reject) => {
    environment.once("reloadComplete", () => resolve());
    environment.once("buildFailed", () => reject(new Error("The worker wasn't built, for the reason above.")));
    environment.once("error", (error: Error) => reject(error.cause ?? error));
  });
}

/**
 * Runs the worker in this process. Of wrangler's own output, only errors are printed.
 * @param origin of the links in emails
 * @throws Error as `loaded`
 */
export async function serveWorker(port: number, origin: string, printLog: (line: LogLine) => void) {
  const environment = new DevEnv();
  const [worker] = await Promise.all([
    environment.startWorker({
      config: join(ROOT, "wrangler.toml"),
      bindings: { PUBLIC_ORIGIN: { type: "plain_text", value: origin } },
      dev: {
        watch: true,
        inspector: false,
        server: { hostname: "127.0.0.1", port },
        structuredLogsHandler: printLog,
      },
    }),
    loaded(environment),
  ]);
  runSchedules(`http://127.0.0.1:${port}`);
  return worker;
}
