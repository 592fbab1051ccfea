import { findResources } from "../cloudflare.ts";
import type { Account } from "../cloudflare.ts";
import { PERMISSIONS } from "../wrangler.ts";
import type { Wrangler } from "../wrangler.ts";
import { readShares } from "./release.ts";
import type { Target } from "./target.ts";

/**
 * The longest that a queue can keep a message, in seconds; the default is 4 days. Usage waits there while a ledger is
 * down, and expired messages vanish silently. The worker gives usage up a day earlier (`usageMaxAge`).
 */
const RETENTION = 14 * 86_400;

/** Finds out what is there. Creates nothing. @throws Error if something is in the way */
export async function askAccount(
  { worker, domains, resources, jurisdiction, takeDomain }: Target & { readonly takeDomain: boolean },
  account: Account,
  io: { readonly fetch: typeof fetch },
) {
  const before = await readShares(worker, account);
  const secrets = before.length > 0 ? await account.ask<{ name: string }[]>(`/workers/scripts/${worker}/secrets`) : [];
  const found = await findResources(resources, account);
  if (found.database !== undefined && found.jurisdiction !== jurisdiction) {
    throw new Error(`The database stays where it was created. Set JURISDICTION=${found.jurisdiction ?? ""}`);
  }
  const workersDev = await account.ask<{ subdomain: string }>("/workers/subdomain");
  if (workersDev === null) {
    throw new Error("This account has no workers.dev subdomain. Open Workers & Pages in Cloudflare's dashboard once.");
  }
  for (const host of domains) {
    await checkZone(host, account);
    if (!takeDomain) await checkOwner(host, worker, account, io);
  }
  // Every environment is at workers.dev too, and is tested there first: a new domain may take minutes to work.
  const origins = [`${worker}.${workersDev.subdomain}.workers.dev`, ...domains].map((host) => `https://${host}`);
  return { before, found, origins, present: (secrets ?? []).map(({ name }) => name) };
}

/** @throws Error if the login sees no zone that contains the host */
async function checkZone(host: string, { hasZone }: Account): Promise<void> {
  for (let name = host; name.includes("."); name = name.slice(name.indexOf(".") + 1)) {
    if (await hasZone(name)) return;
  }
  throw new Error(`This login sees no zone for ${host}. Add its domain to the account. ${PERMISSIONS}`);
}

/**
 * Checks what a custom domain leads to: wrangler repoints it without a question, and a rollback doesn't undo that.
 * @throws Error if it's not this worker, or can't be looked up
 */
async function checkOwner(host: string, worker: string, { ask }: Account, io: { readonly fetch: typeof fetch }) {
  const [attached] = (await ask<{ service: string }[]>(`/workers/domains?hostname=${host}`)) ?? [];
  if (attached?.service === worker) return;
  const owner =
    attached?.service ??
    (await io.fetch(`https://${host}/`, { redirect: "manual", signal: AbortSignal.timeout(10_000) }).then(
      () => "another server",
      ({ cause }: { cause?: { code?: string } }) => (cause?.code === "ENOTFOUND" ? null : "an address"),
    ));
  if (owner === null) return;
  throw new Error(`${host} leads to ${owner}. If the deployment may take it over, for good, add --take-domain.`);
}

/** Creates the queues, the database, and the namespace that aren't there. Sets every queue's retention. */
export async function createMissing(
  { resources, jurisdiction, location }: Target,
  { database, namespace }: Awaited<ReturnType<typeof findResources>>,
  { ask }: Account,
  wrangler: Wrangler,
): Promise<void> {
  const inJurisdiction = jurisdiction === null ? [] : ["--jurisdiction", jurisdiction];
  for (const name of resources.queues) {
    type Queue = { queue_name: string; settings?: { message_retention_period?: number } };
    const queue = (await ask<Queue[]>(`/queues?name=${name}`))?.find(({ queue_name }) => queue_name === name);
    if (queue?.settings?.message_retention_period === RETENTION) continue;
    const command = queue === undefined ? ["create", name, ...inJurisdiction] : ["update", name];
    await wrangler(["queues", ...command, `--message-retention-period-secs=${RETENTION}`]);
  }
  if (database === undefined) {
    const place = jurisdiction === null && location !== null ? ["--location", location] : inJurisdiction;
    await wrangler(["d1", "create", resources.database.database_name, ...place, "--update-config=false"]);
  }
  if (namespace === undefined) {
    const { title } = resources.namespace;
    await wrangler(["kv", "namespace", "create", title, ...inJurisdiction, "--update-config=false"]);
  }
}
