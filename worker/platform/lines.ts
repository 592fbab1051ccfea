import { Buffer } from "node:buffer";
import type { ChunkReader } from "./read-ahead.ts";

export interface LineLimits {
  /** Lines that are returned together. */
  readonly most: number;
  /** The length of a line. */
  readonly maxBytes: number;
}

/** Whether a line is longer, in bytes. A character has up to three. */
function isLonger(line: string, maxBytes: number): boolean {
  // Bytes that aren't UTF-8 were one or more to a replacement character.
  return line.length > maxBytes / 3 && Buffer.byteLength(line.replaceAll("\ufffd", "?")) > maxBytes;
}

/** A line without a byte order mark, which files keep when they are joined; null if it is too long. */
function clean(line: string, maxBytes: number): string | null {
  if (isLonger(line, maxBytes)) return null;
  return line.startsWith("\ufeff") ? line.slice(1) : line;
}

/**
 * A source's lines as text, without line breaks, as they arrive: none waits for the next. Null in place of one that is
 * too long. The last needs no line break. Holds one chunk of the source and one line.
 * @throws what reading the source throws
 */
export async function* readLines(
  source: Pick<ChunkReader, "next">,
  { most, maxBytes }: LineLimits,
): AsyncGenerator<(string | null)[]> {
  const decoder = new TextDecoder();
  let begun = "";
  for (let chunk = await source.next(); chunk !== undefined; chunk = await source.next()) {
    const lines = (begun + decoder.decode(chunk, { stream: true })).split("\n");
    // Enough to see that it's too long.
    begun = (lines.pop() ?? "").slice(0, maxBytes + 1);
    for (let at = 0; at < lines.length; at += most) {
      yield lines.slice(at, at + most).map((line) => clean(line, maxBytes));
    }
  }
  begun += decoder.decode();
  if (begun !== "") yield [clean(begun, maxBytes)];
}
