import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SANDBOX_SUCCESS_STATUS, SANDBOX_SUCCESSES } from "../contract/sandbox.ts";
import { ROOT } from "../scripts/local/run.ts";
import { hashKey } from "../worker/keys/key-format.ts";

const MIGRATIONS = join(ROOT, "migrations");

/**
 * A program that delegates to the test: it writes its name, arguments, and environment to a file, and waits for the
 * output to print. Tests run hundreds of them, and Node would take 50 ms to start.
 */
const PROGRAM = `#!/bin/sh
at="$FAKE_ACCOUNT/$$"
{ printf '%s\\0' "\${0##*/}" "$#" "$@"; /usr/bin/env -0; } > "$at.new"
PATH=/usr/bin:/bin
mkfifo "$at.answered"
exec 3<> "$at.answered"
mv "$at.new" "$at.request"
read -r _ <&3
. "$at.reply"
`;

interface Command {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}
interface Result {
  readonly code?: number;
  readonly stdout?: string;
  readonly stderr?: string;
}

interface Version {
  readonly id: string;
  readonly secrets: Readonly<Record<string, string>>;
  /** Its deployed configuration. */
  readonly config: string;
}

/** Quotes text for the shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Wrangler's output when it, or Cloudflare, rejects a command. */
function rejected(message: string): Result {
  return { code: 1, stderr: `\u001b[31m✘ [ERROR]\u001b[0m ${message}\n\n🪵  Logs were written to "x.log"\n` };
}

function json(value: unknown): Result {
  return { stdout: JSON.stringify(value, null, 2) };
}

/**
 * Programs called `wrangler` and `npm` for the PATH, and the Cloudflare account behind them: supports the commands of a
 * deployment, prints wrangler's output, keeps D1 databases in SQLite, and serves the deployed worker over HTTP.
 */
