import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { RunWrangler, WranglerRun } from "../scripts/deploy/wrangler.ts";
import { SANDBOX_SUCCESS_STATUS } from "../contract/sandbox.ts";
import manifest from "../package.json" with { type: "json" };
import { hashKey } from "../worker/keys/key-format.ts";
import { noTrouble } from "./cloudflare-trouble.ts";
import { failed, printed, refused } from "./wrangler-output.ts";

const ROOT = join(import.meta.dirname, "..");
const MIGRATIONS = join(ROOT, "migrations");

interface Version {
  readonly id: string;
  readonly secrets: Record<string, string>;
  /** Whether its sandbox answers as it must. */
  readonly works: boolean;
}

interface Worker {
  readonly versions: Version[];
  /** Shares of the traffic by version, in per cent. */
  traffic: Record<string, number>;
  namespace: string;
  /** The version with which crons, consumers and addresses were last applied; a rollback leaves them. */
  triggers: string;
}

/**
 * A Cloudflare account in memory behind a stand-in for wrangler, which knows the commands that a deployment uses, prints what the real
 * one prints, and has a real SQLite database behind `d1`. `fetch` answers as the worker deployed in it would.
 */
export function createAccount() {
  const trouble = noTrouble();
  const queues = new Set<string>();
  const databases = new Map<string, { db: DatabaseSync; applied: string[] }>();
  const namespaces: { id: string; title: string }[] = [];
  const workers = new Map<string, Worker>();
  const commands: string[] = [];
  /** How the traffic was divided, one entry a change. */
  const traffic: string[] = [];
  let made = 0;
  /** The traffic as it was before, and how many calls still meet it. */
  let spreading = { left: 0, from: {} as Record<string, number> };

  function newId(): string {
    made += 1;
    return `00000000-0000-4000-8000-${String(made).padStart(12, "0")}`;
  }

  function give(worker: Worker, shares: Record<string, number>): void {
    spreading = { left: trouble.propagation, from: worker.traffic };
    worker.traffic = shares;
    traffic.push(Object.values(shares).join("/"));
  }

  /** What `deploy` and `versions upload` share: KV, the plan, the secrets. */
  function uploadVersion(name: string, args: readonly string[]): Version | WranglerRun {
    const secretsAt = args.indexOf("--secrets-file");
    const configAt = args.indexOf("--config");
    const worker = workers.get(name);
    const config = configAt === -1 ? "" : readFileSync(args[configAt + 1]!, "utf8");
    const title = `${name}-edge`;
    const known = worker?.namespace ?? namespaces.find(({ id }) => config.includes(id))?.id;
    if (known === undefined) {
      if (namespaces.some((each) => each.title === title)) {
        return refused("a namespace with this account ID and title already exists [code: 10014]");
      }
      namespaces.push({ id: newId(), title });
    }
    if (trouble.plan !== "paid") return refused("CPU limits are not supported for the Free plan. [code: 100328]");
    const given =
      secretsAt === -1 ? {} : (JSON.parse(readFileSync(args[secretsAt + 1]!, "utf8")) as Record<string, string>);
    const version = { id: newId(), secrets: { ...worker?.versions.at(-1)?.secrets, ...given }, works: !trouble.code };
    if (worker === undefined) {
      const namespace = known ?? namespaces.at(-1)!.id;
      workers.set(name, { versions: [version], traffic: {}, namespace, triggers: "" });
    } else worker.versions.push(version);
    return version;
  }

  function deploy(name: string, args: readonly string[], output: string): WranglerRun {
    const version = uploadVersion(name, args);
    if ("code" in version) return version;
    give(workers.get(name)!, { [version.id]: 100 });
    if (trouble.triggers) return refused("Cron triggers could not be updated. [code: 10000001]");
    workers.get(name)!.triggers = version.id;
    const entry = {
      type: "deploy",
      version_id: version.id,
      targets: [`https://${name}.ada.workers.dev`, "schedule: * * * * *"],
    };
    appendFileSync(output, `${JSON.stringify({ type: "wrangler-session" })}\n${JSON.stringify(entry)}\n`);
    return printed("Deployed");
  }

  function migrate(name: string): WranglerRun {
    const database = databases.get(name);
    if (database === undefined) return failed(`Couldn't find a D1 DB named '${name}'.`);
    const pending = readdirSync(MIGRATIONS).filter((file) => file.endsWith(".sql") && !database.applied.includes(file));
    if (trouble.migration)
      return failed("Migration 0001_broken.sql failed with the following errors:\nduplicate column name");
    if (pending.length === 0) return printed("✅ No migrations to apply!");
    for (const file of pending.toSorted()) {
      database.db.exec(readFileSync(join(MIGRATIONS, file), "utf8"));
      database.applied.push(file);
    }
    return printed("🌀 Executed");
  }

  function command(args: readonly string[], name: string, env: Readonly<Record<string, string>>): WranglerRun {
    const [first, second, third] = args;
    const worker = workers.get(name);
    switch (
      `${first} ${first === "kv" || (first === "d1" && second === "migrations") ? `${second} ${third}` : second}`
    ) {
      case "whoami --json":
        return printed({ loggedIn: true, accounts: [{ id: "1", name: "Ada's account" }] });
      case "deployments status": {
        if (worker === undefined) return refused("This Worker does not exist on your account. [code: 10007]");
        const versions = Object.entries(worker.traffic).map(([version_id, percentage]) => ({ version_id, percentage }));
        return printed({ versions });
      }
      case "secret list":
        return printed(
          Object.keys(worker!.versions.at(-1)!.secrets).map((secret) => ({ name: secret, type: "secret_text" })),
        );
      case "kv namespace list":
        return printed(namespaces);
      case "queues info":
        return queues.has(third!)
          ? printed(`Queue Name: ${third}`)
          : failed(`Queue "${third}" does not exist. To create it, run: …`);
      case "queues create":
        if (trouble.plan === "free without queues")
          return refused("Queues are unavailable on the free plan. [code: 100129]");
        queues.add(third!);
        return printed("Created queue");
      case "d1 list":
        return printed([...databases.keys()].map((database) => ({ name: database, uuid: database })));
      case "d1 create":
        databases.set(third!, { db: new DatabaseSync(":memory:"), applied: [] });
        return printed("Created");
      case "d1 migrations apply":
        return migrate(name);
      case "d1 execute":
        databases.get(name)!.db.exec(args[args.indexOf("--command") + 1]!);
        return printed("Executed");
      case "versions upload": {
        const version = uploadVersion(name, args);
        if ("code" in version) return version;
        const entry = { type: "version-upload", version_id: version.id };
        appendFileSync(env["WRANGLER_OUTPUT_FILE_PATH"]!, `${JSON.stringify(entry)}\n`);
        return printed("Uploaded");
      }
      case "versions deploy": {
        const specs = args.filter((arg) => arg.includes("@")).map((spec) => spec.split("@") as [string, string]);
        give(worker!, Object.fromEntries(specs.map(([id, share]) => [id, Number(share)])));
        return printed("Deployed");
      }
      case "triggers deploy":
        if (trouble.triggers) return refused("Cron triggers could not be updated. [code: 10000001]");
        worker!.triggers = worker!.versions.at(-1)!.id;
        return printed("Deployed");
      default:
        if (first === "deploy") return deploy(name, args, env["WRANGLER_OUTPUT_FILE_PATH"]!);
        if (first !== "rollback") throw new Error(`The stand-in does not know: wrangler ${args.join(" ")}`);
        if (trouble.rollback) return refused("Something went wrong. [code: 10013]");
        give(worker!, { [second!]: 100 });
        return printed("Rolled back");
    }
  }

  const run: RunWrangler = async (args, env = {}) => {
    commands.push(args.join(" "));
    const environment = args.find((arg) => arg.startsWith("--env="))!.slice("--env=".length);
    const name = environment === "staging" ? "checkline-staging" : "checkline";
    if (!trouble.signedOut) return command(args, name, env);
    if (args[0] === "whoami") return { code: 1, stdout: '\n{"loggedIn":false}\n', stderr: "" };
    return failed(
      "In a non-interactive environment, it's necessary to set a CLOUDFLARE_API_TOKEN environment variable",
    );
  };

  function answer(path: string, key: string | null, name: string, version: Version): Response {
    if (path === "/") return new Response("<!doctype html><html></html>");
    if (path === "/api/v1/health") {
      const data = { numbering_plans: "9", carriers: "9", locations: "9", time_zones: "9" };
      return Response.json({ status: "ok", version: manifest.version, version_id: version.id, data, problems: [] });
    }
    const known = databases.get(name)!.db.prepare("SELECT id FROM api_keys WHERE hash = ?");
    if (key === null) return Response.json({ error: "…", code: "UNAUTHENTICATED" }, { status: 401 });
    if (known.get(hashKey(key)) === undefined)
      return Response.json({ error: "…", code: "INVALID_API_KEY" }, { status: 401 });
    if (!version.works) return Response.json({ error: "…", code: "INTERNAL" }, { status: 500 });
    const result = { valid: true, number: "+5511987654321", country_code: "BR" };
    return Response.json({ ...result, status: SANDBOX_SUCCESS_STATUS });
  }

  async function fetch(url: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    const [, asked] = /="(.+)"$/.exec(headers.get("Cloudflare-Workers-Version-Overrides") ?? "") ?? [];
    const name = new URL(url).host.split(".")[0]!;
    const worker = workers.get(name)!;
    const spreads = spreading.left > 0 && Object.keys(spreading.from).length > 0;
    spreading.left -= 1;
    const shares = spreads ? spreading.from : worker.traffic;
    const deployed = worker.versions.filter(({ id }) => (shares[id] ?? 0) > 0);
    const version = deployed.find(({ id }) => id === asked) ?? deployed[0]!;
    const key = headers.get("Authorization")?.replace("Bearer ", "") ?? null;
    return answer(new URL(url).pathname, key, name, version);
  }

  /** Everything that is in the account, to be compared. */
  function contents() {
    return {
      queues: [...queues],
      databases: [...databases].map(([name, { db, applied }]) => ({
        name,
        applied: [...applied],
        users: applied.length === 0 ? 0 : db.prepare("SELECT * FROM users").all().length,
      })),
      namespaces: namespaces.map(({ title }) => title),
      traffic: Object.fromEntries([...workers].map(([name, worker]) => [name, { ...worker.traffic }])),
      triggers: Object.fromEntries([...workers].map(([name, worker]) => [name, worker.triggers])),
    };
  }

  return { trouble, run, fetch, contents, commands, traffic, workers };
}

export type CloudflareAccount = ReturnType<typeof createAccount>;
