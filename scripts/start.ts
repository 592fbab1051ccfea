/**
 * Serves the whole product on this machine: `npm start`, or with hot reload `npm run dev`. Everything is local: the
 * database, the key-value store, and the queues are under .wrangler/.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { prepareDatabase } from "./local/demo-account.ts";
import type { DemoAccount } from "./local/demo-account.ts";
import { ensureDevVars } from "./local/dev-vars.ts";
import { explain } from "./local/faults.ts";
import { assertPortIsFree, configuredPort } from "./local/port.ts";
import { startTool, stayLocal } from "./local/run.ts";
import { claimFolder } from "./local/running.ts";
import { runtimeKilled, serveWorker } from "./local/server.ts";
import type { LogLine } from "./local/server.ts";
import { buildSite, SITE, siteIsBuilt } from "./local/site.ts";

/** Steps run beside each other, so the end of each has its own line. */
async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  console.log(`  ${title} …`);
  const result = await work();
  console.log(`  ${title}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return result;
}

function printWelcome(origin: string, demo: DemoAccount): void {
  if (demo.isNew) console.log("  The database was empty, so its demo account and keys are new.");
  console.log(`
  Checkline is ready on ${origin}

  Demo account   ${demo.email}
  Password       ${demo.password ?? "the one it was changed to"}
  Test key       ${demo.keys.test}
  Live key       ${demo.keys.live}

  Emails         ${origin}/dev/mailbox

  Verify a number (paste this into another terminal):

curl -X POST ${origin}/api/v1/verify \\
  -H "Authorization: Bearer ${demo.keys.live}" \\
  -H "Content-Type: application/json" \\
  -d '{"number": "+5511987654321"}'

  Stop with Ctrl-C. Restarting keeps your data and renews the demo trial.
`);
}

/** Whether the welcome is printed. Until then, nobody has sent a request to look up in the log. */
let isReady = false;

/** Prints a line of the worker's log, but not wrangler's complaint about a request body that the worker didn't read. */
function printLog({ level, message }: LogLine): void {
  if (message.startsWith("Failed to drain the unused request body")) return;
  if (level === "error") console.error(message);
  else if (isReady) console.log(message);
}

/** Makes the demo account's ledger count its sample usage. */
async function sendUsage(api: string, { usage }: DemoAccount): Promise<void> {
  if (usage === null) return;
  await fetch(`${api}/dev/usage`, { method: "POST", body: JSON.stringify({ part: usage }) });
}

/**
 * Resolves with the exit code: 0 after a signal or when npm is gone, since npm passes no signals on; else the child's.
 */
function ended(child: ChildProcess | null): Promise<number> {
  const parent = process.ppid;
  return new Promise((resolve, reject) => {
    for (const signal of ["SIGINT", "SIGTERM"]) {
      // The runtime's own listeners would exit immediately, with another code.
      process.removeAllListeners(signal).on(signal, () => resolve(0));
    }
    setInterval(() => process.ppid !== parent && resolve(0), 500).unref();
    child?.once("error", reject).once("close", (status) => resolve(status ?? 1));
  });
}

/** Stops a child and waits for it to exit. */
async function stop(child: ChildProcess | null): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "close");
}

async function main(): Promise<number> {
  stayLocal();
  process.env["WRANGLER_LOG"] ??= "error";
  const dev = process.argv.includes("--dev");
  const port = configuredPort(process.env["PORT"]);
  // With hot reload, the site's own server uses the port, and proxies API calls to the worker.
  const workerPort = dev ? port + 1 : port;
  claimFolder(port);
  await assertPortIsFree(port);
  if (dev) await assertPortIsFree(workerPort);
  await ensureDevVars();
  const origin = `http://localhost:${port}`;

  async function serve() {
    // With hot reload the build is not served, but wrangler requires its folder.
    const built = dev ? existsSync(join(SITE, "build/client")) : await siteIsBuilt();
    if (!built) await step("Building the site", buildSite);
    // The build takes long enough for another program to take the port, and the server would silently wait for it.
    await assertPortIsFree(workerPort);
    return step("Starting the server", () => serveWorker(workerPort, origin, printLog));
  }
  const [demo, worker] = await Promise.all([step("Preparing the database", prepareDatabase), serve()]);
  await sendUsage(`http://127.0.0.1:${workerPort}`, demo);
  let site: ChildProcess | null = null;
  if (dev) {
    const args = ["dev", "--host", "127.0.0.1", "--port", String(port)];
    const env = { API_ORIGIN: `http://127.0.0.1:${workerPort}`, PUBLIC_ORIGIN: origin };
    site = startTool("react-router", args, { cwd: SITE, env });
  }
  printWelcome(origin, demo);
  isReady = true;
  const code = await ended(site);
  await Promise.all([worker.dispose(), stop(site)]);
  return code;
}

try {
  process.exit(await Promise.race([main(), runtimeKilled()]));
} catch (error) {
  console.error(`\n  ${explain(error)}`);
  process.exit(1);
}
