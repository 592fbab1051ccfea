import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Deployment {
  readonly created_on: string;
  readonly versions: readonly { readonly version_id: string; readonly percentage: number }[];
}

/** An answer of Cloudflare's API: a result, or an error with its code. */
type Answer =
  | { readonly result: unknown }
  | { readonly code: number; readonly message: string; readonly status: number };

interface Call {
  readonly method: string;
  /** Without what comes before the account's own part. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The JSON of the body, or the metadata of an upload. */
  readonly body: Readonly<Record<string, unknown>>;
}

async function readCall(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("latin1");
  const { pathname, searchParams } = new URL(request.url!, "http://localhost");
  const json = /name="metadata"[^]*?\r\n\r\n([^]*?)\r\n--/.exec(text)?.[1] ?? text;
  return {
    method: request.method!,
    path: pathname.replace("/client/v4", "").replace("/accounts/account", ""),
    query: searchParams,
    body: json.startsWith("{") ? (JSON.parse(json) as Record<string, unknown>) : {},
  };
}

function ok(result: unknown): Answer {
  return { result };
}

function missing(code: number): Answer {
  return { code, message: "It does not exist.", status: 404 };
}

/**
 * As much of Cloudflare's API as wrangler needs to deploy this worker, on a loopback port, so that the real wrangler can be tested. It
 * knows one worker, and keeps what it is given; `plan` can be set to Workers Free.
 */
