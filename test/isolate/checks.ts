import { beforeEach, expect } from "vitest";
import { CHECK_INTERVAL_SECONDS } from "../../contract/checks.ts";
import type { Component } from "../../contract/checks.ts";
import type { ComponentState, Status } from "../../contract/status.ts";
import { cronRuns, statusChecks, statusDays } from "../../schema.ts";
import type { Bindings } from "../../worker/env.ts";
import { sleep } from "../../worker/platform/time-limit.ts";
import { consumeBatch } from "../../worker/queue.ts";
import { createIsolate } from "../../worker/io.ts";
import { runSchedule } from "../../worker/schedule.ts";
import { deliver } from "../queue-batch.ts";
import { NOON } from "../usage.ts";
import { skip, until } from "./clock.ts";
import { openIsolate } from "./isolate.ts";
import type { startNetwork } from "./network.ts";

const CRON = "*/5 * * * *";
const INTERVAL_MS = CHECK_INTERVAL_SECONDS * 1000;

let delivered = 0;

/** A consumer's batch, whose messages may be acknowledged individually. */
export function batchOf(...bodies: readonly unknown[]) {
  const queued = bodies.map((body) => ({ id: `msg_${delivered++}`, body }));
  const delivery = deliver("checkline-usage", queued);
  const messages = delivery.batch.messages.map((message) => ({ ...message, ack() {} }));
  return { ...delivery.batch, messages };
}

export function statesOf(status: Status): Record<Component, ComponentState> {
  return Object.fromEntries(status.components.map(({ id, state }) => [id, state])) as Record<Component, ComponentState>;
}

export function part(status: Status, id: Component) {
  return status.components.find((component) => component.id === id)!;
}

/** A network's status checks; each test starts with none. */
export function startChecks(network: ReturnType<typeof startNetwork>) {
  /** The queue's delivery delay, in milliseconds; null for never. */
  const queue: { deliversAfter: number | null } = { deliversAfter: null };

  beforeEach(async () => {
    queue.deliversAfter = 2_000;
    const { db, env } = network.worker;
    await db.batch([db.delete(statusChecks), db.delete(statusDays), db.delete(cronRuns)]);
    await Promise.all([env.EDGE.delete("status:latest"), env.EDGE.delete("status:unwritten")]);
  });

  /** The schedule's bindings, with a queue that delivers. */
  function behind(): Bindings {
    const env = network.behind();
    async function send(body: never): Promise<void> {
      await env.USAGE.send(body);
      if (queue.deliversAfter === null) return;
      void sleep(queue.deliversAfter).then(() => consumeBatch(batchOf(body), createIsolate(env)));
    }
    return { ...env, USAGE: { ...env.USAGE, send } as unknown as Bindings["USAGE"] };
  }

  /** One cron run of the checks, and the delivery of its message, for as long as it is awaited. */
  async function check(): Promise<void> {
    try {
      await until(runSchedule(CRON, createIsolate(behind())));
    } finally {
      await until(sleep(8_000));
    }
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

  return { queue, check, nextRun, ask };
}
