import { globSync, readFileSync } from "node:fs";
import type { D1Database } from "@cloudflare/workers-types";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { apiKeys, passkeys, users } from "../../schema.ts";
import { insertFrom, openDatabase } from "./db.ts";

const db = openDatabase({} as D1Database);

test("an insert from a query has every column in order, with its default or null if it isn't named", () => {
  const row = { hint: "7f3Q", hash: "abc", name: "Checkout", mode: "live", createdAt: 5, updatedAt: 6 } as const;
  const { sql: text, params } = insertFrom(
    db,
    apiKeys,
    { ...row, id: "key_1", userId: users.id },
    sql`from ${users} where ${users.id} = ${"usr_1"}`,
  ).toSQL();
  const [, columns, selected] = /\(([^)]+)\) select (.+) from "users" where "users"."id" = \?$/.exec(text)!;
  const names = columns!.split(", ").map((name) => name.slice(1, -1));
  expect(selected!.split(", ")).toHaveLength(names.length);
  expect(selected!.split(", ")[names.indexOf("user_id")]).toBe('"users"."id"');
  const values = params.toSpliced(names.indexOf("user_id"), 0, "selected");
  expect(Object.fromEntries(names.map((name, at) => [name, values[at]]))).toMatchObject({
    id: "key_1",
    user_id: "selected",
    mode: "live",
    hash: "abc",
    hint: "7f3Q",
    version: 1,
    created_at: 5,
    updated_at: 6,
    revoked_at: null,
    synced_at: null,
  });
});

test("every query is on the primary: a replica may not know yet that a session has ended", () => {
  const sources = globSync(["worker/**/*.ts", "scripts/**/*.ts"]).filter((file) => !file.endsWith(".test.ts"));
  expect(sources.filter((file) => readFileSync(file, "utf8").includes("withSession"))).toStrictEqual([]);
  expect(sources.length).toBeGreaterThan(100);
});

test("values are encoded as their columns are", () => {
  const row = { id: "psk_1", userId: "usr_1", name: "Laptop", credentialId: "c", publicKey: "p", counter: 0 };
  const { params } = insertFrom(db, passkeys, { ...row, transports: ["usb"], createdAt: 1 }, sql`where true`).toSQL();
  expect(params).toContain('["usb"]');
});
