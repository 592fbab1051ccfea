import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { PLAN_IDS } from "../contract/plans.ts";
import type { Subscription } from "../contract/subscriptions.ts";
import { writeProjectConfig } from "../test/wrangler-config.ts";
import type { Bindings } from "../worker/env.ts";
import type { AccountOverview } from "../worker/administration/administer.ts";
import { endOfDay, parseInvocation, USAGE } from "./admin/arguments.ts";
import { UsageError } from "./arguments.ts";
import { formatAccount, formatColumns, formatDeadLetters, formatSubscription } from "./admin/format.ts";
import { remoteConfig, remoteQueues } from "./admin/platform.ts";
import { readEnvironment } from "./wrangler-config.ts";

const EMAIL = "ada@example.com";

describe("a command line", () => {
  test.each([
    ["show Ada@Example.com", { name: "show", email: EMAIL }],
    [`end ${EMAIL}`, { name: "end", email: EMAIL }],
    [`suspend ${EMAIL}`, { name: "suspend", email: EMAIL }],
    [`unsuspend ${EMAIL}`, { name: "unsuspend", email: EMAIL }],
    [`grant ${EMAIL} pro`, { name: "grant", email: EMAIL, plan: "pro", until: null }],
    [
      `grant ${EMAIL} trial --until 2026-12-31`,
      { name: "grant", email: EMAIL, plan: "trial", until: Date.UTC(2027, 0, 1) },
    ],
    [`extend-trial ${EMAIL} 7`, { name: "extend-trial", email: EMAIL, days: 7 }],
    [`revoke-keys ${EMAIL}`, { name: "revoke-keys", email: EMAIL, mode: undefined }],
    [`revoke-keys --mode live ${EMAIL}`, { name: "revoke-keys", email: EMAIL, mode: "live" }],
    ["dead-letters", { name: "dead-letters", action: "list" }],
    ["health", { name: "health" }],
    ["dead-letters list", { name: "dead-letters", action: "list" }],
    [`create ${EMAIL}`, { name: "create", email: EMAIL }],
    [`delete ${EMAIL}`, { name: "delete", email: EMAIL, yes: false }],
    [`delete ${EMAIL} --yes`, { name: "delete", email: EMAIL, yes: true }],
    ["health --public https://example.com/docs", { name: "public-health", origin: "https://example.com" }],
    ["list", { name: "list" }],
    ["top", { name: "top" }],
    ["find W8T6", { name: "find", text: "W8T6" }],
    [`export ${EMAIL}`, { name: "export", email: EMAIL }],
    ["republish", { name: "republish" }],
    ["dead-letters replay", { name: "dead-letters", action: "replay" }],
  ])("%s", (line, command) => {
    expect(parseInvocation(line.split(" "))).toStrictEqual({ command, remote: null, json: false });
  });

  test("accepts --remote and --json before and after the command", () => {
    const expected = { command: { name: "show", email: EMAIL }, remote: "production", json: true };
    expect(parseInvocation(["--remote", "--json", "show", EMAIL])).toStrictEqual(expected);
    expect(parseInvocation(["show", EMAIL, "--json", "--remote"])).toStrictEqual(expected);
  });

  test.each(["production", "staging"])("acts on %s when requested", (name) => {
    expect(parseInvocation(["--remote", "--env", name, "health"])).toMatchObject({ remote: name });
  });

  test.each(["help", "--help", "-h", `show ${EMAIL} --help`])("%s prints the usage", (line) => {
    expect(parseInvocation(line.split(" ")).command).toBeNull();
  });

  test.each([
    ["", "No command was given."],
    ["frob", 'There is no command "frob".'],
    ["toString", 'There is no command "toString".'],
    ["show", "Usage: show EMAIL"],
    [`show ${EMAIL} again`, "Usage: show EMAIL"],
    [`grant ${EMAIL}`, "Usage: grant EMAIL PLAN"],
    ["show ada", '"ada" is not an email address.'],
    [`grant ${EMAIL} gold`, `PLAN must be ${PLAN_IDS.join(" or ")}, not "gold".`],
    [`grant ${EMAIL} pro --until tomorrow`, '--until must be a day such as 2030-12-31, not "tomorrow".'],
    [`extend-trial ${EMAIL} 0`, 'DAYS must be a whole number from 1 to 3650, not "0".'],
    [`extend-trial ${EMAIL} 1.5`, 'DAYS must be a whole number from 1 to 3650, not "1.5".'],
    [`extend-trial ${EMAIL} 3651`, 'DAYS must be a whole number from 1 to 3650, not "3651".'],
    [`extend-trial ${EMAIL} -3`, "Unknown option '-3'."],
    [`revoke-keys ${EMAIL} --mode both`, '--mode must be test or live, not "both".'],
    [`show ${EMAIL} --mode test`, "show has no option --mode."],
    [`revoke-keys ${EMAIL} --until 2030-12-31`, "revoke-keys has no option --until."],
    [`end ${EMAIL} --yes`, "end has no option --yes."],
    ["list --public https://example.com", "list has no option --public."],
    ["health --public example.com", '--public must be an address such as https://example.com, not "example.com".'],
    ["health now", "Usage: health"],
    ["dead-letters delete", 'dead-letters must be list or replay, not "delete".'],
    ["health --env staging", "--env requires --remote."],
    ["health --remote --env prod", '--env must be production or staging, not "prod".'],
    ["--bogus", "Unknown option '--bogus'."],
  ])("%j is rejected with a clear message", (line, message) => {
    const args = line === "" ? [] : line.split(" ");
    expect(() => parseInvocation(args)).toThrow(UsageError);
    expect(() => parseInvocation(args)).toThrow(message);
  });

  test.each(["2026-02-29", "2026-02-30", "2026-13-01", "2026-1-1", "26-01-01", "2026-01-01T00:00", "9999-12-31", ""])(
    "%j is not a day",
    (text) => {
      expect(() => endOfDay(text)).toThrow(UsageError);
    },
  );

  test("a day lasts until the next begins, in UTC", () => {
    expect(endOfDay("2028-02-29")).toBe(Date.UTC(2028, 2, 1));
  });
});

