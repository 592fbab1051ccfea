import { describe, expect, test } from "vitest";
import { ConfigError, parseConfig } from "./config.ts";

const SECRET = "a session secret of more than 32 characters";
const NEXT = "another secret of more than 32 characters";

function secretsOf(SESSION_SECRET: string, SESSION_SECRET_NEXT?: string) {
  const settings = {
    SESSION_SECRET,
    TRIAL_SECRET: SECRET,
    ...(SESSION_SECRET_NEXT !== undefined && { SESSION_SECRET_NEXT }),
  };
  const { secrets, problems } = parseConfig({ ...settings, ENVIRONMENT: "development", MAIL_DRIVER: "mailbox" });
  return { ...secrets, problems };
}

test.each([undefined, "", "short"])(
  "a trial secret that is %j is a problem, and nobody can start a trial",
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
  test.each([undefined, "", SECRET])("alone, with %j as the next, is the only one", (next) => {
    expect(secretsOf(SECRET, next)).toStrictEqual({ current: SECRET, retiring: null, problems: [] });
  });

  test("retires as soon as there is a next one", () => {
    expect(secretsOf(SECRET, NEXT)).toStrictEqual({ current: NEXT, retiring: SECRET, problems: [] });
  });

  test("stays when the next one is too short, which health tells", () => {
    const problems = ["SESSION_SECRET_NEXT is shorter than 32 characters and is not used."];
    expect(secretsOf(SECRET, "short")).toStrictEqual({ current: SECRET, retiring: null, problems });
  });

  test.each(["", "short"])("that is %j stops the service, whatever the next one is", (secret) => {
    expect(() => secretsOf(secret, NEXT)).toThrow(ConfigError);
  });
});
