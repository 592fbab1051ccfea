import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { describe, expect, test } from "vitest";
import * as schema from "../../schema.ts";
import { BackupError, columnsOf, readHeader, readLine, ROW_TYPES, TABLES } from "./format.ts";

/** Tables and columns that no backup has; docs/runbook.md says why. */
const LEFT_OUT = [
  "usage_events",
  "sign_in_attempts",
  "dead_letters",
  "api_keys.synced_at",
  "status_checks",
  "status_days",
  "cron_runs",
  "operation_counts",
];

test("a backup has every column of every table but those that are left out on purpose", () => {
  const tables = Object.values(schema)
    .filter((value) => value instanceof SQLiteTable)
    .map(getTableConfig);
  const stored = tables.flatMap(({ name, columns }) =>
    LEFT_OUT.includes(name) ? [name] : columns.map((column) => `${name}.${column.name}`),
  );
  const saved = ROW_TYPES.flatMap((type) => columnsOf(type).map((column) => `${TABLES[type].table}.${column}`));
  expect([...saved, ...LEFT_OUT].toSorted()).toStrictEqual(stored.toSorted());
});

const KEY = {
  type: "key",
  id: "key_1",
  user_id: "usr_1",
  mode: "live",
  name: "Server",
  hash: "0".repeat(64),
  hint: "abcd",
  version: 1,
  created_at: 1,
  updated_at: 1,
  revoked_at: null,
  last_used_at: null,
};

describe("a line", () => {
  test("is the row that it stands for", () => {
    expect(readLine(JSON.stringify(KEY), 2)).toStrictEqual(KEY);
  });

  test.each([
    ["{", "Line 7: this is not JSON."],
    ["null", "Line 7: there is no such type of line."],
    [JSON.stringify({ ...KEY, type: "ghost" }), "Line 7: there is no such type of line."],
    [
      JSON.stringify({ ...KEY, mode: "dead", colour: "red", hash: undefined }),
      "Line 7: this key has fields that are wrong, missing or unknown: mode, hash, colour.",
    ],
    [JSON.stringify({ type: "end" }), "Line 7: this end has fields that are wrong, missing or unknown: rows."],
  ])("%s is refused by its number, without what it holds", (text, message) => {
    expect(() => readLine(text, 7)).toThrow(new BackupError(message));
  });

  test.each([
    ["account", "email", "Ada@example.com"],
    ["account", "password_hash", "a password"],
    ["key", "hash", "ch_live_000000000000000000000000000000000000"],
    ["usage", "day", "yesterday"],
    ["usage", "count", -1],
    ["subscription", "plan", "gold"],
    ["link", "expires_at", 1.5],
  ])("of type %s may not have %s: %j", (type, field, value) => {
    expect(() => readLine(JSON.stringify({ type, [field]: value }), 2)).toThrow(new RegExp(`: .*\\b${field}\\b`));
  });
});

test.each([
  ["{}", "Line 1: a backup begins with its header, and this is none."],
  [
    JSON.stringify({ type: "header", format: "checkline-backup", version: 2 }),
    "Line 1: the backup has version 2, and only 1 can be read.",
  ],
])("a file that begins with %s is refused", (text, message) => {
  expect(() => readHeader(text)).toThrow(new BackupError(message));
});
