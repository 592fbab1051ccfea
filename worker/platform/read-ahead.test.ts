import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createSharedRoom, readAhead } from "./read-ahead.ts";
import type { ChunkReader, SharedRoom } from "./read-ahead.ts";

const MB = 1024 * 1024;

/** A source of this many chunks that counts how many were read, and a reader of it. */
function open(chunks: number, chunkBytes: number, shared: SharedRoom = createSharedRoom()) {
  const seen = { read: 0, canceled: false };
  const source = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (seen.read === chunks) return controller.close();
        controller.enqueue(new Uint8Array(chunkBytes).fill(seen.read % 256));
        seen.read += 1;
      },
      cancel() {
        seen.canceled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { seen, shared, reader: readAhead(source, shared) };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await nextTurn();
}

async function all(reader: ChunkReader): Promise<number[]> {
  const bytes: number[] = [];
  for (let chunk = await reader.next(); chunk !== undefined; chunk = await reader.next()) bytes.push(...chunk);
  return bytes;
}

describe("a stream that nobody reads", () => {
  test("is read to its end if that is within 8 MB", async () => {
    const { seen } = open(7, MB);
    await settled();
    expect(seen.read).toBe(7);
  });

  test("is read up to 8 MB, and on as it is read", async () => {
    const { seen, reader } = open(100, MB);
    await settled();
    expect(seen.read).toBe(8);
    await reader.next();
    await settled();
    expect(seen.read).toBe(9);
  });

  test("in tiny chunks takes up no more than its bytes", async () => {
    const { seen, shared } = open(10_000, 100);
    for (let turn = 0; turn < 100; turn++) await settled();
    expect(seen.read).toBe(10_000);
    expect(createSharedRoom().left - shared.left).toBeLessThan(1.1 * MB);
  });
});

test("streams share 24 MB, and get room back from one that is read or canceled", async () => {
  const shared = createSharedRoom();
  const early = [open(100, MB, shared), open(100, MB, shared), open(100, MB, shared)] as const;
  await settled();
  expect(early.map(({ seen }) => seen.read)).toStrictEqual([8, 8, 8]);
  const late = open(100, MB, shared);
  await settled();
  expect(late.seen.read).toBe(0);
  // Without room, what is asked for is still read.
  expect(await late.reader.next()).toHaveLength(MB);
  await early[0].reader.cancel();
  expect(early[0].seen.canceled).toBe(true);
  await late.reader.next();
  await settled();
  expect(late.seen.read).toBe(10);
  for (const { reader } of [...early, late]) await reader.cancel();
  expect(shared.left).toBe(createSharedRoom().left);
});

test("gives every byte in order, and the end", async () => {
  for (const size of [1, 3, 4_096, 5_000]) {
    const { reader, shared } = open(10, size);
    await settled();
    expect(await all(reader)).toStrictEqual(Array.from({ length: 10 }, (_, index) => Array(size).fill(index)).flat());
    expect(await reader.next()).toBeUndefined();
    expect(shared.left).toBe(createSharedRoom().left);
  }
});

test("a failing source fails its reader after what came before", async () => {
  let pulls = 0;
  const source = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (pulls++ > 0) throw new Error("connection lost");
      controller.enqueue(Uint8Array.of(1));
    },
  });
  const reader = readAhead(source, createSharedRoom());
  await settled();
  expect(await reader.next()).toStrictEqual(Uint8Array.of(1));
  await expect(reader.next()).rejects.toThrow("connection lost");
});
