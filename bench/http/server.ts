import { join } from "node:path";
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

/** Calls the worker with a path and bodies. */
export type Product = (path: string, bodies: readonly string[]) => Call;

/** A verification of one number. */
export const VERIFY = ["/api/v1/verify", [JSON.stringify({ number: "+5511987654321" })]] as const;

/** Runs the worker of wrangler.toml, called with a live key of the pro plan, with metering on and limits that no run reaches. */
export async function withProduct<Result>(use: (product: Product) => Promise<Result>): Promise<Result> {
  const { url, db, spent, close } = await openWorker({
    entry: join(import.meta.dirname, "verify.ts"),
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
