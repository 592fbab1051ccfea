import { describe, expect, test } from "vitest";
import { GRADUAL, startAccount, startDeployed } from "../../test/deployments.ts";
import { writeProjectConfig } from "../../test/wrangler-config.ts";

const CONFIG = writeProjectConfig();

describe("a gradual deployment", () => {
  test("gives a tenth of the traffic, watches, then gives all", async () => {
    const account = await startDeployed(CONFIG);
    await account.gradually();
    expect(account.traffic).toStrictEqual(["10/90", "100"]);
    expect(account.sleeps).toStrictEqual([60_000, 60_000, 60_000]);
    expect(account.commands.at(-2)).toBe("triggers deploy --env=production");
    expect(account.contents()).toMatchObject({ databases: [{ users: 0 }] });
  });

  test("takes the tenth back when the new version does not work, though the old one does", async () => {
    const account = await startDeployed(CONFIG);
    account.trouble.code = true;
    await expect(account.gradually()).rejects.toThrow("Rolled back");
    expect(account.traffic).toStrictEqual(["10/90", "100"]);
    expect(account.contents()).toStrictEqual(account.before);
  });

  test("takes it back when the version fails while it is watched", async () => {
    const account = await startDeployed(CONFIG);
    account.whileAsleep(() => {
      const { versions } = account.workers.get("checkline")!;
      versions[1] = { ...versions[1]!, works: false };
    });
    await expect(account.gradually()).rejects.toThrow("Rolled back");
    expect(account.contents()).toStrictEqual(account.before);
  });

  test("takes it back when the version fails only once while it is watched", async () => {
    const account = await startDeployed(CONFIG);
    const { versions } = account.workers.get("checkline")!;
    let minutes = 0;
    account.whileAsleep(() => {
      minutes += 1;
      versions[1] = { ...versions[1]!, works: minutes !== 2 };
    });
    await expect(account.gradually()).rejects.toThrow("Rolled back");
    expect(account.sleeps).toStrictEqual([60_000, 60_000]);
    expect(account.contents()).toStrictEqual(account.before);
  });

  test("is made at once the first time", async () => {
    const account = startAccount(CONFIG);
    await account.gradually();
    expect(account.traffic).toStrictEqual(["100"]);
    expect(account.output()).toContain("The first deployment cannot be gradual");
  });

  test("needs to know the address before it builds or changes anything, and its plan says so", async () => {
    const account = await startDeployed(CONFIG);
    account.built.length = 0;
    expect(account.plan(GRADUAL)).toContain("- --gradual needs PUBLIC_ORIGIN");
    const failure = await account.failure(GRADUAL);
    expect(failure).toContain("--gradual needs PUBLIC_ORIGIN");
    expect(failure).toContain("Nothing was deployed, and nothing was changed.");
    expect(account.built).toStrictEqual([]);
    expect(account.contents()).toStrictEqual(account.before);
  });
});
