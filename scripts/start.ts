/**
 * Serves the whole product on this machine: `npm start`, or with hot reload `npm run dev`.
 * Everything is local: the database, the key-value store and the queues live under .wrangler/.
 */
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { seedDemoAccount } from "./local/demo-account.ts";
import type { DemoAccount } from "./local/demo-account.ts";
import { runSchedules } from "./local/cron.ts";
import { ensureDevVars } from "./local/dev-vars.ts";
import { assertPortIsFree, configuredPort } from "./local/port.ts";
import { ROOT, runTool, startTool, stayLocal } from "./local/run.ts";

const WEB = join(ROOT, "web");

async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  process.stdout.write(`  ${title} … `);
  const result = await work();
  console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`);
  return result;
}

function printWelcome(origin: string, demo: DemoAccount): void {
  console.log(`
  Checkline on ${origin}

  Demo account   ${demo.email}
  Password       ${demo.password ?? "the one it was changed to"}
  Test key       ${demo.keys.test}
  Live key       ${demo.keys.live}

  Mail           ${origin}/dev/mailbox

  Verify a number (paste this into another terminal once the server says that it is ready):

curl -X POST ${origin}/api/v1/verify \\
  -H "Authorization: Bearer ${demo.keys.live}" \\
  -H "Content-Type: application/json" \\
  -d '{"number": "+5511987654321"}'

  Stop with Ctrl-C. Started again, it keeps its data and renews the demo trial.
`);
}

function serveWorker(port: number, origin: string): ChildProcess {
  const args = ["dev", "--ip", "127.0.0.1", "--port", String(port), "--show-interactive-dev-session", "false"];
  args.push("--var", `PUBLIC_ORIGIN:${origin}`);
  return startTool("wrangler", args, { stdio: "inherit" });
}

/** Has the ledger of the demo account count its sample usage, once the worker serves. */
async function sendUsage(api: string, { usage }: DemoAccount): Promise<void> {
  if (usage === null) return;
  for (let tries = 0; tries < 120; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const body = JSON.stringify({ parts: [usage] });
    const response = await fetch(`${api}/dev/usage`, { method: "POST", body }).catch(() => null);
    if (response?.ok) return;
  }
}

/** npm passes no signal on when it is killed; it only stops being our parent. */
function onParentGone(stop: () => void): void {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stop(), 500).unref();
}

/** Serves until a signal or the end of one part; then the other parts end too. Only the signal is a good end. */
async function serveAll(children: readonly ChildProcess[]): Promise<number> {
  let stopped = false;
  function stop(signal: NodeJS.Signals): void {
    stopped = true;
    for (const child of children) child.kill(signal);
  }
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  onParentGone(() => stop("SIGTERM"));
  const ends = children.map(
    (child) =>
      new Promise<number>((resolve, reject) => {
        child.once("error", reject);
        child.once("close", (status) => resolve(stopped ? 0 : (status ?? 1)));
      }),
  );
  const code = await Promise.race(ends);
  for (const child of children) child.kill("SIGTERM");
  return code;
}

async function main(): Promise<number> {
  stayLocal();
  const dev = process.argv.includes("--dev");
  const port = configuredPort(process.env["PORT"]);
  await assertPortIsFree(port);
  await ensureDevVars();
  const origin = `http://localhost:${port}`;
  // For the files that the build writes whole addresses into; pages say the origin they are served from by themselves.
  process.env["PUBLIC_ORIGIN"] = origin;
  await step("Building the site", () => runTool("react-router", ["build"], WEB));
  await step("Migrating the local database", () => runTool("wrangler", ["d1", "migrations", "apply", "DB", "--local"]));
  const demo = await step("Preparing the demo account", seedDemoAccount);
  printWelcome(origin, demo);
  const workerPort = dev ? port + 1 : port;
  runSchedules(`http://127.0.0.1:${workerPort}`);
  void sendUsage(`http://127.0.0.1:${workerPort}`, demo);
  if (!dev) return serveAll([serveWorker(port, origin)]);

  await assertPortIsFree(workerPort);
  const api = `http://127.0.0.1:${workerPort}`;
  const site = ["dev", "--host", "127.0.0.1", "--port", String(port)];
  return serveAll([
    serveWorker(workerPort, origin),
    startTool("react-router", site, { cwd: WEB, stdio: "inherit", env: { API_ORIGIN: api } }),
  ]);
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`\n  ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
