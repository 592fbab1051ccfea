import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readRawConfig, withoutOperatorSettings, writeProjectConfig } from "../test/wrangler-config.ts";
import { parseConfig } from "../worker/platform/config.ts";
import { ENVIRONMENTS } from "./arguments.ts";
import { readTarget } from "./deploy/target.ts";
import { ROOT } from "./local/run.ts";
import { CONFIG, readEnvironment } from "./wrangler-config.ts";
import { deadLetterQueue } from "../worker/operations/dead-letters.ts";

/** Where environments differ by design. */
const ENVIRONMENTS_OWN = ["targetEnvironment", "topLevelName", "namespace_id"];

/** An environment without those and without operator settings, with NAME as its name prefix. */
function comparable(environment: Parameters<typeof readEnvironment>[0], path = CONFIG): unknown {
  const name = environment === "staging" ? "checkline-staging" : "checkline";
  const text = JSON.stringify(withoutOperatorSettings(readEnvironment(environment, path)), (key, value: unknown) =>
    ENVIRONMENTS_OWN.includes(key) ? undefined : value,
  );
  return JSON.parse(text.replaceAll(`"${name}`, '"NAME'));
}

test.each(ENVIRONMENTS)("%s matches local runs: the same bindings, queues, limits, and schedules", (environment) => {
  const local = comparable(null);
  expect(local).toMatchObject({ name: "NAME", limits: { cpu_ms: 30_000 }, d1_databases: [{ binding: "DB" }] });
  expect(local).toMatchObject({ durable_objects: { code_update_strategy: { mode: "immediate" } } });
  expect(comparable(environment)).toStrictEqual(local);
});

test.each([null, ...ENVIRONMENTS])(
  "the environment %s stores no URL of a request: no invocation logs, no traces",
  (environment) => {
    expect(readEnvironment(environment)).toMatchObject({
      observability: {
        redact_query_string: true,
        logs: { invocation_logs: false },
        traces: { enabled: false },
        issues: { enabled: true },
      },
    });
  },
);

describe("the operator settings of the runbook in wrangler.toml", () => {
  const runbook = readFileSync(join(ROOT, "docs/runbook.md"), "utf8");
  const snippet = /^```toml\n(\[env\.production\]\n[^]*?)^```/m.exec(runbook)![1]!;
  const addressAndMail = writeProjectConfig((config, folder) => {
    const file = join(folder, "snippet.toml");
    writeFileSync(file, snippet);
    const { vars, ...settings } = readRawConfig(file).env.production;
    Object.assign(config.env.production, settings);
    Object.assign(config.env.production.vars, vars);
  });
  const restored = writeProjectConfig(({ env: { production } }) => {
    Object.assign(production.d1_databases[0]!, { database_name: "checkline-restored", database_id: "an-id" });
  });

  test("an address and email: all of it is parsed, and only the provider's key is missing", () => {
    const target = readTarget("production", addressAndMail, {});
    expect(target.settings).toMatchObject({ ENVIRONMENT: "production", MAIL_DRIVER: "resend" });
    expect(readEnvironment("production", addressAndMail)).toMatchObject({
      routes: [{ pattern: new URL(target.settings["PUBLIC_ORIGIN"]!).host, custom_domain: true }],
    });
    expect(target.domains).toStrictEqual([new URL(target.settings["PUBLIC_ORIGIN"]!).host]);
    const secret = "s".repeat(32);
    const settings = { ...target.settings, SESSION_SECRET: secret, TRIAL_SECRET: secret };
    expect(parseConfig(settings).problems).toStrictEqual(["RESEND_API_KEY isn't set."]);
    expect(parseConfig({ ...settings, RESEND_API_KEY: "re_key" })).toMatchObject({
      problems: [],
      mail: { driver: "resend" },
    });
  });

  test("a restored database, by name and id", () => {
    const { database } = readTarget("production", restored, {}).resources;
    expect(database).toMatchObject({ binding: "DB", database_name: "checkline-restored", database_id: "an-id" });
  });

  test.each([
    ["an address and mail", addressAndMail],
    ["a restored database", restored],
  ])("%s: the environments still match without it", (_, path) => {
    expect(comparable("production", path)).toStrictEqual(comparable(null, path));
  });
});

test.each([null, ...ENVIRONMENTS])(
  "the settings of %s name its queues, which have dead-letter queues",
  (environment) => {
    const { vars, queues } = readEnvironment(environment);
    const names = Object.fromEntries(queues.producers!.map(({ binding, queue }) => [`${binding}_QUEUE`, queue]));
    expect(vars).toMatchObject(names);
    const deadLetters = queues.consumers!.flatMap(({ dead_letter_queue: queue }) => queue ?? []);
    expect(deadLetters).toStrictEqual(Object.values(names).map((name) => deadLetterQueue(name!)));
    // The most there are: worker/ledger/consumer.test.ts counts how many usage needs.
    expect(queues).toMatchObject({ consumers: queues.consumers!.map(() => ({ max_retries: 100 })) });
  },
);

function namesOf(environment: (typeof ENVIRONMENTS)[number]): (string | undefined)[] {
  const text = JSON.stringify(readEnvironment(environment));
  return (
    [...text.matchAll(/"(?:name|database_name|queue|namespace_id|dead_letter_queue)":"([^"]+)"/g)]
      .map(([, name]) => name)
      // These are names of bindings; a worker's objects belong to it.
      .filter((name) => !["ADDRESS_BACKSTOP", "ACCOUNT_BACKSTOP", "LEDGER"].includes(name!))
  );
}

test.each(ENVIRONMENTS)("%s is also at workers.dev", (environment) => {
  expect(readEnvironment(environment)).toMatchObject({ workers_dev: true });
});

test("environments share no worker, database, queue, or limiter", () => {
  const [production, staging] = ENVIRONMENTS.map(namesOf);
  expect(production!.length).toBeGreaterThan(8);
  expect(staging!.filter((name) => production!.includes(name))).toStrictEqual([]);
});
