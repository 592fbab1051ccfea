import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { GRADUAL, ORIGIN, startAccount, startDeployed } from "../../test/deployments.ts";
import { DERIVED_CONFIG } from "./resources.ts";

describe("what fails leaves things as they were:", () => {
  test("not signed in", async () => {
    const account = startAccount();
    account.trouble.signedOut = true;
    const failure = await account.failure();
    expect(failure).toMatch(/^You are not signed in to Cloudflare\. Run: npx wrangler login\n/);
    expect(failure).toContain("Nothing was deployed, and nothing was changed.");
    expect(account.commands).toStrictEqual(["whoami --json --env=production"]);
    expect(account.built).toStrictEqual([]);
  });

  test("an account whose plan has no queues", async () => {
    const account = startAccount();
    const before = account.contents();
    account.trouble.plan = "free without queues";
    const failure = await account.failure();
    expect(failure).toMatch(/^Checkline needs the Workers Paid plan/);
    expect(failure).toContain("Nothing was deployed.");
    expect(account.contents()).toStrictEqual(before);
  });

  test("Workers Free, found out at the upload; on Workers Paid the next run goes on from there", async () => {
    const account = startAccount();
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
    expect(existsSync(DERIVED_CONFIG)).toBe(false);
  });

  test("an account that has gone back to Workers Free", async () => {
    const account = await startDeployed();
    account.trouble.plan = "free";
    expect(await account.failure()).toContain("Nothing was deployed.");
    expect(account.contents()).toStrictEqual(account.before);
    expect(account.traffic).toStrictEqual([]);
  });

  test.each([
    ["at once", []],
    ["gradually", GRADUAL],
  ])("a migration that fails, %s", async (_, args) => {
    const account = await startDeployed();
    account.trouble.migration = true;
    const failure = await account.failure(args, { PUBLIC_ORIGIN: ORIGIN });
    expect(failure).toContain("Migration 0001_broken.sql failed");
    expect(failure).toContain("Nothing was deployed.");
    expect(account.contents()).toStrictEqual(account.before);
    expect(account.traffic).toStrictEqual([]);
  });

  test("a version that fails its test is rolled back", async () => {
    const account = await startDeployed();
    account.trouble.code = true;
    const failure = await account.failure();
    const [version] = Object.keys(account.before.traffic["checkline"]!);
    expect(failure).toContain("answers 500 instead of 200");
    expect(failure).toContain(`Rolled back: version ${version} answers again`);
    expect(account.contents()).toStrictEqual(account.before);
    expect(account.sleeps).toHaveLength(5);
  });

  test("a deployment that fails after it has moved the traffic is rolled back", async () => {
    const account = await startDeployed();
    account.trouble.triggers = true;
    expect(await account.failure()).toMatch(/Cron triggers could not be updated[^]*Rolled back/);
    expect(account.contents()).toStrictEqual(account.before);
  });

  test("and when it cannot be rolled back, it says how to do it by hand", async () => {
    const account = await startDeployed();
    Object.assign(account.trouble, { code: true, rollback: true });
    const [version] = Object.keys(account.before.traffic["checkline"]!);
    const failure = await account.failure();
    expect(failure).toContain("It could not be undone");
    expect(failure).toContain(`npx wrangler rollback ${version} --env=production`);
  });
});
