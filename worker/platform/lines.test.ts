import { describe, expect, test } from "vitest";
import { createLineReader } from "./lines.ts";
import { createSharedRoom, readAhead } from "./read-ahead.ts";

const readerOf = (source: ReadableStream<Uint8Array>, maxBytes: number) =>
  createLineReader(readAhead(source, createSharedRoom()), maxBytes);
const bytes = (text: string) => new TextEncoder().encode(text);

function streamOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

/** All lines of a source with these chunks; null for one that is too long. */
async function linesOf(chunks: readonly string[], { maxBytes = 10, most = 3 } = {}): Promise<(string | null)[]> {
  const reader = readerOf(streamOf(chunks.map(bytes)), maxBytes);
  const found: (string | null)[] = [];
  for (;;) {
    const lines = await reader.take(most);
    expect(lines.length).toBeLessThanOrEqual(most);
    if (lines.length === 0) return found;
    found.push(...lines.map((line) => line && new TextDecoder().decode(line)));
  }
}

describe("the lines of a stream", () => {
  test.each<[string, string[], (string | null)[]]>([
    ["nothing", [], []],
    ["empty chunks", ["", ""], []],
    ["one without a line break", ["abc"], ["abc"]],
    ["one with", ["abc\n"], ["abc"]],
    ["empty ones", ["\n\na\n\n"], ["", "", "a", ""]],
    ["one in many chunks", ["a", "b", "", "c\nd"], ["abc", "d"]],
    ["a break between chunks", ["a", "\n", "b\n"], ["a", "b"]],
    ["characters cut in two", ["é".repeat(2)], ["éé"]],
    ["one of the longest length", ["0123456789\n0123456789"], ["0123456789", "0123456789"]],
    ["one that is too long", ["0123456789a\nb"], [null, "b"]],
    ["one that is far too long, in chunks", [...Array<string>(50).fill("x".repeat(9)), "\nb\n"], [null, "b"]],
    ["a last one that is too long", ["b\n0123456789", "a"], ["b", null]],
  ])("%s", async (_, chunks, lines) => {
    expect(await linesOf(chunks)).toStrictEqual(lines);
    // Also byte by byte.
    const whole = bytes(chunks.join(""));
    const single = streamOf([...whole].map((byte) => Uint8Array.of(byte)));
    const reader = readerOf(single, 10);
    const found: (string | null)[] = [];
    for (let taken = await reader.take(1); taken.length > 0; taken = await reader.take(1)) {
      found.push(...taken.map((line) => line && new TextDecoder().decode(line)));
    }
    expect(found).toStrictEqual(lines);
  });

  test("are returned as they arrive: an available line does not wait for the next", async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const reader = readerOf(readable, 10);
    void writer.write(bytes("a\nb\nc"));
    expect(await reader.take(100)).toHaveLength(2);
    const rest = reader.take(100);
    void writer.close();
    expect(await rest).toStrictEqual([bytes("c")]);
  });

  test("of a failing source: the failure", async () => {
    const reader = readerOf(new ReadableStream({ pull: (controller) => controller.error(new Error("broke off")) }), 10);
    await expect(reader.take(1)).rejects.toThrow("broke off");
  });
});
