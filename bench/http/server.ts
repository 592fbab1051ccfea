import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../../scripts/local/run.ts";
import { createKey } from "../../test/factories.ts";
import { post } from "../../test/requests.ts";
import { bundle, startWorker } from "../../test/runtime.ts";
import { openWorker } from "../../test/worker.ts";

type Headers = Readonly<Record<string, string>>;

/** A request to a worker in a separate process, behind a direct socket. Its bodies are sent one after the other. */
export interface Call {
  readonly url: URL;
  readonly headers: Headers;
  readonly bodies: readonly string[];
  /** The worker's CPU time so far, in microseconds. */
  spent(): number;
}

/** The contract's limits with a pro plan that no run reaches, though its calls count. */
async function withoutLimits(): Promise<ReadonlyMap<string, string>> {
  const path = join(ROOT, "contract/limits.ts");
  const source = await readFile(path, "utf8");
  const changed = source.replace("pro: 600 }", "pro: 1e9 }").replace("pro: 60_000 }", "pro: 1e9 }");
  if (changed.length !== source.length - "600".length - "60_000".length + 2 * "1e9".length) {
    throw new Error("contract/limits.ts has other limits");
  }
  return new Map([[path, changed]]);
}

/** Calls the worker with a path and bodies. */
export type Product = (path: string, bodies: readonly string[]) => Call;

/** A verification of one number. */
export const VERIFY = ["/api/v1/verify", [JSON.stringify({ number: "+5511987654321" })]] as const;

/** Runs the worker of wrangler.toml, called with a live key of the pro plan, with limits and metering on. */
export async function withProduct<Result>(use: (product: Product) => Promise<Result>): Promise<Result> {
  const { url, db, spent, close } = await openWorker({
    entry: join(import.meta.dirname, "verify.ts"),
    replaced: await withoutLimits(),
    settings: { ENVIRONMENT: "production" },
    // Files are served without the worker; queue consumers run elsewhere in production, and here would share the one
    // thread; verify.ts has the limiter.
    without: ["assets", "ratelimits", "queueConsumers"],
  });
  try {
    const { headers = {} } = post(await createKey(db, "live", { plan: "pro" }), "");
    return await use((path, bodies) => ({
      url: new URL(path, url),
      headers: { ...headers } as Headers,
      bodies,
      spent,
    }));
  } finally {
    await close();
  }
}

/** Runs the least that a route can do, for the same call, with a response as long as the call's. */
export async function withBare<Result>(call: Call, use: (bare: Call) => Promise<Result>): Promise<Result> {
  const { url: called, headers, bodies } = call;
  const response = await fetch(called, { method: "POST", headers, body: bodies[0]! });
  const options = { compatibilityDate: "2026-10-30", bindings: { ANSWER: await response.text() } };
  const { runtime, url, spent } = await startWorker(await bundle(join(import.meta.dirname, "bare.ts")), options);
  try {
    return await use({ ...call, url: new URL(called.pathname, url), spent });
  } finally {
    await runtime.dispose();
  }
}
