import type { RunningWorker } from "./worker.ts";

type Stored = Pick<RunningWorker, "env">;

/** Every row of every table, as JSON, one line per table. */
export async function everyRow({ env }: Stored): Promise<string> {
  const tables = await env.DB.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const dumps = tables.results
    .map(({ name }) => String(name))
    .filter((name) => !name.startsWith("_cf"))
    .map(async (name) => JSON.stringify((await env.DB.prepare(`SELECT * FROM "${name}"`).all()).results));
  return (await Promise.all(dumps)).join("\n");
}

/** Every entry of the key-value store with its metadata, as JSON, one line per entry. */
export async function everyKvEntry({ env }: Stored): Promise<string> {
  const { keys } = await env.EDGE.list();
  const entries = keys.map(async ({ name, metadata }) => JSON.stringify([name, metadata, await env.EDGE.get(name)]));
  return (await Promise.all(entries)).join("\n");
}
