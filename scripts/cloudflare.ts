import { explain } from "./wrangler.ts";
import type { Wrangler } from "./wrangler.ts";
import type { Resources } from "./wrangler-config.ts";

/** Codes for what doesn't exist: a worker or the subdomain, and a database. */
const MISSING: readonly number[] = [10_007, 10_090, 7404];

export type Account = Awaited<ReturnType<typeof openAccount>>;

/**
 * Opens a Cloudflare account for reading, with wrangler's login; only wrangler changes anything. `ask` returns what the
 * API has at a path in the account, null if nothing, and throws a refusal, explained.
 * @param given the account's id, by default that of the login's only one
 * @throws Error when there are several
 */
export async function openAccount(
  given: string | undefined,
  wrangler: Wrangler,
  io: { readonly env: NodeJS.ProcessEnv; readonly fetch: typeof fetch },
) {
  const output = await wrangler(["auth", "token", "--json"]);
  const { token } = JSON.parse(output.slice(output.indexOf("{"))) as { token: string };
  const base = io.env["CLOUDFLARE_API_BASE_URL"] || "https://api.cloudflare.com/client/v4";

  async function read<T>(path: string): Promise<T | null> {
    const response = await io.fetch(base + path, { headers: { Authorization: `Bearer ${token}` } });
    type Answer = { success: boolean; result: T; errors: { code: number; message: string }[] };
    const { success, result, errors } = (await response.json()) as Answer;
    if (success) return result;
    if (errors.some(({ code }) => MISSING.includes(code))) return null;
    throw new Error(explain(`${path}: ${errors.map(({ code, message }) => `${message} [code: ${code}]`).join(", ")}`));
  }

  const accounts = given === undefined ? await read<{ id: string }[]>("/accounts") : [{ id: given }];
  const [{ id } = { id: "" }, ...others] = accounts ?? [];
  if (id === "" || others.length > 0) {
    throw new Error(`This login sees ${accounts?.length} accounts. Set CLOUDFLARE_ACCOUNT_ID to the one to use.`);
  }
  const hasZone = async (name: string) => Boolean((await read<[]>(`/zones?name=${name}&account.id=${id}`))?.length);
  return { id, hasZone, ask: <T>(path: string) => read<T>(`/accounts/${id}${path}`) };
}

/**
 * The ids of a worker's database and namespace: those in wrangler.toml, else of those with their names; undefined where
 * there is none. Also the database's jurisdiction, null for none.
 */
export async function findResources({ database, namespace }: Resources, { ask }: Account) {
  const found = await ask<{ uuid: string; jurisdiction?: string | null }>(
    `/d1/database/${database.database_id ?? database.database_name}`,
  );
  return {
    database: database.database_id ?? found?.uuid,
    namespace: namespace.id ?? (await findNamespace(namespace.title, ask)),
    jurisdiction: found?.jurisdiction ?? null,
  };
}

async function findNamespace(title: string, ask: Account["ask"]): Promise<string | undefined> {
  for (let page = 1; ; page++) {
    const found = await ask<{ id: string; title: string }[]>(`/storage/kv/namespaces?per_page=100&page=${page}`);
    const namespace = found?.find((each) => each.title === title);
    if (namespace !== undefined || (found ?? []).length < 100) return namespace?.id;
  }
}
