import fc from "fast-check";
import { expect, test } from "vitest";
import { createLru } from "./lru.ts";

test("evicts the least recently used first", () => {
  const lru = createLru<number>(2);
  lru.set("a", 1);
  lru.set("b", 2);
  expect(lru.get("a")).toBe(1);
  lru.set("c", 3);
  expect([lru.get("a"), lru.get("b"), lru.get("c")]).toStrictEqual([1, undefined, 3]);
  expect(lru.size).toBe(2);
});

test("setting a value again adds no second entry", () => {
  const lru = createLru<number>(2);
  for (const value of [1, 2, 3]) lru.set("a", value);
  lru.set("b", 0);
  expect([lru.get("a"), lru.size]).toStrictEqual([3, 2]);
  lru.delete("a");
  expect([lru.get("a"), lru.size]).toStrictEqual([undefined, 1]);
});

test("never holds more than its limit", () => {
  const lru = createLru<number>(100);
  for (let index = 0; index < 10_000; index++) lru.set(`key ${index}`, index);
  expect(lru.size).toBe(100);
  expect(lru.get("key 9900")).toBe(9_900);
});

test("behaves like a list that is searched", () => {
  const step = fc.record({
    do: fc.constantFrom("get", "set", "delete"),
    key: fc.constantFrom(..."abcdef"),
    value: fc.nat(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const lru = createLru<number>(3);
      let model: (readonly [string, number])[] = [];
      for (const { do: what, key, value } of steps) {
        const found = model.find(([name]) => name === key);
        const others = model.filter(([name]) => name !== key);
        if (what === "get") expect(lru.get(key)).toBe(found?.[1]);
        if (what === "set") lru.set(key, value);
        if (what === "delete") lru.delete(key);
        if (what === "get") model = found === undefined ? others : [...others, found];
        else model = what === "set" ? [...others, [key, value] as const].slice(-3) : others;
        expect(lru.size).toBe(model.length);
      }
    }),
  );
});
