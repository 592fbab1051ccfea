import { rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { experimental_readRawConfig } from "wrangler";
import type { Target } from "./target.ts";
import type { Wrangler } from "./wrangler.ts";

/** Beside wrangler.toml, since paths in it are relative; it exists only while wrangler reads it. */
export function derivedConfigPath({ config }: Target): string {
  return join(dirname(config), "wrangler.deploy.json");
}

/** "2 made, 3 found" */
function tally(made: number, found: number): string {
  return [made > 0 ? `${made} made` : "", found > 0 ? `${found} found` : ""].filter((part) => part !== "").join(", ");
}

/** Makes the queues that are missing, those for dead letters included, which wrangler would not make by itself. */
export async function ensureQueues(wrangler: Wrangler, { queues }: Target): Promise<string> {
  const found = await Promise.all(queues.map((queue) => wrangler.find(["queues", "info", queue], /does not exist/)));
  const missing = queues.filter((_, index) => found[index] === null);
  for (const queue of missing) await wrangler.call(["queues", "create", queue]);
  return tally(missing.length, queues.length - missing.length);
}

/** Makes the database unless there is one: migrations need it before the first deployment, at which wrangler would make it. */
export async function ensureDatabase(wrangler: Wrangler, { database }: Target): Promise<string> {
  if (database.id !== null) return tally(0, 1);
  const databases = await wrangler.json<readonly { readonly name: string }[]>(["d1", "list", "--json"]);
  if (databases.some(({ name }) => name === database.name)) return tally(0, 1);
  await wrangler.call(["d1", "create", database.name, "--update-config=false"]);
  return tally(1, 0);
}

/**
 * The id of a KV namespace that an earlier first deployment made before it was refused: wrangler would try to make it again and
 * fail. Null where there is none, and wrangler makes one.
 */
export async function leftoverNamespace(wrangler: Wrangler, { worker, namespace }: Target): Promise<string | null> {
  const title = `${worker}-${namespace.binding.toLowerCase()}`;
  const all = await wrangler.json<readonly { readonly id: string; readonly title: string }[]>([
    "kv",
    "namespace",
    "list",
  ]);
  return all.find((each) => each.title === title)?.id ?? null;
}

interface Bound {
  kv_namespaces: { binding: string; id?: string }[];
  env?: Record<string, Bound>;
}

/** Runs something with a configuration that is wrangler.toml with the id of the KV namespace in it. */
export async function withNamespace<T>(
  target: Target,
  id: string,
  work: (args: readonly string[]) => Promise<T>,
): Promise<T> {
  const config = structuredClone(experimental_readRawConfig({ config: target.config }).rawConfig) as unknown as Bound;
  const bound = target.environment === null ? config : config.env![target.environment]!;
  bound.kv_namespaces = bound.kv_namespaces.map((namespace) => ({ ...namespace, id }));
  const path = derivedConfigPath(target);
  await writeFile(path, JSON.stringify(config));
  try {
    return await work(["--config", path]);
  } finally {
    await rm(path, { force: true });
  }
}
