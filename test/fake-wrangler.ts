import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SANDBOX_SUCCESSES } from "../contract/sandbox.ts";
import type { Io } from "../scripts/deploy.ts";

interface Command {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: boolean;
}

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Version {
  readonly id: string;
  readonly secrets: Readonly<Record<string, string>>;
  /** Its deployed configuration. */
  readonly config: Config;
}

/** The parts of a deployed configuration that tests look at. */
export interface Config {
  readonly name: string;
  readonly account_id?: string;
  readonly vars: Readonly<Record<string, string>>;
  readonly assets: { readonly directory: string };
  readonly d1_databases: readonly { readonly database_id?: string; readonly migrations_dir: string }[];
  readonly kv_namespaces: readonly { readonly id?: string }[];
  readonly routes?: readonly { readonly pattern: string }[];
}

function done(stdout = "Done"): Result {
  return { code: 0, stdout, stderr: "" };
}

function json(value: unknown): Result {
  return done(JSON.stringify(value, null, 2));
}

/** Wrangler's output when it, or Cloudflare, rejects a command. */
function rejected(message: string): Result {
  return {
    code: 1,
    stdout: "",
    stderr: `\u001b[31m✘ [ERROR]\u001b[0m ${message}\n\n🪵  Logs were written to "x.log"\n`,
  };
}

/** What `fetch` throws when nothing responds. */
function unreachable(code: string): Error {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) });
}

const WORKERS_DEV = ".ada.workers.dev";

/**
 * A Cloudflare account with nothing in it, as `wrangler`, its API, and the addresses of deployed workers show it:
 * `run` and `fetch` take the place of a deployment's. Knows the commands and calls of a deployment.
 */
