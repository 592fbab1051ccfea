import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Response } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { MAX_BATCH_SIZE } from "../../contract/limits.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
import { COUNTRY_CSV, COUNTRY_LIST } from "../country-list.ts";
import { createSignedIn } from "../factories.ts";
import type { SignedIn } from "../factories.ts";
import { post, send } from "../requests.ts";
import { BULK, choose, counts, phase, start } from "./dashboard.bulk-page.ts";
import { openDashboard } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();
let apiKey: string;
let account: SignedIn;

beforeAll(async () => {
  account = await createSignedIn(site.worker.db, { plan: "pro" });
  const key = { db: site.worker.db, now: Date.now(), userId: account.id, mode: "live" as const, name: "test" };
  ({ apiKey } = await insertApiKey(key));
});

type Result = Readonly<Record<string, unknown>>;

/** The list as a program sends it: national numbers with their country. */
const ITEMS = COUNTRY_LIST.map(({ phone, country }) => (country === "" ? phone : { number: phone, country }));

/** Calls with as many items at a time as fit. */
async function inBatches(call: (numbers: typeof ITEMS) => Promise<unknown>): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < ITEMS.length; at += MAX_BATCH_SIZE) {
    const response = (await call(ITEMS.slice(at, at + MAX_BATCH_SIZE))) as { results: Result[] };
    results.push(...response.results);
  }
  return results;
}

function byBatch(): Promise<Result[]> {
  return inBatches(async (numbers) =>
    (await site.worker.fetch("/api/v1/verify/batch", post(apiKey, { numbers }))).json(),
  );
}

async function byStream(): Promise<Result[]> {
  const lines = ITEMS.map((item) => JSON.stringify(typeof item === "string" ? { number: item } : item));
  const sent = send("POST", apiKey, `${lines.join("\n")}\n`, { "Content-Type": "application/x-ndjson" });
  const text = await (await site.worker.fetch("/api/v1/verify/stream", sent)).text();
  const read = text.split("\n").filter((line) => line !== "");
  return read.map((line) => JSON.parse(line) as Result);
}

async function byMcp(): Promise<Result[]> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const requestInit = { headers: { Authorization: `Bearer ${apiKey}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", site.worker.url), { requestInit }));
  const results = await inBatches(async (numbers) => {
    const answer = await client.callTool({ name: "verify_batch", arguments: { numbers } });
    return answer.structuredContent;
  });
  await client.close();
  return results;
}

/** What MCP gives of a result: a model gets no nulls, no empty lists, and nothing that is always the same. */
function toldToModel(result: Result): Result {
  const leftOut = ["carrier_source", "reachability"];
  return Object.fromEntries(
    Object.entries(result).filter(
      ([name, value]) => value !== null && !(Array.isArray(value) && value.length === 0) && !leftOut.includes(name),
    ),
  );
}

/** The list as a file in the bulk check, with its own calls: a result for each row, null for one that isn't sent. */
async function byBulkCheck(): Promise<(Result | null)[]> {
  const page = await openDashboard(site, account, BULK);
  const results = new Map<string, Result>();
  const answers: Promise<void>[] = [];
  async function keep(response: Response): Promise<void> {
    const { numbers } = response.request().postDataJSON() as { numbers: typeof ITEMS };
    const body = (await response.json()) as { results: Result[] };
    for (const [at, item] of numbers.entries()) results.set(JSON.stringify(item), body.results[at]!);
  }
  page.on("response", (response) => {
    if (response.url().endsWith("/api/v1/account/verify")) answers.push(keep(response));
  });
  await choose(page, "list.csv", COUNTRY_CSV);
  await start(page);
  await phase(page, "done");
  await Promise.all(answers);
  const blanks = COUNTRY_LIST.filter(({ phone }) => phone === "").length;
  await expect.poll(async () => (await counts(page)).slice(2)).toStrictEqual([String(blanks), "0"]);
  return ITEMS.map((item) => results.get(JSON.stringify(item)) ?? null);
}

test("a list with a country for each row gets one answer, whatever way it is sent", { timeout: 60_000 }, async () => {
  const batch = await byBatch();
  expect(batch.map(({ valid, number }) => (valid === true ? number : null))).toStrictEqual(
    COUNTRY_LIST.map(({ number }) => number),
  );
  expect(await byStream()).toStrictEqual(batch);
  expect(await byMcp()).toStrictEqual(batch.map(toldToModel));
  const blank = COUNTRY_LIST.findIndex(({ phone }) => phone === "");
  // The bulk check doesn't send a blank row, for which all others have the same reason.
  expect(batch[blank]).toMatchObject({ valid: false, number: null, reason: "NOT_A_NUMBER" });
  expect(await byBulkCheck()).toStrictEqual(batch.with(blank, null as never));
});
