import { afterAll, beforeAll, expect, test } from "vitest";
import { parseOptions } from "../../scripts/deploy/arguments.ts";
import { deploy } from "../../scripts/deploy/run.ts";
import { rollBack } from "../../scripts/deploy/release.ts";
import { readTarget } from "../../scripts/deploy/target.ts";
import { runWrangler, wranglerIn } from "../../scripts/deploy/wrangler.ts";
import type { RunWrangler } from "../../scripts/deploy/wrangler.ts";
import { startCloudflareApi } from "../cloudflare-api.ts";
import { startWorker } from "../harness.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
import { createSignedIn } from "../factories.ts";
import { writeProjectConfig } from "../wrangler-config.ts";

// The installed wrangler does the deploying here, against a stand-in for Cloudflare's API: what it prints, which options it takes and
// what it uploads change with its versions. What a deployment does when things fail is tested in scripts/deploy/run.test.ts.

const CONFIG = writeProjectConfig();
const ORIGIN = "https://checkline.ada.workers.dev";
const worker = startWorker();
let api: Awaited<ReturnType<typeof startCloudflareApi>>;
let key: string;

beforeAll(async () => {
  api = await startCloudflareApi();
  const { id: userId } = await createSignedIn(worker.db);
  key = (await insertApiKey({ db: worker.db, now: Date.now(), userId, mode: "test", name: "Smoke" })).apiKey;
});
afterAll(() => api.close());

const wrangler: RunWrangler = (args, env) => {
  const config = args.includes("--config") ? [] : ["--config", CONFIG];
  return runWrangler([...args, ...config], { ...api.variables, ...env });
};

/** The worker of this test, in the name of the version that is asked for: it is all of them. */
async function fetchVersion(url: string, init: RequestInit): Promise<Response> {
  const response = await worker.fetch(url.replace(ORIGIN, ""), init);
  const asked = /="(.+)"$/.exec(new Headers(init.headers).get("Cloudflare-Workers-Version-Overrides") ?? "")?.[1];
  if (!url.endsWith("/health")) return response;
  return Response.json({ ...((await response.json()) as object), version_id: asked });
}

/** Deploys with the real wrangler; the worker of this test answers at the address. */
async function run(args: readonly string[]): Promise<string> {
  const printed: string[] = [];
  const variables = { PUBLIC_ORIGIN: ORIGIN, CHECKLINE_SMOKE_KEY: key };
  const options = parseOptions(args, false)!;
  const failure = await deploy(options, readTarget(options.environment, variables, CONFIG), {
    run: wrangler,
    fetch: fetchVersion,
    build: async () => {},
    sleep: async () => {},
    stopped: new AbortController().signal,
    variables,
    print: (text) => void printed.push(text),
  }).catch((error: unknown) => error);
  return failure instanceof Error ? failure.message : printed.join("");
}

function shares(): number[][] {
  return api.state.deployments.toReversed().map(({ versions }) => versions.map(({ percentage }) => percentage));
}

test("wrangler takes a deployment through: refused, first, gradual, rolled back", { timeout: 600_000 }, async () => {
  api.state.plan = "free";
  expect(await run([])).toMatch(/^Checkline needs the Workers Paid plan[^]*Nothing was deployed\./);
  expect(api.state.deployments).toStrictEqual([]);

  api.state.plan = "paid";
  expect(await run([])).toContain(`Deployed: ${ORIGIN}`);
  const { queues, databases, namespaces, consumers, uploads } = api.state;
  expect(queues).toHaveLength(4);
  expect([...consumers].toSorted()).toStrictEqual(queues.toSorted());
  expect(databases).toHaveLength(1);
  expect(namespaces.map(({ title }) => title)).toStrictEqual(["checkline-edge"]);
  expect(uploads[0]).toMatchObject({
    limits: { cpu_ms: 30_000 },
    bindings: expect.arrayContaining([
      { name: "EDGE", type: "kv_namespace", namespace_id: namespaces[0]!.id },
      { name: "SESSION_SECRET", type: "secret_text", text: expect.stringMatching(/^[\w-]{43}$/) },
      { name: "PUBLIC_ORIGIN", type: "plain_text", text: ORIGIN },
    ]),
  });
  expect(api.state.sql.some((sql) => sql.includes("CREATE TABLE `users`"))).toBe(true);

  expect(await run(["--gradual", "--watch", "1"])).toContain(`Deployed: ${ORIGIN}`);
  expect(shares()).toStrictEqual([[100], [10, 90], [100]]);
  expect(JSON.stringify(uploads[1])).not.toContain('"secret_text","text"');

  const [first] = api.state.deployments.at(-1)!.versions;
  await rollBack(wranglerIn("production", wrangler), first!.version_id, "A test.");
  expect(api.state.deployments[0]!.versions).toStrictEqual([first]);
  expect(api.state.unknown).toStrictEqual([]);
});
