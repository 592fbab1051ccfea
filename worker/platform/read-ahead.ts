/** Bytes that one stream may hold, and all streams of an isolate together: an isolate has 128 MB in all. */
const MOST = 8 * 1024 * 1024;
const MOST_TOGETHER = 24 * 1024 * 1024;

/** The room, in bytes, that the streams of an isolate share. */
export interface SharedRoom {
  left: number;
}

export function createSharedRoom(): SharedRoom {
  return { left: MOST_TOGETHER };
}

/** Chunks of bytes, read on demand. */
export interface ChunkReader {
  /** The next chunk; undefined at the end. @throws what reading the source throws */
  next(): Promise<Uint8Array | undefined>;
  /** Stops reading, and forgets what was read. */
  cancel(): Promise<void>;
}

/** The least that is allocated for what is read, so that a sender of tiny chunks can't multiply what they take up. */
const BLOCK_BYTES = 4_096;

interface Block {
  readonly bytes: Uint8Array;
  filled: number;
}

/**
 * Reads a stream ahead of its reader, up to 8 MB and what other streams leave of the shared room, so that a sender can
 * finish before anything is read back. Without room it reads only what is asked for.
 */
export function readAhead(source: ReadableStream<Uint8Array>, shared: SharedRoom): ChunkReader {
  const reader = source.getReader();
  let blocks: Block[] = [];
  let held = 0;
  let isOver = false;
  let failure: { readonly thrown: unknown } | null = null;
  let reading: Promise<void> | null = null;

  function keep(chunk: Uint8Array): void {
    const last = blocks.at(-1);
    if (last !== undefined && last.filled + chunk.length <= last.bytes.length) {
      last.bytes.set(chunk, last.filled);
      last.filled += chunk.length;
      return;
    }
    const bytes = new Uint8Array(Math.max(BLOCK_BYTES, chunk.length));
    bytes.set(chunk);
    blocks.push({ bytes, filled: chunk.length });
    hold(bytes.length);
  }

  function hold(bytes: number): void {
    held += bytes;
    shared.left -= bytes;
  }

  async function readOnce(): Promise<void> {
    try {
      const { done, value } = await reader.read();
      if (isOver) return;
      if (done) isOver = true;
      else keep(value);
    } catch (thrown) {
      failure = { thrown };
      isOver = true;
    } finally {
      reading = null;
    }
    fill();
  }

  function fill(): void {
    if (held < MOST && shared.left > 0) void readMore();
  }

  /** Starts the next read unless one is pending. Never rejects. */
  function readMore(): Promise<void> {
    if (isOver) return Promise.resolve();
    return (reading ??= readOnce());
  }

  fill();
  return {
    async next() {
      while (blocks.length === 0) {
        if (failure !== null) throw failure.thrown;
        if (isOver) return undefined;
        await readMore();
      }
      const block = blocks.shift()!;
      hold(-block.bytes.length);
      fill();
      return block.bytes.subarray(0, block.filled);
    },
    async cancel() {
      isOver = true;
      blocks = [];
      hold(-held);
      await reader.cancel();
    },
  };
}