export async function startFakeWrangler() {
  const folder = mkdtempSync(join(tmpdir(), "checkline-fake-"));
  for (const name of ["wrangler", "npm"]) {
    writeFileSync(join(folder, name), PROGRAM);
    chmodSync(join(folder, name), 0o755);
  }
  const queues: string[] = [];
  /** The configured value, by queue. */
  const retention = new Map<string, string>();
  const databases = new Map<string, { db: DatabaseSync; applied: string[] }>();
  const namespaces: { id: string; title: string }[] = [];
  const versions: Version[] = [];
  const commands: Command[] = [];
  let traffic: { version_id: string; percentage: number }[] = [];
  const failures = new Map<string, { result: Result; when: "before" | "after" }>();
  let made = 0;
  const account = {
    folder,
    queues,
    retention,
    databases,
    namespaces,
    versions,
    commands,
    traffic: () => traffic.map(({ version_id, percentage }) => `${version_id}@${percentage}`),
    /** A database's users. */
    users: (name = "checkline") => databases.get(name)!.db.prepare("SELECT email FROM users").all(),
    /** Called before each command with its arguments. */
    onCommand: (_line: string): void => {},
    /** Fails commands whose arguments start like this: instead of running them, or after. */
    fail: (start: string, message: string, when: "before" | "after" = "before") =>
      void failures.set(start, { result: rejected(message), when }),
    forgive: () => failures.clear(),
    /** Which version responds; by default the one with the traffic. */
    responding: (): string | undefined => traffic[0]?.version_id,
    /** Whether a version verifies numbers. */
    verifies: (_version: string): boolean => true,
    /** Deploys a version to production, with everything it needs. Returns its id. */
    seed(): string {
      queues.push("checkline-usage", "checkline-mail", "checkline-usage-dead", "checkline-mail-dead");
      databases.set("checkline", { db: new DatabaseSync(":memory:"), applied: [] });
      migrate("checkline");
      namespaces.push({ id: newId(), title: "checkline-edge" });
      const id = newId();
      versions.push({ id, secrets: { SESSION_SECRET: "s".repeat(32), TRIAL_SECRET: "t".repeat(32) }, config: "" });
      traffic = [{ version_id: id, percentage: 100 }];
      return id;
    },
    url: "",
    close: () => {
      server.closeAllConnections();
      server.close();
      programs.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };

  function newId(): string {
    made += 1;
    return `00000000-0000-4000-8000-${String(made).padStart(12, "0")}`;
  }

  function deploy(worker: string, option: (name: string) => string | undefined, output: string): Result {
    const config = readFileSync(option("--config")!, "utf8");
    const title = `${worker}-edge`;
    if (!namespaces.some(({ id }) => config.includes(id))) {
      if (namespaces.some((each) => each.title === title))
        return rejected("a namespace with this title already exists [code: 10014]");
      namespaces.push({ id: newId(), title });
    }
    if (failures.has("upload")) return failures.get("upload")!.result;
    const file = option("--secrets-file");
    const given = file === undefined ? {} : (JSON.parse(readFileSync(file, "utf8")) as Record<string, string>);
    const version = { id: newId(), secrets: { ...versions.at(-1)?.secrets, ...given }, config };
    versions.push(version);
    traffic = [{ version_id: version.id, percentage: 100 }];
    const entry = { type: "deploy", version_id: version.id, targets: [account.url, "schedule: * * * * *"] };
    appendFileSync(output, `${JSON.stringify({ type: "wrangler-session" })}\n${JSON.stringify(entry)}\n`);
    return { stdout: "Deployed" };
  }

  function migrate(name: string): Result {
    const database = databases.get(name);
    if (database === undefined) return rejected(`Couldn't find a D1 DB named '${name}'.`);
    const pending = readdirSync(MIGRATIONS).filter((file) => file.endsWith(".sql") && !database.applied.includes(file));
    for (const file of pending.toSorted()) {
      database.db.exec(readFileSync(join(MIGRATIONS, file), "utf8"));
      database.applied.push(file);
    }
    return { stdout: pending.length === 0 ? "✅ No migrations to apply!" : "🌀 Executed" };
  }

  function wrangler({ args, env }: Command): Result {
    const option = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
    const worker = args.includes("--env=staging") ? "checkline-staging" : "checkline";
    const [first = "", second = "", third = ""] = args;
    if (first === "deploy" && args.includes("--dry-run")) return { stdout: "--dry-run: exiting now." };
    if (first === "deploy") return deploy(worker, option, env["WRANGLER_OUTPUT_FILE_PATH"]!);
    if (first === "rollback") {
      traffic = [{ version_id: second, percentage: 100 }];
      return { stdout: "Rolled back" };
    }
    switch (`${first} ${second}`) {
      case "deployments status":
        return traffic.length === 0
          ? rejected("This Worker does not exist on your account. [code: 10007]")
          : json({ versions: traffic });
      case "secret list":
        return json(Object.keys(versions.at(-1)!.secrets).map((name) => ({ name, type: "secret_text" })));
      case "kv namespace":
        return json(namespaces);
      case "queues update":
        if (!queues.includes(third)) return rejected(`Queue "${third}" does not exist. To create it, run: …`);
        retention.set(third, args[3] ?? "");
        return { stdout: "Updated" };
      case "queues create":
        queues.push(third);
        retention.set(third, args[3] ?? "");
        return { stdout: "Created queue" };
      case "d1 list":
        return json([...databases.keys()].map((name) => ({ name, uuid: `id-of-${name}` })));
      case "d1 create":
        databases.set(third, { db: new DatabaseSync(":memory:"), applied: [] });
        return { stdout: "Created" };
      case "d1 migrations":
        return migrate(worker);
      case "d1 execute":
        databases.get(worker)!.db.exec(option("--command")!);
        return { stdout: "Executed" };
      default:
        throw new Error(`The fake does not know: wrangler ${args.join(" ")}`);
    }
  }

  function runCommand(command: Command): Result {
    const line = command.args.join(" ");
    commands.push(command);
    account.onCommand(line);
    const failure = [...failures].find(([start]) => line.startsWith(start))?.[1];
    if (failure?.when === "before") return failure.result;
    if (command.name === "npm") {
      const client = join(command.env["SITE_BUILD_DIRECTORY"]!, "client");
      mkdirSync(client, { recursive: true });
      writeFileSync(join(client, "index.html"), "<html>");
      return {};
    }
    const result = wrangler(command);
    return failure?.result ?? result;
  }

  /** The deployed worker. */
  function respond(path: string, authorization: string | undefined): [status: number, body: unknown] {
    const id = account.responding();
    const version = versions.find((each) => each.id === id);
    if (version === undefined) return [404, {}];
    if (path === "/api/v1/health") return [200, { version_id: id }];
    const hash = hashKey(authorization?.replace("Bearer ", "") ?? "");
    const known = [...databases.values()].some(({ db }) =>
      db.prepare("SELECT id FROM api_keys WHERE hash = ?").get(hash),
    );
    if (!known) return [401, { code: "INVALID_API_KEY" }];
    if (!account.verifies(version.id)) return [500, { code: "INTERNAL" }];
    return [200, { valid: true, number: SANDBOX_SUCCESSES[0].number, status: SANDBOX_SUCCESS_STATUS }];
  }

  function serveProgram(at: string): void {
    const [name = "", count, ...rest] = readFileSync(`${at}.request`, "utf8").split("\0");
    const entries = rest.slice(Number(count), -1).map((entry) => /^([^=]*)=([^]*)$/.exec(entry)!.slice(1));
    let result: Result;
    try {
      result = runCommand({ name, args: rest.slice(0, Number(count)), env: Object.fromEntries(entries) });
    } catch (error) {
      result = rejected(String(error));
    }
    const { code = 0, stdout = "", stderr = "" } = result;
    writeFileSync(`${at}.reply`, `printf %s ${quoted(stdout)}; printf %s ${quoted(stderr)} >&2; exit ${code}\n`);
    // Opened for reading and writing, so that it does not block on a killed program.
    writeFileSync(`${at}.answered`, "\n", { flag: "r+" });
  }

  const programs = watch(folder, (_, file) => {
    const at = join(folder, file!);
    if (at.endsWith(".request")) serveProgram(at.slice(0, -".request".length));
  });
  const server = createServer((request, response) => {
    if (request.url === "/") return void response.end("<!doctype html><html></html>");
    const [status, body] = respond(request.url!, request.headers.authorization);
    response.writeHead(status).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  account.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return account;
}