const TRIAL: Subscription = {
  status: "active",
  plan: "trial",
  started_at: "2026-01-01T00:00:00.000Z",
  expires_at: "2026-01-15T12:30:00.000Z",
  trial_available: false,
  quota: { limit: 1000, used: 12, remaining: 988 },
};

const KEY = { id: "key_1", name: "Server", hint: "abcd", created_at: TRIAL.started_at! };
const ACCOUNT: AccountOverview = {
  id: "usr_1",
  email: EMAIL,
  name: "Ada",
  created_at: "2026-01-01T08:00:00.000Z",
  verified_at: null,
  suspended_at: "2026-01-03T09:15:00.000Z",
  subscription: TRIAL,
  keys: {
    test: [],
    live: [
      { ...KEY, mode: "live" },
      { ...KEY, id: "key_22", mode: "live" },
    ],
  },
  usage: { test: { total: 0, successful: 0 }, live: { total: 15, successful: 12 } },
};

describe("the output", () => {
  test.each([
    ["active, trial, until 2026-01-15 12:30 UTC, quota 1000", {}],
    ["expired, trial, was to end 2026-01-15 12:30 UTC, quota 1000", { status: "expired" }],
    [
      "active, pro, no end, no quota",
      { plan: "pro", expires_at: null, quota: { limit: null, used: 12, remaining: null } },
    ],
    ["none", { status: "none", plan: null }],
  ] as const)("a subscription: %s", (text, changes) => {
    expect(formatSubscription({ ...TRIAL, ...changes })).toBe(text);
  });

  test("an account", () => {
    expect(formatAccount(ACCOUNT)).toBe(`Email         ada@example.com
Name          Ada
Id            usr_1
Created       2026-01-01 08:00 UTC
Verified      no
Suspended     since 2026-01-03 09:15 UTC
Subscription  active, trial, until 2026-01-15 12:30 UTC, quota 1000
Quota used    12
Usage, test   0 total, 0 successful
Usage, live   15 total, 12 successful
Usage is from the ledger's last report: up to ten minutes old after a month's first call, later an hour or a tenth behind.

Active test keys: 0

Active live keys: 2
  key_1   …abcd  created 2026-01-01 00:00 UTC  Server
  key_22  …abcd  created 2026-01-01 00:00 UTC  Server
`);
  });

  test("an account's usage before the first report", () => {
    const account = { ...ACCOUNT, usage: null, subscription: { ...TRIAL, quota: { limit: 1000, used: null } } };
    expect(formatAccount(account)).toMatch(/^Quota used +unknown\nUsage, test +unknown\nUsage, live +unknown$/m);
  });

  test("dead letters, truncated, and that there may be more", () => {
    expect(formatDeadLetters([], 100)).toBe("There are no dead letters.\n");
    const letter = { id: "a", queue: "checkline-mail", body: `"${"x".repeat(300)}"`, receivedAt: 0 };
    const text = formatDeadLetters([letter, { ...letter, id: "b", body: "{}" }], 2);
    const [first, second, rest] = text.split("\n");
    expect(first).toMatch(/^1970-01-01 00:00 UTC {2}checkline-mail {2}a {2}"x{159}…$/);
    expect(second).toBe("1970-01-01 00:00 UTC  checkline-mail  b  {}");
    expect(rest).toBe("The oldest 2; there may be more.");
  });

  test("columns of any rows, without trailing spaces", () => {
    expect(formatColumns([])).toBe("");
    expect(formatColumns([["a", "b"], ["cc"], ["d", ""]])).toBe("a   b\ncc\nd\n");
  });
});

describe("what --remote reaches", () => {
  const IDS = { database: "an-id", namespace: "a-namespace" };
  const config = writeProjectConfig(({ env: { production } }) => {
    Object.assign(production.d1_databases[0]!, { database_name: "checkline-restored", database_id: "restored-id" });
  });

  test("the database, KV and queues of an environment, and nothing else", () => {
    const { compatibility_date } = readEnvironment(null, config);
    expect(remoteConfig(readEnvironment("staging", config), IDS)).toStrictEqual({
      name: "checkline-staging-admin",
      compatibility_date,
      send_metrics: false,
      vars: {
        ENVIRONMENT: "production",
        USAGE_QUEUE: "checkline-staging-usage",
        MAIL_QUEUE: "checkline-staging-mail",
      },
      d1_databases: [{ binding: "DB", database_name: "checkline-staging", database_id: "an-id", remote: true }],
      kv_namespaces: [{ binding: "EDGE", id: "a-namespace", remote: true }],
      queues: {
        producers: [
          { binding: "USAGE", queue: "checkline-staging-usage", remote: true },
          { binding: "MAIL", queue: "checkline-staging-mail", remote: true },
        ],
      },
    });
  });

  test("a database restored into production, which the top level does not mention", () => {
    const production = readEnvironment("production", config);
    const { d1_databases: databases } = remoteConfig(production, IDS);
    expect(databases).toMatchObject([{ database_name: "checkline-restored" }]);
    expect(remoteConfig(readEnvironment(null, config), IDS).d1_databases).toMatchObject([
      { database_name: "checkline" },
    ]);
  });

  test("the account in the configuration", () => {
    const production = { ...readEnvironment("production", config), account_id: "an-account" };
    expect(remoteConfig(production, IDS)).toMatchObject({ account_id: "an-account" });
  });

  test("queues by the names used in dead letters of that environment", () => {
    const env = { USAGE: { send: vi.fn() }, MAIL: { send: vi.fn() } } as unknown as Bindings;
    const queues = remoteQueues(readEnvironment("staging", config), env);
    expect(queues).toStrictEqual({ "checkline-staging-usage": env.USAGE, "checkline-staging-mail": env.MAIL });
  });

  test("requires a database", () => {
    const without = { ...readEnvironment(null, config), d1_databases: [] };
    expect(() => remoteConfig(without, IDS)).toThrow("one D1 database");
  });
});

describe("the program", () => {
  function admin(...args: readonly string[]) {
    return spawnSync(process.execPath, [join(import.meta.dirname, "admin.ts"), ...args], { encoding: "utf8" });
  }

  test("prints its usage on standard output", () => {
    expect(admin("--help")).toMatchObject({ status: 0, stdout: USAGE, stderr: "" });
  });

  test("erases no account without a terminal, where the email can be typed, or --yes", () => {
    const { status, stderr } = admin("delete", EMAIL);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^Without a terminal, where it can be confirmed, delete needs --yes\.\n/);
  });

  test("prints only a command's own lines for a mistake in it", () => {
    const { status, stderr } = admin("grant", EMAIL, "gold");
    expect(status).toBe(2);
    expect(stderr).toMatch(/^PLAN must be .*\n\n {2}grant EMAIL .*\n$/);
  });

  test("reports an invalid command line on standard error, with code 2", () => {
    const expected = { status: 2, stdout: "", stderr: `There is no command "frob".\n\n${USAGE}` };
    expect(admin("frob")).toMatchObject(expected);
  });
});
