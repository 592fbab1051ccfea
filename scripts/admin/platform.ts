import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MessageBatch } from "@cloudflare/workers-types";
import type { Bindings } from "../../worker/env.ts";
import { createIo, createIsolate } from "../../worker/io.ts";
import type { Io } from "../../worker/io.ts";
import { consumeMail } from "../../worker/emails.ts";
import type { MailMessage } from "../../worker/mail/email.ts";
import { randomBase62 } from "../../worker/platform/random.ts";
import type { ReplayQueue } from "../../worker/operations/dead-letters.ts";
import { openLocalBindings } from "../local/bindings.ts";
import { findResources, openAccount } from "../cloudflare.ts";
import { runningPort } from "../local/running.ts";
import { getPlatformProxy } from "../local/wrangler.ts";
import { PERMISSIONS, run, wranglerFor } from "../wrangler.ts";
import { CONFIG, readEnvironment, resourcesOf } from "../wrangler-config.ts";
import type { EnvironmentName } from "../arguments.ts";
import type { WranglerConfig } from "../wrangler-config.ts";

const REMOTE_NEEDS = `--remote needs a Cloudflare account that holds the deployed database, and:
  - a login on this machine (npx wrangler login), or CLOUDFLARE_API_TOKEN. ${PERMISSIONS}
  - CLOUDFLARE_ACCOUNT_ID, where the login sees more than one account
  - a workers.dev subdomain, where wrangler runs the preview that reaches the database`;

/** The target of commands. */
export interface Platform {
  readonly io: Io;
  /** The site's origin, for links. */
  readonly origin: string;
  /** The queues for replaying dead letters, by name. */
  readonly queues: Readonly<Record<string, ReplayQueue>>;
  /** Waits for a command's background work, and closes the connections. */
  dispose(): Promise<void>;
}

/**
 * The platform behind these bindings. Commands derive nothing from the session secret, which can't be read once
 * deployed.
 */
export function platformOf(
  env: Bindings,
  { origin, queues, dispose }: Pick<Platform, "origin" | "queues" | "dispose">,
): Platform {
  const work: Promise<unknown>[] = [];
  const isolate = createIsolate({ ...env, SESSION_SECRET: env.SESSION_SECRET ?? randomBase62(43) });
  const io = createIo(isolate, { waitUntil: (promise) => void work.push(promise) });
  return {
    io,
    origin,
    queues,
    async dispose() {
      await Promise.allSettled(work);
      await dispose();
    },
  };
}

/** A queue that delivers each message to its consumer immediately, and fails when the consumer retries it. */
function directQueue(queue: string, consume: (batch: MessageBatch<unknown>) => Promise<unknown>): ReplayQueue {
  return {
    async send(body) {
      let rejected = false;
      function reject(): void {
        rejected = true;
      }
      function accept(): void {}
      const message = { id: crypto.randomUUID(), body, attempts: 1, timestamp: new Date(), ack: accept, retry: reject };
      const metadata = { metrics: { backlogCount: 0, backlogBytes: 0 } };
      await consume({ queue, messages: [message], metadata, ackAll: accept, retryAll: reject });
      if (rejected) throw new Error(`The consumer of ${queue} failed again; the message is kept.`);
    },
  };
}

/**
 * The local queues. Queue bindings drop messages unless a development server is running, so messages are consumed here
 * instead. Usage can't be: only the worker reaches ledgers, so its dead letters stay.
 */
export function localQueues(env: Bindings): Record<string, ReplayQueue> {
  const isolate = createIsolate(env);
  return {
    "checkline-mail": directQueue("checkline-mail", (batch) =>
      consumeMail(batch as MessageBatch<MailMessage>, isolate),
    ),
  };
}