export function createFakeAccount() {
  const failures = new Map<string, Result>();
  let made = 0;
  const newId = () => `00000000-0000-4000-8000-${String((made += 1)).padStart(12, "0")}`;

  const account = {
    commands: [] as Command[],
    /** The arguments of creation and update, by queue. */
    queues: new Map<string, readonly string[]>(),
    databases: [] as { name: string; uuid: string; jurisdiction: string | null; location: string | null }[],
    namespaces: [] as { title: string; id: string; jurisdiction: string | null }[],
    migrated: 0,
    versions: [] as Version[],
    traffic: [] as { version_id: string; percentage: number }[],
    subdomain: true,
    zones: ["example.com"],
    /** What each host leads to, workers by name; those of other servers start with "http". */
    hosts: new Map<string, string>(),
    /** Called after each command with its arguments. */
    onCommand: (_line: string): void => {},
    /** Whether a version responds at an address, or how the address fails. */
    at: (_host: string, _version: string): "ok" | "broken" | "ENOTFOUND" | "ERR_TLS" => "ok",
    /** Fails commands whose arguments start like this, instead of running them. */
    fail: (start: string, message: string) => void failures.set(start, rejected(message)),
    forgive: () => failures.clear(),
    lines: () => account.commands.filter(({ name }) => name === "wrangler").map(({ args }) => lineOf(args)),
    run,
    fetch: respond as Io["fetch"],
  };

  /** A command line without the arguments common to all. */
  function lineOf(args: readonly string[]): string {
    return args.slice(0, args.indexOf("--config")).join(" ");
  }

  /** Writes a worker. */
  function build(folder: string): Result {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "index.js"), "export default {};\n");
    return done();
  }

  function deploy(config: Config, option: (name: string) => string | undefined, env: Command["env"]): Result {
    const file = option("--secrets-file");
    const given = file === undefined ? {} : (JSON.parse(readFileSync(file, "utf8")) as Record<string, string>);
    const version = { id: newId(), secrets: { ...account.versions.at(-1)?.secrets, ...given }, config };
    account.versions.push(version);
    account.traffic = [{ version_id: version.id, percentage: 100 }];
    const own = `${config.name}${WORKERS_DEV}`;
    account.hosts.set(own, config.name);
    const domains = (config.routes ?? []).map(({ pattern }) => pattern);
    // As wrangler does without a terminal, which a deployment must not let happen unnoticed.
    for (const host of domains) account.hosts.set(host, config.name);
    const targets = [...domains.map((host) => `${host} (custom domain)`), `https://${own}`, "schedule: * * * * *"];
    const entries = [{ type: "wrangler-session" }, { type: "deploy", version_id: version.id, targets }];
    const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
    appendFileSync(env["WRANGLER_OUTPUT_FILE_PATH"]!, lines);
    return failures.get("triggers") ?? done("Deployed");
  }

  function wrangler({ args, env }: Command): Result {
    const option = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
    const config = JSON.parse(readFileSync(option("--config")!, "utf8")) as Config;
    const environment = args.find((arg) => arg.startsWith("--env="))!.slice("--env=".length);
    const [first = "", second = "", third = "", fourth = ""] = args;
    const jurisdiction = option("--jurisdiction") ?? null;
    switch (first === "deploy" ? first : `${first} ${second}`) {
      case "auth token":
        return json({ type: "oauth", token: "login-token" });
      case "deployments status":
        return account.traffic.length === 0
          ? rejected("This Worker does not exist on your account. [code: 10007]")
          : json({ versions: account.traffic });
      case "secret list":
        return json(Object.keys(account.versions.at(-1)!.secrets).map((name) => ({ name, type: "secret_text" })));
      case "d1 list":
        return json(account.databases);
      case "kv namespace":
        if (third === "list") return json(account.namespaces);
        account.namespaces.push({
          title: environment === "" ? fourth : `${environment}-${fourth}`,
          id: newId(),
          jurisdiction,
        });
        return done();
      case "queues update":
        if (!account.queues.has(third)) return rejected(`Queue "${third}" does not exist. To create it, run: …`);
        return done();
      case "queues create":
        account.queues.set(third, args.slice(3, args.indexOf("--config")));
        return done();
      case "d1 create":
        account.databases.push({
          name: third,
          uuid: `id-of-${third}`,
          jurisdiction,
          location: option("--location") ?? null,
        });
        return done();
      case "d1 migrations":
        account.migrated += 1;
        return done();
      case "deploy":
        if (args.includes("--dry-run")) return build(option("--outdir")!);
        if (!existsSync(args[3]!)) return rejected(`The entry-point file at "${args[3]}" was not found.`);
        return deploy(config, option, env);
      default:
        throw new Error(`The fake does not know: wrangler ${args.join(" ")}`);
    }
  }

  function run(...[name, args, { env, terminal = false }]: Parameters<Io["run"]>): ReturnType<Io["run"]> {
    const command = { name, args, env, terminal };
    account.commands.push(command);
    const failure = [...failures].find(([start]) => args.join(" ").startsWith(start))?.[1];
    if (failure === undefined && name === "npm") {
      const client = join(env["SITE_BUILD_DIRECTORY"]!, "client");
      mkdirSync(client, { recursive: true });
      writeFileSync(join(client, "index.html"), "<html>");
    }
    const result = failure ?? (name === "npm" ? done() : wrangler(command));
    account.onCommand(lineOf(args));
    return Promise.resolve(result);
  }

  function api(path: string, query: URLSearchParams): unknown {
    if (path === "/accounts") return [{ id: "an-account", name: "Ada's" }];
    if (path.endsWith("/workers/subdomain")) return account.subdomain ? { subdomain: "ada" } : undefined;
    if (path === "/zones") return account.zones.filter((zone) => zone === query.get("name")).map((name) => ({ name }));
    if (!path.endsWith("/workers/domains")) throw new Error(`The fake does not know: ${path}`);
    const service = account.hosts.get(query.get("hostname")!);
    return service === undefined || service.startsWith("http") ? [] : [{ service }];
  }

  /** The deployed worker. */
  function serve(path: string, headers: Headers, version: string, works: boolean): Response {
    const [{ number }] = SANDBOX_SUCCESSES;
    if (path === "/") return new Response("<!doctype html><html></html>");
    if (path === "/api/v1/health") return Response.json({ version_id: version, problems: ["MAIL_FROM isn't set."] });
    if (path === "/api/v1/verify") return new Response(null, { status: headers.has("Authorization") ? 401 : 500 });
    return works ? Response.json({ valid: true, number }) : new Response(null, { status: 500 });
  }

  async function respond(input: string, init: RequestInit = {}): Promise<Response> {
    const { hostname, pathname, searchParams } = new URL(input);
    if (hostname === "api.cloudflare.com") {
      const refusal = failures.get("api")?.stderr;
      const result = refusal === undefined ? api(pathname.replace("/client/v4", ""), searchParams) : undefined;
      const [code, message] = refusal === undefined ? [10_007, "not found"] : [10_000, "Authentication error"];
      return Response.json({ success: result !== undefined, result, errors: result ? [] : [{ code, message }] });
    }
    const leadsTo = account.hosts.get(hostname);
    if (leadsTo === undefined) throw unreachable("ENOTFOUND");
    if (leadsTo.startsWith("http")) return new Response("Another site");
    const { version_id: version } = account.traffic[0]!;
    const state = account.at(hostname, version);
    if (state !== "ok" && state !== "broken") throw unreachable(state);
    return serve(pathname, new Headers(init.headers), version, state === "ok");
  }

  return account;
}
