import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { getPlatformProxy } from "wrangler";
import { openDatabase } from "../../worker/db.ts";
import type { Database } from "../../worker/db.ts";
import type { Bindings } from "../../worker/env.ts";
import type { ReplayQueue } from "../../worker/usage/dead-letters.ts";
import type { EnvironmentName } from "../wrangler-config.ts";
import { CONFIG, readEnvironment } from "../wrangler-config.ts";
import type { WranglerConfig } from "../wrangler-config.ts";
import { startTool } from "../local/run.ts";
import { localQueues } from "./local-queues.ts";
import { databaseOf, remoteConfig, remoteQueues } from "./remote-config.ts";
import type { ListedDatabase } from "./remote-config.ts";

const REMOTE_NEEDS = `--remote needs a Cloudflare account that holds the deployed database, and:
  - a sign-in on this machine (npx wrangler login), or CLOUDFLARE_API_TOKEN with the right to edit Workers scripts, D1 and Queues
  - CLOUDFLARE_ACCOUNT_ID, where the sign-in sees more than one account
  - a workers.dev subdomain, where wrangler runs the preview that reaches the database`;

/** Where commands act. */
export interface Platform {
  readonly db: Database;
  /** The queues that dead letters go back to, by name. */
  readonly queues: Readonly<Record<string, ReplayQueue>>;
  dispose(): Promise<void>;
}

async function openLocal(path: string): Promise<Platform> {
  const { env, dispose } = await getPlatformProxy<Bindings>({ configPath: path, remoteBindings: false });
  return { db: openDatabase(env.DB), queues: localQueues(env), dispose };
}

/** What wrangler says went wrong, without colours and without its advice, which is about other commands. */
function firstParagraph(output: string): string {
  const [first = ""] = stripVTControlCharacters(output)
    .trim()
    .split(/\n\s*\n/);
  return first.replace(/^.*\[ERROR\] */, "");
}

/** The databases of the account that wrangler is signed in to. */
async function listDatabases(): Promise<ListedDatabase[]> {
  const child = startTool("wrangler", ["d1", "list", "--json"], { stdio: "pipe" });
  let output = "";
  let errors = "";
  child.stdout?.on("data", (chunk) => (output += chunk));
  child.stderr?.on("data", (chunk) => (errors += chunk));
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (code !== 0) throw new Error(firstParagraph(errors));
  return JSON.parse(output) as ListedDatabase[];
}

/** The deployed database's id; wrangler.toml may leave it out, and remote bindings may not. */
async function databaseId(environment: WranglerConfig): Promise<string> {
  const { database_id: id, database_name: name } = databaseOf(environment);
  if (id !== undefined) return id;
  const found = (await listDatabases()).find((database) => database.name === name);
  if (found === undefined) throw new Error(`The account has no D1 database called ${name}. Has it been deployed?`);
  return found.uuid;
}

async function connectRemote(environment: WranglerConfig, folder: string): Promise<Platform> {
  const configPath = join(folder, "wrangler.json");
  await writeFile(configPath, JSON.stringify(remoteConfig(environment, await databaseId(environment))));
  const { env, dispose } = await getPlatformProxy<Bindings>({ configPath, persist: false, remoteBindings: true });
  return {
    db: openDatabase(env.DB),
    queues: remoteQueues(environment, env),
    dispose: async () => {
      await dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function openRemote(environment: WranglerConfig): Promise<Platform> {
  const folder = await mkdtemp(join(tmpdir(), "checkline-admin-"));
  try {
    return await connectRemote(environment, folder);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The deployed database cannot be reached.\n\n${reason}\n\n${REMOTE_NEEDS}`, { cause: error });
  }
}

/**
 * Opens the database and queues of this machine or of a deployed worker.
 * @param remote the environment of wrangler.toml that it was deployed from, or null for this machine
 * @param path of another configuration than the project's
 * @throws Error whose message says what is needed, when the deployed ones cannot be reached.
 */
export async function openPlatform(remote: EnvironmentName | null, path = CONFIG): Promise<Platform> {
  return remote === null ? openLocal(path) : openRemote(readEnvironment(remote, path));
}
