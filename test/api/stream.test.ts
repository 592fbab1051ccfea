import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { workerdProcesses } from "../cpu-time.ts";
import { createAccount } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { longOrShort } from "../long.ts";
import { send } from "../requests.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";

const worker = startWorker();
let userId: string;
let key: string;

beforeAll(async () => {
  userId = await createAccount(worker.db, { plan: "pro" });
  ({ apiKey: key } = await insertApiKey({ db: worker.db, now: Date.now(), userId, mode: "live", name: "test" }));
});

/** The number of a line; every tenth is invalid. */
const numberOf = (index: number) => (index % 10 === 9 ? "+1202" : `+1202${5_550_000 + (index % 9_000)}`);

/** Sends this many lines, on demand, and says when all are sent. */
function ask(count: number, onSent = () => {}, signal?: AbortSignal): Promise<Response> {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (sent === count) {
          onSent();
          return controller.close();
        }
        const until = Math.min(sent + 500, count);
        let text = "";
        for (; sent < until; sent++) text += `{"number":"${numberOf(sent)}"}\n`;
        controller.enqueue(new TextEncoder().encode(text));
      },
    },
    { highWaterMark: 0 },
  );
  const init = {
    ...send("POST", key, undefined, { "Content-Type": "application/x-ndjson" }),
    body,
    duplex: "half",
    signal,
  };
  return fetch(new URL("/api/v1/verify/stream", worker.url), init as RequestInit);
}

async function* linesOf(response: Response): AsyncGenerator<Record<string, unknown>> {
  let rest = "";
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    for (const line of lines) if (line !== "") yield JSON.parse(line) as Record<string, unknown>;
  }
  expect(rest).toBe("");
}

async function countedBy(most: number): Promise<number> {
  for (let times = 0; ; times++) {
    const { days } = await worker.env.LEDGER.getByName(userId).usage({ first: "", last: "~" });
    const counted = days.reduce((sum, { total }) => sum + total, 0);
    if (counted >= most || times === 100) return counted;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The memory of this process's runtimes, in MB; 0 without /proc. */
function residentMemory(): number {
  const sizes = [...workerdProcesses()].map((pid) => readFileSync(`/proc/${pid}/status`, "utf8"));
  return sizes.reduce((sum, status) => sum + Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024, 0);
}

describe("POST /api/v1/verify/stream on the real runtime", () => {
  const all = longOrShort(100_000, 3_000);
  let before = 0;

  test(`verifies ${all} numbers in order and counts each, in constant memory`, { timeout: 300_000 }, async () => {
    const response = await ask(all);
    expect(response.status).toBe(200);
    let index = 0;
    let early = 0;
    for await (const line of linesOf(response)) {
      if (line["number"] !== numberOf(index)) throw new Error(`Line ${index} is ${JSON.stringify(line)}`);
      index += 1;
      if (index === Math.floor(all / 5)) early = residentMemory();
    }
    expect(index).toBe(all);
    // The results of the remaining four fifths alone are 48 MB in the long form.
    const grown = residentMemory() - early;
    console.log(`Resident memory grew by ${grown.toFixed(1)} MB from ${early.toFixed(1)} MB.`);
    expect(grown).toBeLessThan(32);
    before = await countedBy(all);
    expect(before).toBe(all);
  });

  test("verifies no further than the response is read, and counts no less than was written", async () => {
    const count = 50_000;
    const response = await ask(count);
    const lines = linesOf(response);
    for (let read = 0; read < 200; read++) expect((await lines.next()).value).toMatchObject({ number: numberOf(read) });
    // Counts are sent after two seconds.
    await countedBy(before + 1);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    // What is in the connection's buffers counts as written.
    const written = (await countedBy(before + 1)) - before;
    expect(written).toBeGreaterThanOrEqual(200);
    expect(written).toBeLessThan(0.9 * count);
    await lines.return(undefined);
  });

  test("reads all that a client sends before it reads anything", async () => {
    // 4 MB, far more than the connection's buffers.
    const count = 100_000;
    const sent = Promise.withResolvers<void>();
    const response = ask(count, sent.resolve);
    await sent.promise;
    const { value } = await linesOf(await response).next();
    expect(value).toMatchObject({ number: numberOf(0) });
  });

  test("30 streams that nobody reads leave the worker alive, and memory flat", { timeout: 120_000 }, async () => {
    const early = residentMemory();
    const abandoned = new AbortController();
    const responses = await Promise.all(Array.from({ length: 30 }, () => ask(1_000_000, () => {}, abandoned.signal)));
    expect(responses.map(({ status }) => status)).toStrictEqual(Array(30).fill(200));
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    const grown = residentMemory() - early;
    console.log(`Resident memory grew by ${grown.toFixed(1)} MB from ${early.toFixed(1)} MB.`);
    expect(grown).toBeLessThan(100);
    abandoned.abort();
    await Promise.allSettled(responses.map(({ body }) => body!.cancel()));
    // Their room is free again.
    const sent = Promise.withResolvers<void>();
    void ask(100_000, sent.resolve);
    await sent.promise;
  });
});
