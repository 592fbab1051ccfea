import { expect, test } from "vitest";
import { createAccount } from "../../test/cloudflare-account.ts";
import { ORIGIN } from "../../test/deployments.ts";
import { writeProjectConfig } from "../../test/wrangler-config.ts";
import { parseOptions } from "./arguments.ts";
import type { Io } from "./deployment.ts";
import { deploy } from "./run.ts";
import { readTarget } from "./target.ts";

const TARGET = readTarget("production", {}, writeProjectConfig());

/** An account, and deployments into it in which something is done in another way. Each returns what it failed with. */
function startAccount() {
  const account = createAccount();
  async function run(changes: Partial<Io> = {}): Promise<string> {
    const io: Io = {
      run: account.run,
      fetch: account.fetch,
      build: async () => {},
      sleep: async () => {},
      stopped: new AbortController().signal,
      variables: {},
      print: () => {},
      ...changes,
    };
    const failure: unknown = await deploy(parseOptions([], false)!, TARGET, io).catch((error: unknown) => error);
    return failure instanceof Error ? failure.message : "deployed";
  }
  return { account, run };
}

test("the version before may be older than what names a version in health; the new one may not", async () => {
  const { account, run } = startAccount();
  expect(await run()).toBe("deployed");
  const [before] = account.workers.get("checkline")!.versions;
  async function fetch(url: string, init: RequestInit): Promise<Response> {
    const response = await account.fetch(url, init);
    if (!url.endsWith("/health")) return response;
    const { version_id, ...rest } = (await response.json()) as { version_id: string };
    return Response.json(version_id === before!.id ? rest : { ...rest, version_id });
  }
  account.trouble.code = true;
  expect(await run({ fetch })).toContain(`Rolled back: version ${before!.id} answers again, tested at ${ORIGIN}.`);

  account.trouble.code = false;
  account.trouble.propagation = Infinity;
  expect(await run({ fetch })).toMatch(/^\S+ does not answer as it must to health: version_id: /);
});

test("an account of the test that was made by a command that failed is erased", async () => {
  const { account, run } = startAccount();
  const users: number[] = [];
  const failure = await run({
    async run(args, env) {
      const result = await account.run(args, env);
      if (!args.some((arg) => arg.includes("INSERT INTO users"))) return result;
      users.push(account.contents().databases[0]!.users);
      return { code: 1, stdout: "", stderr: "✘ [ERROR] fetch failed" };
    },
  });
  expect(failure).toMatch(/^fetch failed\n\nNothing was deployed\./);
  expect(users).toStrictEqual([1]);
  expect(account.contents().databases).toMatchObject([{ users: 0 }]);
});