export async function startCloudflareApi() {
  const script = "/workers/scripts/checkline";
  const database = { uuid: "00000000-0000-4000-8000-00000000d100", name: "checkline" };
  const state = {
    plan: "paid" as "paid" | "free",
    queues: [] as string[],
    databases: [] as (typeof database)[],
    namespaces: [] as { id: string; title: string }[],
    deployments: [] as Deployment[],
    /** What was uploaded with each version. */
    uploads: [] as Readonly<Record<string, unknown>>[],
    consumers: new Set<string>(),
    crons: [] as unknown[],
    sql: [] as string[],
    unknown: [] as string[],
  };

  function versionId(): string {
    return `00000000-0000-4000-8000-${String(state.uploads.length).padStart(12, "0")}`;
  }

  function deployment(versions: Deployment["versions"]): Answer {
    state.deployments.unshift({ created_on: new Date().toISOString(), versions });
    return ok({ id: "deployment" });
  }

  function upload(metadata: Readonly<Record<string, unknown>>): Answer {
    if (state.plan === "free")
      return { code: 100328, message: "CPU limits are not supported for the Free plan.", status: 400 };
    state.uploads.push(metadata);
    const resources = { bindings: [], script: { etag: "e", handlers: ["fetch"] }, script_runtime: {} };
    const metadataOfVersion = { has_preview: false, created_on: new Date().toISOString() };
    return ok({ id: versionId(), startup_time_ms: 20, number: 1, metadata: metadataOfVersion, resources });
  }

  function bindings() {
    const [producerOf, namespace] = [(queue: string) => `checkline-${queue.toLowerCase()}`, state.namespaces[0]!];
    return [
      { type: "kv_namespace", name: "EDGE", namespace_id: namespace.id },
      { type: "d1", name: "DB", id: database.uuid },
      ...["USAGE", "MAIL"].map((name) => ({ type: "queue", name, queue_name: producerOf(name) })),
    ];
  }

  function answer({ method, path, query, body }: Call): Answer {
    const deployed = state.deployments.length > 0;
    switch (`${method} ${path}`) {
      case "GET /user":
        return ok({ id: "user", email: "ada@example.com" });
      case "GET /user/tokens/verify":
        return ok({ id: "token", status: "active" });
      case "GET /accounts":
      case "GET /memberships":
        return ok([{ id: "account", name: "Ada", account: { id: "account", name: "Ada" } }]);
      case "GET /queues": {
        const names = query.getAll("name");
        const found = state.queues.filter((queue) => names.includes(queue));
        return ok(found.map((queue_name) => ({ queue_name, queue_id: queue_name, producers: [], consumers: [] })));
      }
      case "POST /queues":
        state.queues.push(body["queue_name"] as string);
        return ok({ queue_name: body["queue_name"] });
      case "GET /d1/database":
        return ok(state.databases);
      case "POST /d1/database":
        state.databases.push(database);
        return ok(database);
      case "GET /storage/kv/namespaces":
        return ok(query.get("page") === "2" ? [] : state.namespaces);
      case "POST /storage/kv/namespaces": {
        const namespace = { id: `kv${state.namespaces.length}`, title: body["title"] as string };
        if (state.namespaces.some(({ title }) => title === namespace.title)) {
          return { code: 10014, message: "a namespace with this account ID and title already exists", status: 400 };
        }
        state.namespaces.push(namespace);
        return ok(namespace);
      }
      case `POST ${script}/assets-upload-session`:
        return ok({ jwt: "jwt", buckets: [] });
      case `GET ${script}/deployments`:
        return deployed ? ok({ deployments: state.deployments }) : missing(10007);
      case `POST ${script}/deployments`:
        return deployment(body["versions"] as Deployment["versions"]);
      case `PUT ${script}`: {
        const uploaded = upload(body);
        if ("result" in uploaded) deployment([{ version_id: versionId(), percentage: 100 }]);
        return "result" in uploaded ? ok({ deployment_id: versionId(), startup_time_ms: 20 }) : uploaded;
      }
      case `POST ${script}/versions`:
        return upload(body);
      case `GET ${script}/versions`:
        return ok({ items: [] });
      case `GET ${script}/secrets`:
        return ok([{ name: "SESSION_SECRET", type: "secret_text" }]);
      case `GET ${script}/settings`:
        return deployed ? ok({ bindings: bindings() }) : missing(10007);
      case "GET /workers/services/checkline":
        return deployed
          ? ok({ default_environment: { environment: "production", script: { tag: "t", tags: [] } } })
          : missing(10090);
      case "GET /workers/workers/checkline":
        return ok({ subdomain: { enabled: true, previews_enabled: false } });
      case `POST ${script}/subdomain`:
        return ok({ enabled: true, previews_enabled: false });
      case "GET /workers/subdomain":
        return ok({ subdomain: "ada" });
      case `PATCH ${script}/script-settings`:
        return ok({});
      case `PUT ${script}/schedules`:
        state.crons.push(body);
        return ok({ schedules: [] });
      default:
        return answerByPattern({ method, path, query, body });
    }
  }

  function answerByPattern({ method, path, body }: Call): Answer {
    const consumer = /^\/queues\/([^/]+)\/consumers$/.exec(path)?.[1];
    if (consumer !== undefined) {
      if (method !== "GET") state.consumers.add(consumer);
      return ok(method === "GET" ? [] : {});
    }
    if (path.startsWith("/d1/database/")) {
      if (path.endsWith("/query")) state.sql.push(body["sql"] as string);
      if (path.endsWith("/query")) return ok([{ results: [], success: true, meta: {} }]);
      return state.databases.length > 0 ? ok(database) : missing(7404);
    }
    if (path.startsWith(`${script}/versions/`)) {
      const resources = { bindings: [], script: { etag: "e", handlers: ["fetch"] }, script_runtime: {} };
      return ok({
        id: path.split("/").at(-1),
        metadata: { created_on: new Date().toISOString() },
        annotations: {},
        resources,
      });
    }
    state.unknown.push(`${method} ${path}`);
    return missing(7003);
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const given = answer(await readCall(request));
    const failure = "result" in given ? null : given;
    response.writeHead(failure?.status ?? 200, { "Content-Type": "application/json" });
    const envelope = {
      success: failure === null,
      errors: failure === null ? [] : [{ code: failure.code, message: failure.message }],
      messages: [],
      result: "result" in given ? given.result : null,
      result_info: { page: 1, per_page: 1_000, count: 1, total_count: 1, total_pages: 1 },
    };
    response.end(JSON.stringify(envelope));
  }

  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    state,
    /** Leads wrangler here, signed in. */
    variables: {
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}/client/v4`,
      CLOUDFLARE_API_TOKEN: "token",
      CLOUDFLARE_ACCOUNT_ID: "account",
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
