import { expect, test } from "vitest";
import { ENVIRONMENTS } from "./arguments.ts";
import { readEnvironment } from "./target.ts";

/** What an operator may set for one environment alone. */
const OWN_SETTINGS = ["PUBLIC_ORIGIN", "MAIL_DRIVER", "MAIL_FROM"];
const OWN = ["targetEnvironment", "topLevelName", "route", "routes", "workers_dev", "send_email"];

/** An environment without that, without ids, and with NAME for the start of its names. */
function comparable(environment: Parameters<typeof readEnvironment>[0], name: string): unknown {
  const config = readEnvironment(environment);
  const text = JSON.stringify(config, (key, value: unknown) =>
    [...OWN, ...OWN_SETTINGS, "id", "database_id", "namespace_id"].includes(key) ? undefined : value,
  );
  return JSON.parse(text.replaceAll(`"${name}`, '"NAME'));
}

test.each(ENVIRONMENTS)(
  "%s is what local runs have: the same bindings, queues, limits and schedules",
  (environment) => {
    const name = environment === "staging" ? "checkline-staging" : "checkline";
    const local = comparable(null, "checkline");
    expect(local).toMatchObject({
      name: "NAME",
      limits: { cpu_ms: 30_000 },
      d1_databases: [{ database_name: "NAME" }],
    });
    expect(comparable(environment, name)).toStrictEqual(local);
  },
);

function namesOf(environment: (typeof ENVIRONMENTS)[number]): (string | undefined)[] {
  const text = JSON.stringify(readEnvironment(environment));
  return [...text.matchAll(/"(?:name|database_name|queue|namespace_id|dead_letter_queue)":"([^"]+)"/g)]
    .map(([, name]) => name)
    .filter((name) => name !== "BACKSTOP");
}

test("environments share no worker, database, queue or limiter", () => {
  const [production, staging] = ENVIRONMENTS.map(namesOf);
  expect(production!.length).toBeGreaterThan(8);
  expect(staging!.filter((name) => production!.includes(name))).toStrictEqual([]);
});
