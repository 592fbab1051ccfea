import type { ChunkReader } from "./read-ahead.ts";

const NEWLINE = 0x0a;

/** Reads lines on demand. Holds one chunk of the source and one line. */
export interface LineReader {
  /**
   * The next lines without line breaks, up to a maximum; null in place of one that is too long. Waits only for the
   * first. Empty at the end.
   * @throws what reading the source throws
   */
  take(most: number): Promise<(Uint8Array | null)[]>;
  /** Stops reading. */
  cancel(): Promise<void>;
}

/** Splits a stream of bytes into lines of limited length in bytes. The last line needs no line break. */
export function createLineReader(source: ChunkReader, maxBytes: number): LineReader {
  let chunk: Uint8Array = new Uint8Array();
  let at = 0;
  let ended = false;
  /** The start of the line that `chunk` continues. */
  let begun: Uint8Array[] = [];
  let size = 0;

  function add(bytes: Uint8Array): void {
    size += bytes.length;
    if (size > maxBytes) begun = [];
    else if (bytes.length > 0) begun.push(bytes);
  }

  function finish(): Uint8Array | null {
    const isTooLong = size > maxBytes;
    const line = new Uint8Array(isTooLong ? 0 : size);
    let offset = 0;
    for (const part of begun) {
      line.set(part, offset);
      offset += part.length;
    }
    begun = [];
    size = 0;
    return isTooLong ? null : line;
  }

  /** The next complete line. */
  function cut(): Uint8Array | null | undefined {
    const end = chunk.indexOf(NEWLINE, at);
    add(chunk.subarray(at, end === -1 ? chunk.length : end));
    at = end === -1 ? chunk.length : end + 1;
    if (end !== -1) return finish();
    return ended && size > 0 ? finish() : undefined;
  }

  return {
    async take(most) {
      const lines: (Uint8Array | null)[] = [];
      while (lines.length < most) {
        const line = cut();
        if (line !== undefined) lines.push(line);
        else if (ended || lines.length > 0) break;
        else {
          const next = await source.next();
          ended = next === undefined;
          chunk = next ?? new Uint8Array();
          at = 0;
        }
      }
      return lines;
    },
    cancel: () => source.cancel(),
  };
}
