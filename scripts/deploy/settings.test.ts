import { describe, expect, test } from "vitest";
import { ORIGIN, startAccount, startDeployed } from "../../test/deployments.ts";
import { writeProjectConfig } from "../../test/wrangler-config.ts";
import { generateKey } from "../../worker/keys/key-format.ts";
import { buildEnvironment } from "./build.ts";

const CONFIG = writeProjectConfig();
const NOTHING = "Nothing was deployed, and nothing was changed.";

describe("a setting that cannot do is refused before anything is built or changed:", () => {
  test("a session secret that is too short, which is not repeated", async () => {
    const account = startAccount(CONFIG);
    const failure = await account.failure([], { SESSION_SECRET: "short-secret" });
    expect(failure).toContain("SESSION_SECRET is shorter than 32 characters.");
    expect(failure).toContain(NOTHING);
    expect(failure).not.toContain("short-secret");
    expect(account.built).toStrictEqual([]);
    await account.run([], { SESSION_SECRET: "s".repeat(32) });
    expect(account.workers.get("checkline")!.versions[0]!.secrets["SESSION_SECRET"]).toBe("s".repeat(32));
  });

  test.each(["ch_test_unknown", generateKey("live")])("a test key that is none", async (key) => {
    const account = await startDeployed(CONFIG);
    const failure = await account.failure([], { CHECKLINE_SMOKE_KEY: key });
    expect(failure).toContain("CHECKLINE_SMOKE_KEY is no test key.");
    expect(failure).toContain(NOTHING);
    expect(failure).not.toContain(key);
    expect(account.commands).toStrictEqual([]);
    expect(account.plan([], { CHECKLINE_SMOKE_KEY: key })).toContain("CHECKLINE_SMOKE_KEY is no test key.");
  });

  test("a test key that the deployed version does not know: no good release is rolled back for it", async () => {
    const account = await startDeployed(CONFIG);
    account.built.length = 0;
    const variables = { CHECKLINE_SMOKE_KEY: generateKey("test"), PUBLIC_ORIGIN: ORIGIN };
    const failure = await account.failure([], variables);
    expect(failure).toContain(`What is deployed at ${ORIGIN} refuses the key of CHECKLINE_SMOKE_KEY: INVALID_API_KEY.`);
    expect(failure).toContain(NOTHING);
    expect([account.built, account.traffic]).toStrictEqual([[], []]);
  });

  test("but a version that is broken keeps no other from taking its place", async () => {
    const account = await startDeployed(CONFIG);
    const { versions } = account.workers.get("checkline")!;
    versions[0] = { ...versions[0]!, works: false };
    await account.run([], { CHECKLINE_SMOKE_KEY: await account.makeKey(), PUBLIC_ORIGIN: ORIGIN });
    expect(account.traffic).toStrictEqual(["100"]);
  });
});

test("what is not set up yet is told before anything is made, and in the plan", async () => {
  const account = startAccount(CONFIG);
  account.trouble.plan = "free without queues";
  await account.failure();
  const problems = ["MAIL_DRIVER is not set", "MAIL_FROM, the sender of mails, is not set", "PUBLIC_ORIGIN is not set"];
  for (const problem of problems) {
    expect(account.output()).toContain(`not set up yet: ${problem}`);
    expect(account.plan([])).toContain(`  - ${problem}`);
  }
  const variables = { PUBLIC_ORIGIN: ORIGIN, MAIL_DRIVER: "resend", MAIL_FROM: "mail@example.com" };
  expect(account.plan([], variables)).not.toContain("Not set up yet");
});

describe("a build", () => {
  test.each([
    "CLOUDFLARE_API_TOKEN",
    "CLOUDFLARE_API_KEY",
    "CLOUDFLARE_EMAIL",
    "CF_API_TOKEN",
    "CF_EMAIL",
    "RESEND_API_KEY",
    "SESSION_SECRET",
    "SESSION_SECRET_NEXT",
    "CHECKLINE_SMOKE_KEY",
    "GITHUB_TOKEN",
    "DATABASE_PASSWORD",
  ])("gets no %s of the shell", (name) => {
    expect(buildEnvironment({ [name]: "private" }, {})).toStrictEqual({});
  });

  test("gets everything else, and the address", () => {
    const shell = { PATH: "/bin", OPERATOR: "Ada", PUB_CACHE: "/cache", KEYBOARD: "us", npm_execpath: "/npm" };
    expect(buildEnvironment(shell, { PUBLIC_ORIGIN: ORIGIN })).toStrictEqual({ ...shell, PUBLIC_ORIGIN: ORIGIN });
  });
});
