import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { SANDBOX_SUCCESSES } from "../contract/sandbox.ts";

/** JSON that wrangler sent. */
// oxlint-disable-next-line no-explicit-any
type Json = any;

/** What wrangler uploaded. */
interface Version {
  readonly id: string;
  readonly metadata: Json;
  readonly modules: readonly string[];
}

interface Call {
  readonly query: URLSearchParams;
  /** What the route's pattern captures of the path. */
  readonly part: string;
  readonly json: Json;
  readonly form: () => Promise<FormData>;
}

/** Cloudflare's refusal of a call. */
class Refusal extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

function existing<T>(value: T | undefined, code: number): T {
  if (value === undefined) throw new Refusal(code, "It does not exist.");
  return value;
}

/**
 * Cloudflare's API on loopback, for an account that has a workers.dev subdomain and a zone: as much of it as wrangler and
 * a deployment call. Its `fetch` also reaches the worker's addresses.
 */
export async function startCloudflare() {
  const sql = new DatabaseSync(":memory:");
  const now = new Date().toISOString();
  const account = {
    queues: [] as Json[],
    databases: [] as Json[],
    namespaces: [] as Json[],
    versions: [] as Version[],
    /** The newest first; each has all traffic. */
    deployments: [] as Json[],
    secrets: new Map<string, string>(),
    /** The site's files, by their hashes. */
    files: new Map<string, string>(),
    /** The workers that hosts lead to; "http" for another server. */
    hosts: new Map<string, string>(),
    subdomain: true,
    zone: "example.com",
    /** Each call that changed something, such as "POST /queues". */
    changes: [] as string[],
    /** The calls to refuse. */
    refuse: null as RegExp | null,
    /** The worker's response in place of the usual one; throws where nothing responds. */
    respond: (_host: string, _path: string): Response | null => null,
    url: "",
    fetch: reach as typeof fetch,
    close: () => server.close(),
  };
  const put = <T>(list: T[], value: T): T => list[list.push(value) - 1]!;

  async function upload(form: FormData): Promise<Version> {
    const { metadata, ...modules } = Object.fromEntries(form);
    const version = { id: crypto.randomUUID(), metadata: JSON.parse(metadata as string) as Json };
    for (const { type, name, text } of version.metadata.bindings) {
      if (type === "secret_text") account.secrets.set(name, text);
    }
    return put(account.versions, { ...version, modules: Object.keys(modules) });
  }
  function release(id: string, more: Json = {}): void {
    account.deployments.unshift({ created_on: now, versions: [{ version_id: id, percentage: 100 }], ...more });
  }

  const script = "/workers/scripts/checkline";
  const routes: Record<string, (call: Call) => unknown> = {
    "GET /accounts": () => [{ id: "an-account" }],
    "GET /memberships": () => [{ account: { id: "an-account", name: "Ada" } }],
    "GET /zones": ({ query }) => (query.get("name") === account.zone ? [{ id: "a-zone" }] : []),
    "GET /workers/subdomain": () => existing(account.subdomain ? { subdomain: "ada" } : undefined, 10_007),
    "GET /workers/domains": ({ query }) => {
      const service = account.hosts.get(query.get("hostname")!);
      return service === undefined || service === "http" ? [] : [{ service }];
    },

    "GET /queues": ({ query }) => account.queues.filter(({ queue_name: name }) => query.getAll("name").includes(name)),
    "POST /queues": ({ json }) => put(account.queues, { queue_id: crypto.randomUUID(), consumers: [], ...json }),
    "POST /queues/[^/]+/consumers": () => ({}),
    "GET /storage/kv/namespaces": () => account.namespaces,
    "POST /storage/kv/namespaces": ({ json }) => put(account.namespaces, { id: crypto.randomUUID(), ...json }),
    "GET /d1/database/([^/]+)": ({ part }) =>
      existing(
        account.databases.find(({ uuid, name }) => uuid === part || name === part),
        7404,
      ),
    "POST /d1/database": ({ json }) => put(account.databases, { uuid: crypto.randomUUID(), ...json }),
    "POST /d1/database/[^/]+/query": ({ json }) => {
      const results = /^select/i.test(json.sql) ? sql.prepare(json.sql).all() : void sql.exec(json.sql);
      return [{ success: true, results: results ?? [], meta: {} }];
    },

    "GET /workers/services/checkline": () => {
      existing(account.versions[0], 10_090);
      return { default_environment: { script: { tag: "a-tag", migration_tag: "v1", last_deployed_from: "wrangler" } } };
    },
    "GET /workers/workers/checkline": () => ({ subdomain: { enabled: false, previews_enabled: false } }),
    [`GET ${script}/secrets`]: () => [...account.secrets.keys()].map((name) => ({ name, type: "secret_text" })),
    [`POST ${script}/assets-upload-session`]: ({ json }) => ({
      jwt: "a-jwt",
      buckets: [Object.values<Json>(json.manifest).map(({ hash }) => hash)],
    }),
    "POST /workers/assets/upload": async ({ form }) => {
      for (const [hash, file] of await form()) {
        account.files.set(hash, Buffer.from(await (file as File).text(), "base64").toString());
      }
      return { jwt: "a-jwt" };
    },
    // The first upload, with the migrations of Durable Objects.
    [`PUT ${script}`]: async ({ form }) => {
      const { id } = await upload(await form());
      release(id);
      return { deployment_id: id.replaceAll("-", "") };
    },
    [`POST ${script}/versions`]: async ({ form }) => ({
      ...(await upload(await form())),
      resources: { script: { etag: "an-etag" } },
    }),
    [`GET ${script}/versions/([^/]+)`]: ({ part: id }) => ({ id, metadata: { created_on: now } }),
    [`GET ${script}/deployments`]: () => ({
      deployments: existing(account.versions[0], 10_007) && account.deployments,
    }),
    [`POST ${script}/deployments`]: ({ json }) => release(json.versions[0].version_id, json),
    [`PATCH ${script}/script-settings`]: () => ({}),
    [`POST ${script}/subdomain`]: ({ json }) => json,
    [`PUT ${script}/schedules`]: () => ({}),
    [`POST ${script}/domains/changeset`]: () => ({ added: [], removed: [], updated: [], conflicting: [] }),
    [`PUT ${script}/domains/records`]: ({ json }) => {
      for (const { hostname } of json.origins) account.hosts.set(hostname, "checkline");
    },
  };

  async function answer(line: string, query: URLSearchParams, body: Buffer, headers: Record<string, string>) {
    if (!line.startsWith("GET ") && !line.endsWith("/query")) account.changes.push(line);
    if (account.refuse?.test(line)) throw new Refusal(10_000, "Authentication error");
    if (!/^Bearer (a-token|a-jwt)$/.test(headers["authorization"] ?? "")) throw new Refusal(9109, "Unauthorized");
    for (const [route, handle] of Object.entries(routes)) {
      const match = new RegExp(`^${route}$`).exec(line);
      if (match === null) continue;
      const form = () => new Response(body, { headers: { "Content-Type": headers["content-type"]! } }).formData();
      const json: Json = /^[{[]/.test(body.toString("latin1", 0, 1)) ? JSON.parse(body.toString()) : {};
      return handle({ query, part: match[1] ?? "", json, form });
    }
    throw new Refusal(7003, `The fake doesn't know ${line}`);
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname, searchParams } = new URL(request.url!, "http://localhost");
    const line = `${request.method} ${pathname.replace("/client/v4", "").replace(/^\/accounts\/an-account/, "")}`;
    const headers = request.headers as Record<string, string>;
    const outcome = await answer(line, searchParams, Buffer.concat(chunks), headers).then(
      (result) => ({ success: true, result: result ?? null, errors: [], messages: [] }),
      ({ code, message }: Refusal) => ({ success: false, result: null, errors: [{ code, message }], messages: [] }),
    );
    response.writeHead(outcome.success ? 200 : 400, { "Content-Type": "application/json" });
    response.end(JSON.stringify(outcome));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  account.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/client/v4`;

  async function reach(input: string, init: RequestInit = {}): Promise<Response> {
    if (input.startsWith(account.url)) return fetch(input, init);
    const { hostname, pathname } = new URL(input);
    const isOurs = hostname === "checkline.ada.workers.dev" || account.hosts.has(hostname);
    if (!isOurs) throw new TypeError("fetch failed", { cause: { code: "ENOTFOUND" } });
    const other = account.respond(hostname, pathname);
    if (other !== null) return other;
    const [{ number }] = SANDBOX_SUCCESSES;
    if (pathname === "/") return new Response("<!doctype html><html></html>");
    if (pathname === "/api/v1/verify") return new Response(null, { status: 401 });
    if (pathname === "/api/v1/demo/lookup") return Response.json({ valid: true, number });
    return Response.json({
      version_id: account.deployments[0].versions[0].version_id,
      problems: ["MAIL_FROM isn't set."],
    });
  }

  return account;
}
