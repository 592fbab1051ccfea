import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { GRADUAL, ORIGIN, startAccount, startDeployed } from "../../test/deployments.ts";
import { writeProjectConfig } from "../../test/wrangler-config.ts";
import { derivedConfigPath } from "./resources.ts";
import { readTarget } from "./target.ts";

const CONFIG = writeProjectConfig();

describe("what fails leaves things as they were:", () => {
  test("not signed in", async () => {
    const account = startAccount(CONFIG);
    account.trouble.signedOut = true;
    const failure = await account.failure();
    expect(failure).toMatch(/^You are not signed in to Cloudflare\. Run: npx wrangler login\n/);
    expect(failure).toContain("Nothing was deployed, and nothing was changed.");
    expect(account.commands).toStrictEqual(["whoami --json --env=production"]);
    expect(account.built).toStrictEqual([]);
  });

  test("an account whose plan has no queues", async () => {
    const account = startAccount(CONFIG);
    const before = account.contents();
    account.trouble.plan = "free without queues";
    const failure = await account.failure();
    expect(failure).toMatch(/^Checkline needs the Workers Paid plan/);
    expect(failure).toContain("Nothing was deployed.");
    expect(account.contents()).toStrictEqual(before);
  });

  test("Workers Free, found out at the upload; on Workers Paid the next run goes on from there", async () => {
    const account = startAccount(CONFIG);
    account.trouble.plan = "free";
    expect(await account.failure()).toMatch(/^Checkline needs the Workers Paid plan[^]*Nothing was deployed\./);
    expect(account.contents()).toMatchObject({
      traffic: {},
      namespaces: ["checkline-edge"],
      databases: [{ users: 0 }],
    });
    account.trouble.plan = "paid";
    await account.run();
    expect(account.contents()).toMatchObject({
      namespaces: ["checkline-edge"],
      traffic: { checkline: expect.anything() },
    });
    expect(existsSync(derivedConfigPath(readTarget("production", {}, CONFIG)))).toBe(false);
  });

  test("an account that has gone back to Workers Free", async () => {
    const account = await startDeployed(CONFIG);
    account.trouble.plan = "free";
    expect(await account.failure()).toContain("Nothing was deployed.");
    expect(account.contents()).toStrictEqual(account.before);
    expect(account.traffic).toStrictEqual([]);
  });

  test.each([
    ["at once", []],
    ["gradually", GRADUAL],
  ])("a migration that fails, %s", async (_, args) => {
    const account = await startDeployed(CONFIG);
    account.trouble.migration = true;
    const failure = await account.failure(args, { PUBLIC_ORIGIN: ORIGIN });
    expect(failure).toContain("Migration 0001_broken.sql failed");
    expect(failure).toContain("Nothing was deployed.");
    expect(account.contents()).toStrictEqual(account.before);
    expect(account.traffic).toStrictEqual([]);
  });

  test("a version that fails its test is rolled back", async () => {
    const account = await startDeployed(CONFIG);
    account.trouble.code = true;
    const failure = await account.failure();
    const [version] = Object.keys(account.before.traffic["checkline"]!);
    expect(failure).toContain("answers 500 instead of 200");
    expect(failure).toContain(`Rolled back: version ${version} answers again, tested at ${ORIGIN}.`);
    expect(account.sleeps).toStrictEqual(Array(11).fill(5_000));
    expect(account.commands).toContain(
      `rollback ${version} --yes --message Rolled back: ${failure.split("\n")[0]} --env=production`,
    );
  });

  test("but for crons, queue consumers and addresses, which no rollback restores: it says so", async () => {
    const account = await startDeployed(CONFIG);
    account.trouble.code = true;
    expect(await account.failure()).toContain(
      "Crons, queue consumers and addresses stay as this deployment has set them",
    );
    const [, broken] = account.workers.get("checkline")!.versions;
    expect(account.contents()).toStrictEqual({ ...account.before, triggers: { checkline: broken!.id } });
  });

  test("a version that never answers, though the one before does", async () => {
    const account = await startDeployed(CONFIG);
    account.trouble.propagation = 12;
    account.whileAsleep(() => void (account.trouble.propagation = 0));
    const failure = await account.failure();
    expect(failure).toMatch(/does not answer as it must to health: it is not version \S+ that answers/);
    expect(failure).toContain("answers again, tested at");
    expect(account.traffic).toStrictEqual(["100", "100"]);
  });

  test("and when the version before does not work either, it does not say that it does", async () => {
    const account = await startDeployed(CONFIG);
    const { versions } = account.workers.get("checkline")!;
    const [version] = versions;
    account.trouble.code = true;
    account.whileAsleep(() => void (versions[0] = { ...version!, works: false }));
    const failure = await account.failure();
    expect(failure).toContain(`version ${version!.id} has all of the traffic again, but its test fails as well: `);
    expect(failure).not.toContain("answers again");
  });

  test.each([
    [
      "without an address is not tested again",
      {},
      "has all of the traffic again; not tested, its address is not known.",
    ],
    ["with an address is tested again", { PUBLIC_ORIGIN: ORIGIN }, `answers again, tested at ${ORIGIN}.`],
  ])("a deployment that fails after it has moved the traffic is rolled back; %s", async (_, variables, outcome) => {
    const account = await startDeployed(CONFIG);
    account.trouble.triggers = true;
    const [version] = Object.keys(account.before.traffic["checkline"]!);
    const reason = "Cron triggers could not be updated. [code: 10000001]";
    const failure = await account.failure([], variables);
    expect(failure).toContain(reason);
    expect(failure.slice(failure.indexOf("\n\n"))).toBe(`

Rolled back: version ${version} ${outcome}
Migrations that were applied stay; it works with them.
Crons, queue consumers and addresses stay as this deployment has set them: deploying the code before sets them back.`);
    expect(account.commands.find((command) => command.startsWith("rollback"))).toContain(reason);
    expect(account.contents()).toStrictEqual(account.before);
  });

  test("and when it cannot be rolled back, it says how to do it by hand", async () => {
    const account = await startDeployed(CONFIG);
    Object.assign(account.trouble, { code: true, rollback: true });
    const [version] = Object.keys(account.before.traffic["checkline"]!);
    const failure = await account.failure();
    expect(failure).toContain("It could not be undone");
    expect(failure).toContain(`npx wrangler rollback ${version} --env=production`);
  });
});
