import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { GRADUAL, ORIGIN, startAccount, startDeployed } from "../../test/deployments.ts";
import { writeProjectConfig } from "../../test/wrangler-config.ts";
import { generateKey } from "../../worker/keys/key-format.ts";

const CONFIG = writeProjectConfig();

/** A command as the plan writes it, without what is only known when it runs. */
function asPlanned(command: string, old: string): string {
  return command
    .replace(/--command .* --env/, "--command SQL --env")
    .replace(/--secrets-file \S+/, "--secrets-file FILE")
    .replaceAll(old, "OLD")
    .replaceAll(/[\d-]{36}/g, "NEW");
}

describe("a first deployment", () => {
  test("makes what is missing, migrates, deploys with a secret of its own, tests, and leaves nothing of the test", async () => {
    const account = startAccount(CONFIG);
    await account.run();
    expect(account.contents()).toMatchObject({
      queues: ["checkline-usage", "checkline-mail", "checkline-usage-dead", "checkline-mail-dead"],
      databases: [{ name: "checkline", users: 0 }],
      namespaces: ["checkline-edge"],
    });
    expect(account.contents().databases[0]!.applied.length).toBeGreaterThan(0);
    expect(account.traffic).toStrictEqual(["100"]);
    const [version] = account.workers.get("checkline")!.versions;
    expect(version!.secrets["SESSION_SECRET"]).toMatch(/^[\w-]{43}$/);
    expect(account.built).toContain("build");
    expect(account.output()).toContain(`Deployed: ${ORIGIN}`);
    expect(account.output()).toContain("PUBLIC_ORIGIN is not set");
  });

  test("shows no secret and no key, on the screen or on a command line, and keeps no file", async () => {
    const account = startAccount(CONFIG);
    await account.run();
    const { secrets } = account.workers.get("checkline")!.versions[0]!;
    const shown = account.output() + account.commands.join("\n");
    for (const secret of Object.values(secrets)) expect(shown).not.toContain(secret);
    expect(shown).not.toMatch(/ch_test_/);
    const file = /--secrets-file (\S+)/.exec(shown)![1]!;
    expect(existsSync(file)).toBe(false);
  });

  test("migrates before the code is there", async () => {
    const account = startAccount(CONFIG);
    await account.run();
    const [migrated, deployed] = ["d1 migrations apply", "deploy "].map((start) =>
      account.commands.findIndex((command) => command.startsWith(start)),
    );
    expect(migrated).toBeGreaterThan(-1);
    expect(migrated!).toBeLessThan(deployed!);
  });

  test("of staging makes resources of its own", async () => {
    const account = startAccount(CONFIG);
    await account.run(["--env", "staging"]);
    expect(account.contents()).toMatchObject({
      databases: [{ name: "checkline-staging" }],
      namespaces: ["checkline-staging-edge"],
      traffic: { "checkline-staging": expect.anything() },
    });
    for (const queue of account.contents().queues) expect(queue).toMatch(/^checkline-staging-/);
  });

  test("that fails its test says that nothing can be gone back to, and the next run mends it", async () => {
    const account = startAccount(CONFIG);
    account.trouble.code = true;
    const failure = await account.failure();
    expect(failure).toContain("answers 500 instead of 200 to a verification in the sandbox");
    expect(failure).toContain("This was the first deployment");
    expect(failure).toContain("npx wrangler delete --env=production");
    expect(account.contents().databases[0]!.users).toBe(0);
    account.trouble.code = false;
    await account.run();
    expect(account.output()).toContain(`Deployed: ${ORIGIN}`);
  });
});

describe("a later deployment", () => {
  test("waits until the new version answers, though the one before answers well for a while", async () => {
    const account = await startDeployed(CONFIG);
    account.trouble.propagation = 5;
    await account.run();
    expect(account.sleeps).toStrictEqual(Array(5).fill(5_000));
    expect(account.traffic).toStrictEqual(["100"]);
  });

  test("makes nothing again and replaces no secret", async () => {
    const account = await startDeployed(CONFIG);
    await account.run();
    expect(account.commands.filter((command) => / create /.test(command))).toStrictEqual([]);
    const [first, second] = account.workers.get("checkline")!.versions;
    expect(second!.secrets).toStrictEqual(first!.secrets);
    expect(account.commands.join("\n")).not.toContain("--secrets-file");
    expect(account.contents()).toStrictEqual({
      ...account.before,
      traffic: { checkline: { [second!.id]: 100 } },
      triggers: { checkline: second!.id },
    });
  });

  test("takes settings and secrets of the shell", async () => {
    const account = await startDeployed(CONFIG);
    const variables = {
      PUBLIC_ORIGIN: "https://example.com",
      MAIL_DRIVER: "resend",
      MAIL_FROM: "Checkline <mail@example.com>",
      RESEND_API_KEY: "re_secret",
    };
    await account.run([], variables);
    expect(account.built.at(-1)).toBe("build https://example.com");
    const command = account.commands.find((each) => each.startsWith("deploy "))!;
    expect(command).toContain("--var PUBLIC_ORIGIN:https://example.com --var MAIL_DRIVER:resend");
    expect(command).not.toContain("re_secret");
    expect(account.workers.get("checkline")!.versions.at(-1)!.secrets["RESEND_API_KEY"]).toBe("re_secret");
  });

  test("tests with the operator's key when there is one, and makes no account", async () => {
    const account = await startDeployed(CONFIG);
    await account.run([], { CHECKLINE_SMOKE_KEY: await account.makeKey() });
    expect(account.traffic).toStrictEqual(["100"]);
    expect(account.commands.filter((command) => command.includes("execute"))).toStrictEqual([]);
  });
});

test.each([
  ["at once", [], {}],
  ["gradually", GRADUAL, { PUBLIC_ORIGIN: ORIGIN }],
  ["with a key of the operator's", [], { CHECKLINE_SMOKE_KEY: generateKey("test") }],
])("the plan of a deployment %s holds every command that it runs", async (_, args, variables) => {
  const account = await startDeployed(CONFIG);
  await account.run(args, variables).catch(() => {});
  const plan = account.plan(args, variables);
  const old = Object.keys(account.before.traffic["checkline"]!)[0]!;
  const planned = plan.split("\n").flatMap((line) => /^ +(?:wrangler) (.*)$/.exec(line)?.[1] ?? []);
  // Secrets are missing on a first deployment only.
  const expected = [...planned, ...planned.map((command) => command.replace(" --secrets-file FILE", ""))];
  expect(account.commands.length).toBeGreaterThan(5);
  for (const command of account.commands.filter((each) => !each.startsWith("rollback"))) {
    expect(expected).toContain(asPlanned(command, old));
  }
});
