import { describe, expect, test } from "vitest";
import { readLines } from "./lines.ts";
import { createSharedRoom, readAhead } from "./read-ahead.ts";

const readerOf = (source: ReadableStream<Uint8Array>, { maxBytes = 10, most = 3 } = {}) =>
  readLines(readAhead(source, createSharedRoom()), { maxBytes, most });
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
async function linesOf(chunks: readonly Uint8Array[], most = 3): Promise<(string | null)[]> {
  const found: (string | null)[] = [];
  for await (const lines of readerOf(streamOf(chunks), { most })) {
    expect(lines.length).toBeLessThanOrEqual(most);
    found.push(...lines);
  }
  return found;
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
    expect(await linesOf(chunks.map(bytes))).toStrictEqual(lines);
    // Also byte by byte.
    const single = [...bytes(chunks.join(""))].map((byte) => Uint8Array.of(byte));
    expect(await linesOf(single, 1)).toStrictEqual(lines);
  });

  const MARK = "\ufeff";

  test.each<[string, Uint8Array[], (string | null)[]]>([
    [
      "a byte order mark at any start",
      [bytes(`${MARK}a\n${MARK}`), bytes(`b\n${MARK}c${MARK}`)],
      ["a", "b", `c${MARK}`],
    ],
    ["lengths in bytes", [bytes(`${"é".repeat(5)}\n${"é".repeat(6)}\n${"€".repeat(4)}`)], ["ééééé", null, null]],
    ["bytes that aren't UTF-8", [Uint8Array.of(0xff, 0xc3, 0x0a, 0xe2, 0x82)], ["\ufffd\ufffd", "\ufffd"]],
    ["their length", [new Uint8Array(21).fill(0xff).fill(0x0a, 10, 11)], ["\ufffd".repeat(10), "\ufffd".repeat(10)]],
    ["their length, if it is too long", [new Uint8Array(11).fill(0xff)], [null]],
  ])("%s", async (_, chunks, lines) => {
    expect(await linesOf(chunks)).toStrictEqual(lines);
  });

  test("are returned as they arrive: an available line does not wait for the next", async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const reader = readerOf(readable, { most: 100 });
    void writer.write(bytes("a\nb\nc"));
    expect((await reader.next()).value).toHaveLength(2);
    const rest = reader.next();
    void writer.close();
    expect((await rest).value).toStrictEqual(["c"]);
  });

  test("of a failing source: the failure", async () => {
    const reader = readerOf(new ReadableStream({ pull: (controller) => controller.error(new Error("broke off")) }));
    await expect(reader.next()).rejects.toThrow("broke off");
  });
});
