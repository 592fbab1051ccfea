import { describe, expect, test } from "vitest";
import { plans, table } from "../../test/engine.ts";
import { NODE_FIELDS, openPlanTable, readPlanTable } from "./plan-table.ts";

describe("the committed table", () => {
  const { head, nodesOf } = readPlanTable(table("plans.bin"));
  const callingCodes = Object.keys(head.plans);

  test("is minimal: no plan has equal nodes, or a node that leads only to an equal final node", () => {
    let all = 0;
    for (const callingCode of callingCodes) {
      const nodes = nodesOf(callingCode);
      const count = nodes.length / NODE_FIELDS;
      all += count;
      const rows = new Set<string>();
      for (let node = 0; node < count; node++) {
        const [said, ...next] = nodes.subarray(node * NODE_FIELDS, (node + 1) * NODE_FIELDS);
        const isEnd = next.every((each) => each === node);
        const first = next[0]! * NODE_FIELDS;
        if (!isEnd && next.every((each) => each === next[0])) {
          const isOfNoUse = nodes[first] === said && nodes[first + 1] === next[0];
          expect(isOfNoUse, `+${callingCode}, node ${node}`).toBe(false);
        }
        rows.add(isEnd ? `end ${said}` : `${said} ${next.join(" ")}`);
      }
      expect(rows.size, `+${callingCode}`).toBe(count);
    }
    expect(all).toBeGreaterThan(20_000);
  });

  test("leads only to its nodes", () => {
    for (const callingCode of callingCodes) {
      const nodes = nodesOf(callingCode);
      const outside = nodes.filter((field, at) => at % NODE_FIELDS !== 0 && field >= nodes.length / NODE_FIELDS);
      expect(outside.length, callingCode).toBe(0);
    }
  });
});

describe("a plan", () => {
  test("exists only for calling codes", () => {
    expect(plans.plan(55)?.callingCode).toBe("55");
    expect(plans.plan(800)?.assignment("12345678")).toMatchObject({ region: "001", type: "toll_free" });
    for (const callingCode of [0, 2, 210, 999, 1000, -1, Number.NaN]) expect(plans.plan(callingCode)).toBeUndefined();
  });

  test("accepts digits only", () => {
    const plan = plans.plan(39)!;
    expect(plan.assignment("0236618300")).toMatchObject({ region: "IT", type: "fixed_line" });
    expect(plan.assignment("+390236618300", 3)).toBe(plan.assignment("0236618300"));
    for (const text of ["02 36618300", "0236618300x", "\u0660\u0662\u0663", "-1"]) {
      expect(plan.assignment(text)).toBeNull();
      expect(plan.layout(text)).toBeNull();
    }
  });

  test("reports the problem with each length", () => {
    const { lengthProblem } = plans.plan(1)!;
    const said = [0, 2, 6, 7, 8, 10, 11, 17, 40].map((length) => lengthProblem(length));
    expect(said).toEqual([
      "TOO_SHORT",
      "TOO_SHORT",
      "TOO_SHORT",
      "LOCAL_ONLY",
      "TOO_SHORT",
      null,
      "TOO_LONG",
      "TOO_LONG",
      "TOO_LONG",
    ]);
  });
});

describe("opening rejects", () => {
  const good = new Uint8Array(table("plans.bin"));
  function changed(change: (view: DataView) => void, length = good.length): ArrayBuffer {
    const copy = good.slice(0, length).buffer;
    change(new DataView(copy));
    return copy;
  }

  test.each([
    ["an empty buffer", new ArrayBuffer(0), /too few for a header/],
    ["another file", changed((view) => view.setUint32(0, 1)), /doesn't start with CLNP/],
    ["a part of the table", changed(() => {}, good.length - 22), /should have/],
    ["a head that is too long", changed((view) => view.setUint32(8, good.length, true)), /size of its head is wrong/],
    ["too few nodes", changed((view) => view.setUint32(4, 100_000, true), 100_000), /node count is wrong/],
    ["another format", changed((view) => view.setUint8(12 + '{"format":'.length, 0x36)), /its format is 6/],
  ])("%s", (_, buffer, message) => {
    expect(() => openPlanTable(buffer)).toThrow(message);
  });

  test("incomplete dialing rules, once they are needed", () => {
    const plan = openPlanTable(changed((view) => view.setUint32(4, good.length - 1, true), good.length - 1)).plan(1)!;
    expect(plan.assignment("2015550123")).toMatchObject({ region: "US" });
    expect(() => plan.lengthProblem(9)).toThrow(/isn't JSON/);
  });
});
