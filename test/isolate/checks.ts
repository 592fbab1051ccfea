import { beforeEach, expect } from "vitest";
import { CHECK_INTERVAL_SECONDS } from "../../contract/checks.ts";
import type { Component } from "../../contract/checks.ts";
import type { ComponentState, Status } from "../../contract/status.ts";
import { cronRuns, statusRuns } from "../../schema.ts";
import { createIsolate } from "../../worker/io.ts";
import { runJob } from "../schedule.ts";
import { NOON } from "../usage.ts";
import { skip, until } from "./clock.ts";
import { openIsolate } from "./isolate.ts";
import type { startNetwork } from "./network.ts";

const CRON = "*/5 * * * *";
const INTERVAL_MS = CHECK_INTERVAL_SECONDS * 1000;

export function statesOf(status: Status): Record<Component, ComponentState> {
  return Object.fromEntries(status.components.map(({ id, state }) => [id, state])) as Record<Component, ComponentState>;
}

export function part(status: Status, id: Component) {
  return status.components.find((component) => component.id === id)!;
}

/** A network's status checks; each test starts with none. */
export function startChecks(network: ReturnType<typeof startNetwork>) {
  beforeEach(async () => {
    const { db } = network.worker;
    await db.batch([db.delete(statusRuns), db.delete(cronRuns)]);
  });

  /** One cron run of the checks. */
  function check(): Promise<void> {
    return until(runJob(CRON, createIsolate(network.behind())));
  }

  function nextRun(): void {
    skip(NOON + (Math.floor((Date.now() - NOON) / INTERVAL_MS) + 1) * INTERVAL_MS - Date.now());
  }

  /** The status from a fresh isolate of a version that was deployed long ago. */
  async function ask(): Promise<Status> {
    const env = network.behind();
    const isolate = openIsolate({ ...env, VERSION: { ...env.VERSION, timestamp: new Date(0).toISOString() } });
    const response = await isolate.fetch("/api/v1/status");
    expect(response.status).toBe(200);
    return (await response.json()) as Status;
  }

  return { check, nextRun, ask };
}
