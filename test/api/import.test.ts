import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { users } from "../../schema.ts";
import { exportLines } from "../../worker/backup/export.ts";
import { endLine, noRows } from "../../worker/backup/format.ts";
import type { RowType } from "../../worker/backup/format.ts";
import type { Database } from "../../worker/db.ts";
import { runAdmin as run } from "../admin.ts";
import { addUsage, createCustomer } from "../customers.ts";
import { createSignedIn } from "../factories.ts";
import { startOwnWorker, startWorker } from "../harness.ts";

const source = startWorker();
const target = startOwnWorker();

let folder = "";
let file = "";
let lines: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "checkline-import-"));
  file = join(folder, "all.jsonl");
  const { id } = await createCustomer(source, { plan: "pro" });
  await createCustomer(source, {});
  await addUsage(source, id, 300);
  await run(source, "export", file);
  lines = (await readFile(file, "utf8")).trimEnd().split("\n");
});

afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach(async () => {
  await target.db.delete(users);
});

async function importing(changed: readonly string[], ...options: string[]) {
  const path = join(folder, "changed.jsonl");
  await writeFile(path, changed.map((line) => `${line}\n`).join(""));
  return run(target, "import", path, ...options);
}

function withoutEpoch(line: string): string {
  return line.replace(/"session_epoch":\d+/, '"session_epoch":"any"');
}

/** Everything in the target, but for when it was written and the sessions that the import ends. */
async function restored(): Promise<string[]> {
  const read: string[] = [];
  for await (const line of exportLines(target.db, 0)) read.push(withoutEpoch(JSON.stringify(line)));
  return read.slice(1);
}

/** The line numbers of a type's rows, from 0. */
function placesOf(type: string): number[] {
  return lines.flatMap((line, index) => (line.startsWith(`{"type":"${type}"`) ? [index] : []));
}

/** The file with a field of its second row of a type as the first row has it. */
function withTwin(type: string, field: string): string[] {
  const [first, second] = placesOf(type);
  const [one, other] = [lines[first!]!, lines[second!]!].map((line) => JSON.parse(line) as Record<string, unknown>);
  return lines.with(second!, JSON.stringify({ ...other, [field]: one![field] }));
}

/** The file with an end line that is true of it. */
function ended(changed: readonly string[]): string[] {
  const counts = noRows();
  for (const line of changed.slice(1, -1)) counts[(JSON.parse(line) as { type: RowType }).type] += 1;
  return [...changed.slice(0, -1), JSON.stringify(endLine(counts))];
}

describe("a file", () => {
  test.each([
    ["without header", () => lines.slice(1), /^Line 1: a backup begins with its header/],
    ["that was cut off", () => lines.slice(0, -1), /^The file breaks off after line \d+:/],
    ["that is empty", () => [], /^The file breaks off after line 0:/],
    ["with a line less", () => lines.toSpliced(-2, 1), /has not as many lines as its end says of: usage\.$/],
    ["with a line twice", () => lines.toSpliced(2, 0, lines[1]!), /^Line 3: this account has the id of line 2\.$/],
    ["with an address twice", () => withTwin("account", "email"), /^Line 3: this account has the email of line 2\.$/],
    ["with the hash of a key twice", () => withTwin("key", "hash"), /^Line 7: this key has the hash of line 6\.$/],
    [
      "with a key before its account",
      () => [lines[0]!, lines[placesOf("key")[0]!]!],
      /^Line 2: this key stands before its account\.$/,
    ],
    ["with something behind its end", () => [...lines, lines[1]!], /^Line \d+: there is something behind the end/],
    ["with a wrong field", () => lines.with(2, lines[2]!.replace('"email":"', '"email":"ADA')), /^Line 3: .*email\.$/],
  ])("%s is refused before anything is written", async (_, change, message) => {
    const error = await importing(change()).catch((thrown: unknown) => thrown);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toContain("@");
    expect(await target.db.$count(users)).toBe(0);
  });
});

describe("an import", () => {
  test("goes into a database without accounts only, or on with the same file", async () => {
    await createSignedIn(target.db);
    await expect(importing(lines)).rejects.toThrow("goes into an empty one");
    await expect(importing(lines, "--continue")).rejects.toThrow("The table users has rows that the file has not");
    expect(await target.db.$count(users)).toBe(1);
  });

  test("that broke off is taken up again, and run twice changes nothing", async () => {
    const whole = lines.slice(1).map(withoutEpoch);
    let batches = 0;
    const breaking = new Proxy(target.db.$client, {
      get(d1, name) {
        if (name === "prepare") return d1.prepare.bind(d1);
        batches += 1;
        return batches === 2
          ? () => Promise.reject(new Error("D1_ERROR: Network connection lost."))
          : d1.batch.bind(d1);
      },
    });
    const broken = { ...target, db: { $client: breaking } as unknown as Database };
    await expect(run(broken, "import", file)).rejects.toThrow(
      /^Lines 1002 to \d+ were not written, and none after them: .*lost\.\n.*\n?.*--continue/,
    );
    expect((await restored()).length).toBe(1_001);
    await expect(run(target, "import", file)).rejects.toThrow("take it up with --continue");
    await run(target, "import", file, "--continue");
    expect(await restored()).toStrictEqual(whole);
    await run(target, "import", file, "--continue");
    expect(await restored()).toStrictEqual(whole);
  });

  test.each([
    ["another name", "users", (all: string[]) => all.with(1, all[1]!.replace('"name":"', '"name":"Not '))],
    [
      "another hash of a key",
      "api_keys",
      (all: string[]) => all.with(5, all[5]!.replace(/(?<="hash":").{8}/, "0".repeat(8))),
    ],
    ["other usage", "usage_daily", (all: string[]) => all.map((line) => line.replace(/(?<="count":)\d+/, "9"))],
    ["a key less", "api_keys", (all: string[]) => all.toSpliced(5, 1)],
  ])("is not taken up with a file that has %s, and nothing is written", async (_, table, change) => {
    await run(target, "import", file);
    const before = await restored();
    await expect(importing(ended(change(lines)), "--continue")).rejects.toThrow(
      `The table ${table} has rows that the file has not`,
    );
    expect(await restored()).toStrictEqual(before);
  });
});