async function openLocal(path: string): Promise<Platform> {
  const proxy = await openLocalBindings(path);
  const origin = proxy.env.PUBLIC_ORIGIN ?? `http://localhost:${runningPort(process.env["PORT"])}`;
  const env = { ...proxy.env, PUBLIC_ORIGIN: origin } as Bindings;
  return platformOf(env, { origin, queues: localQueues(env), dispose: proxy.dispose });
}

/** The ids of the deployed database and KV namespace. */
async function deployedIds(environment: WranglerConfig) {
  const resources = resourcesOf(environment);
  const io = { env: process.env, run, fetch };
  const id = environment.account_id ?? process.env["CLOUDFLARE_ACCOUNT_ID"];
  const account = await openAccount(id, wranglerFor(["--config", CONFIG], io), io);
  const { database, namespace } = await findResources(resources, account);
  const missing = (what: string) => new Error(`The account has no ${what}. Has it been deployed?`);
  if (database === undefined) throw missing(`D1 database called ${resources.database.database_name}`);
  if (namespace === undefined) throw missing(`KV namespace called ${resources.namespace.title}`);
  return { database, namespace };
}

/**
 * The configuration of a worker without code that has the deployed worker's bindings: wrangler.toml may omit ids,
 * remote bindings may not.
 */
export function remoteConfig(
  environment: WranglerConfig,
  ids: { readonly database: string; readonly namespace: string },
) {
  const { name, compatibility_date, account_id, vars } = environment;
  const { database, namespace, producers } = resourcesOf(environment);
  return {
    name: `${name}-admin`,
    compatibility_date,
    send_metrics: false,
    ...(account_id !== undefined && { account_id }),
    vars,
    d1_databases: [
      { binding: database.binding, database_name: database.database_name, database_id: ids.database, remote: true },
    ],
    kv_namespaces: [{ binding: namespace.binding, id: ids.namespace, remote: true }],
    queues: { producers: producers.map(({ binding, queue }) => ({ binding, queue, remote: true })) },
  };
}

/** The queues that a worker sends to, by their names in its environment. */
export function remoteQueues(
  { queues }: WranglerConfig,
  env: Pick<Bindings, "USAGE" | "MAIL">,
): Record<string, ReplayQueue> {
  const bound: Readonly<Record<string, ReplayQueue | undefined>> = { USAGE: env.USAGE, MAIL: env.MAIL };
  return Object.fromEntries(
    (queues.producers ?? []).flatMap((producer) => {
      const found = bound[producer.binding];
      return producer.queue === undefined || found === undefined ? [] : [[producer.queue, found]];
    }),
  );
}

async function connectRemote(environment: WranglerConfig, folder: string): Promise<Platform> {
  const configPath = join(folder, "wrangler.json");
  await writeFile(configPath, JSON.stringify(remoteConfig(environment, await deployedIds(environment))));
  const { env, dispose } = await getPlatformProxy<Bindings>({ configPath, persist: false, remoteBindings: true });
  return platformOf(env, {
    origin: env.PUBLIC_ORIGIN ?? process.env["PUBLIC_ORIGIN"] ?? "https://YOUR-DOMAIN",
    queues: remoteQueues(environment, env),
    dispose: async () => {
      await dispose();
      await rm(folder, { recursive: true, force: true });
    },
  });
}

async function openRemote(environment: WranglerConfig): Promise<Platform> {
  const folder = await mkdtemp(join(tmpdir(), "checkline-admin-"));
  try {
    return await connectRemote(environment, folder);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Can't reach the deployed database.\n\n${reason}\n\n${REMOTE_NEEDS}`, { cause: error });
  }
}

/**
 * Opens the bindings of this machine or of a deployed worker.
 * @param remote the environment in wrangler.toml that it was deployed from, or null for this machine
 * @param path of another configuration than the project's
 * @throws Error with what is required, when the deployed ones can't be reached
 */
export async function openPlatform(remote: EnvironmentName | null, path = CONFIG): Promise<Platform> {
  return remote === null ? openLocal(path) : openRemote(readEnvironment(remote, path));
}
