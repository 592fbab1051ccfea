import { describe, expect, test } from "vitest";
import { deliver } from "../../test/queue-batch.ts";
import { usageEvent } from "../../test/usage-events.ts";
import { sortDelivery } from "./consumer.ts";
import { DAY_MS } from "../platform/time.ts";

const EVENT = usageEvent();
const NOW = EVENT.at + 1_000;

function sorted(body: unknown, now = NOW): string {
  const { events, malformed, untimely } = sortDelivery(deliver("usage", [{ id: "1", body }]).batch.messages, now);
  return `${events.length} ${malformed.length} ${untimely.length}`;
}

describe("a message", () => {
  test("of the queue's form is counted, with fields of a newer version dropped", () => {
    const body = { events: [EVENT, { ...EVENT, id: "evt_other", colour: "red" }], version: 2 };
    const { events } = sortDelivery(deliver("usage", [{ id: "1", body }]).batch.messages, NOW);
    expect(events).toStrictEqual([EVENT, { ...EVENT, id: "evt_other" }]);
  });

  test.each([
    ["nothing", null],
    ["a text", "events"],
    ["no events", { events: [] }],
    ["more events than any sender puts in", { events: Array.from({ length: 1_001 }, () => EVENT) }],
    ["an event without id", { events: [{ ...EVENT, id: undefined }] }],
    ["an id that is too long", { events: [{ ...EVENT, id: "x".repeat(101) }] }],
    ["an alias that is too long", { events: [{ ...EVENT, alias: "x".repeat(61) }] }],
    ["an unknown mode", { events: [{ ...EVENT, mode: "dead" }] }],
    ["an unknown outcome", { events: [{ ...EVENT, outcome: "maybe" }] }],
    ["no country", { events: [{ ...EVENT, country_code: null }] }],
    ["a time that is no whole number", { events: [{ ...EVENT, at: 1.5 }] }],
    ["a time that has no day", { events: [{ ...EVENT, at: 8.64e15 }] }],
    ["one good event and one bad", { events: [EVENT, {}] }],
  ])("with %s is malformed", (_, body) => {
    expect(sorted(body)).toBe("0 1 0");
  });

  test("is untimely when a row that would have shown a repeat could be gone, or has not yet happened", () => {
    expect(sorted({ events: [EVENT] }, EVENT.at + 14 * DAY_MS - 1)).toBe("1 0 0");
    expect(sorted({ events: [EVENT] }, EVENT.at + 14 * DAY_MS)).toBe("0 0 1");
    expect(sorted({ events: [EVENT] }, EVENT.at - DAY_MS)).toBe("0 0 1");
  });
});
