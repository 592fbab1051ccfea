import { describe, expect, test } from "vitest";
import { hkdfSync } from "node:crypto";
import { ConfigError, deriveSecrets, parseConfig } from "./config.ts";

const SECRET = "a session secret of more than 32 characters";
const NEXT = "another secret of more than 32 characters";

function secretsOf(SESSION_SECRET: string, SESSION_SECRET_NEXT?: string) {
  const settings = {
    SESSION_SECRET,
    TRIAL_SECRET: SECRET,
    ...(SESSION_SECRET_NEXT !== undefined && { SESSION_SECRET_NEXT }),
  };
  const { secrets, problems } = parseConfig({ ...settings, ENVIRONMENT: "development", MAIL_DRIVER: "mailbox" });
  return { secrets, problems };
}

const keysOf = (current: string, retiring: string | null = null) => deriveSecrets({ current, retiring });

test.each([
  [undefined, false, 0],
  ["", false, 0],
  ["off", false, 0],
  ["on", true, 0],
  ["true", false, 1],
] as const)("BREACH_CHECK %j is %j", (value, expected, problems) => {
  const settings = { SESSION_SECRET: SECRET, TRIAL_SECRET: SECRET, ENVIRONMENT: "development", MAIL_DRIVER: "mailbox" };
  const config = parseConfig({ ...settings, ...(value !== undefined && { BREACH_CHECK: value }) });
  expect(config.breachCheck).toBe(expected);
  expect(config.problems).toHaveLength(problems);
});

test("a problem quotes no setting", () => {
  const invalid = { MAIL_DRIVER: "quoted", MAIL_PER_HOUR: "quoted", BREACH_CHECK: "quoted", TRIAL_SECRET: "quoted" };
  const { problems } = parseConfig({ SESSION_SECRET: SECRET, SESSION_SECRET_NEXT: "quoted", ...invalid });
  expect(problems.length).toBeGreaterThan(5);
  expect(problems.join()).not.toContain("quoted");
});

test("the site's origin has no trailing slash", () => {
  const { origin } = parseConfig({ SESSION_SECRET: SECRET, PUBLIC_ORIGIN: "https://checkline.example/" });
  expect(origin).toBe("https://checkline.example");
});

test.each([undefined, "", "short"])(
  "a trial secret that is %j is a problem, and no one can start a trial",
  (secret) => {
    const mail = { ENVIRONMENT: "development", MAIL_DRIVER: "mailbox" };
    const settings = { SESSION_SECRET: SECRET, ...(secret !== undefined && { TRIAL_SECRET: secret }), ...mail };
    const { trialSecret, problems } = parseConfig(settings);
    expect(trialSecret).toBeNull();
    expect(problems).toStrictEqual([
      "TRIAL_SECRET is missing or shorter than 32 characters, so nobody can start a trial.",
    ]);
    expect(parseConfig({ ...settings, TRIAL_SECRET: NEXT })).toMatchObject({ trialSecret: NEXT, problems: [] });
  },
);

describe("the session secret", () => {
  test("yields one key per purpose, matching another HKDF implementation, and nothing has the secret itself", () => {
    const { secrets } = secretsOf(SECRET, NEXT);
    const keys = Object.entries(secrets).flatMap(([purpose, { current, retiring }]) => {
      const derive = (secret: string) =>
        Buffer.from(hkdfSync("sha256", secret, "", `checkline ${purpose}`, 32)).toString("hex");
      expect({ current, retiring }).toStrictEqual({ current: derive(NEXT), retiring: derive(SECRET) });
      return [current, retiring];
    });
    expect(new Set(keys).size).toBe(8);
  });

  test.each([undefined, "", SECRET])("alone, with %j as the next, is the only one", (next) => {
    expect(secretsOf(SECRET, next)).toStrictEqual({ secrets: keysOf(SECRET), problems: [] });
  });

  test("retires as soon as there is a next one", () => {
    expect(secretsOf(SECRET, NEXT)).toStrictEqual({ secrets: keysOf(NEXT, SECRET), problems: [] });
  });

  test("stays when the next one is too short, which health reports", () => {
    const problems = ["SESSION_SECRET_NEXT is shorter than 32 characters, so it isn't used."];
    expect(secretsOf(SECRET, "short")).toStrictEqual({ secrets: keysOf(SECRET), problems });
  });

  test.each(["", "short"])("that is %j stops the service, whatever the next one is", (secret) => {
    expect(() => secretsOf(secret, NEXT)).toThrow(ConfigError);
  });
});
