import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { JOB_NAMES } from "./jobs.ts";

const ROOT = join(import.meta.dirname, "../..");
const RUNBOOK = readFileSync(join(ROOT, "docs/runbook.md"), "utf8");

/** The text under a second-level heading. */
function section(title: string): string {
  return RUNBOOK.split(/^## /m).find((part) => part.startsWith(`${title}\n`))!;
}

describe("the log", () => {
  /** Events that are not literals where they are logged: those of a job, and of an email. */
  const COMPUTED = new Map([
    ["worker/schedule.ts", 2],
    ["worker/emails.ts", 1],
  ]);
  const sources = globSync("worker/**/*.ts", { cwd: ROOT })
    .filter((path) => !path.endsWith(".test.ts") && path !== "worker/platform/log.ts")
    .map((path) => ({ path, source: readFileSync(join(ROOT, path), "utf8") }));
  const calls = sources.flatMap(({ path, source }) => {
    const events = [...source.matchAll(/\blogLine\([^,]+,\s*([^,]+),/g)].map(([, event = ""]) => event);
    return events.map((event) => ({ path, event }));
  });
  const literals = calls.filter(({ event }) => /^"\w+"$/.test(event));

  test("every call is found, and its event is a literal or of a known kind", () => {
    const computed = calls.filter((call) => !literals.includes(call)).map(({ path }) => path);
    const counted = new Map(computed.map((path) => [path, computed.filter((other) => other === path).length]));
    expect(counted).toStrictEqual(COMPUTED);
    expect(calls).toHaveLength(sources.reduce((sum, { source }) => sum + source.split("logLine(").length - 1, 0));
  });

  test("every logged event is in the runbook, or has an alert", () => {
    const alerts = readFileSync(join(ROOT, "docs/alerts.json"), "utf8").replaceAll("'", "`");
    const listed = section("Reading the logs") + alerts;
    const events = new Set([...literals.map(({ event }) => event.slice(1, -1)), "mail", "mail_rejected"]);
    expect([...events].filter((event) => !listed.includes(`\`${event}\``))).toStrictEqual([]);
    expect(JOB_NAMES.filter((job) => !alerts.includes(`\`${job}_failed\``))).toStrictEqual([]);
    const jobs = section("Status");
    expect(JOB_NAMES.filter((job) => !jobs.includes(`\`${job}\``))).toStrictEqual([]);
  });
});
