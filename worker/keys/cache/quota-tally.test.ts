import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keyRecord } from "../../../test/key-cache-simulation.ts";
import { createQuotaTally } from "./quota-tally.ts";
import type { KeyRecord } from "./record.ts";

function counted(used: number, changes: Partial<KeyRecord> = {}): KeyRecord {
  return keyRecord({ quota: { limit: 1_000, used }, ...changes });
}

describe("the quota of an account", () => {
  test("is counted down from what D1 had counted", () => {
    const tally = createQuotaTally();
    tally.countSuccess(counted(990), 3);
    tally.countSuccess(counted(990));
    expect(tally.quotaState(counted(990))).toStrictEqual({ limit: 1_000, used: 994, remaining: 6 });
  });

  test("is never less than none", () => {
    const tally = createQuotaTally();
    tally.countSuccess(counted(999), 100);
    expect(tally.quotaState(counted(999))?.remaining).toBe(0);
  });

  test("keeps what was admitted and is not yet counted in a newer record", () => {
    const tally = createQuotaTally();
    tally.countSuccess(counted(100), 10);
    tally.observe(counted(106));
    expect(tally.quotaState(counted(106))?.used).toBe(110);
  });

  test("gives back, once everything has been counted, what was a retry elsewhere", () => {
    let time = 1_000_000;
    const tally = createQuotaTally(() => time);
    tally.countSuccess(counted(100, { asOf: time }), 900);
    // Counted once, by the isolate that was asked first.
    time += 60_000;
    expect(tally.quotaState(counted(100, { asOf: time }))?.remaining).toBe(0);
    time += 1;
    expect(tally.quotaState(counted(100, { asOf: time }))?.remaining).toBe(900);
    expect(tally.quotaState(counted(400, { asOf: time - 5_000 }))?.used).toBe(400);
  });

  test("takes over what others have used", () => {
    const tally = createQuotaTally();
    tally.countSuccess(counted(100), 10);
    tally.observe(counted(500));
    expect(tally.quotaState(counted(500))?.used).toBe(500);
    // A stale copy takes nothing back.
    tally.observe(counted(100));
    expect(tally.quotaState(counted(100))?.used).toBe(500);
  });

  test("is shared by all keys of the account", () => {
    const tally = createQuotaTally();
    tally.countSuccess(counted(0, { id: "key_1" }), 2);
    tally.countSuccess(counted(0, { id: "key_2" }), 3);
    expect(tally.quotaState(counted(0, { id: "key_3" }))?.remaining).toBe(995);
  });

  test("begins anew with another subscription, and a copy of the old one does not bring it back", () => {
    const tally = createQuotaTally();
    const old = counted(1_000);
    tally.countSuccess(old, 5);
    const subscription = { ...old.subscription!, startedAt: old.subscription!.startedAt + 1 };
    expect(tally.quotaState(counted(0, { subscription }))?.used).toBe(0);
    tally.observe(old);
    expect(tally.quotaState(counted(0, { subscription }))?.remaining).toBe(1_000);
  });

  test("has no end where the plan sets no limit", () => {
    const tally = createQuotaTally();
    const record = keyRecord({ quota: { limit: null, used: 0 } });
    tally.countSuccess(record, 7);
    expect(tally.quotaState(record)).toStrictEqual({ limit: null, used: 7, remaining: null });
  });

  test("is none for a test key", () => {
    const tally = createQuotaTally();
    const record = keyRecord({ mode: "test", quota: null });
    tally.countSuccess(record, 7);
    expect(tally.quotaState(record)).toBeNull();
    expect(tally.size).toBe(0);
  });

  test("is never told lower than it is by one isolate, and exactly when it is alone", () => {
    const step = fc.record({ admit: fc.nat(20), counts: fc.boolean(), others: fc.nat(5) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), fc.boolean(), (steps, alone) => {
        const tally = createQuotaTally();
        let record = counted(0);
        let truth = 0;
        for (const { admit, counts, others } of steps) {
          truth += admit + (alone ? 0 : others);
          tally.countSuccess(record, admit);
          // D1 has counted all, or still only what it had.
          if (counts) record = counted(truth);
          const { used } = tally.quotaState(record)!;
          expect(used).toBeLessThanOrEqual(truth);
          if (alone) expect(used).toBe(truth);
        }
      }),
    );
  });

  test("is remembered for a bounded number of accounts", () => {
    const tally = createQuotaTally(undefined, 10);
    for (let index = 0; index < 100; index++) tally.countSuccess(counted(0, { userId: `usr_${index}` }));
    expect(tally.size).toBe(10);
  });
});
