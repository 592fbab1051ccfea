import { connect } from "node:net";
import type { Socket } from "node:net";

/** A raw response. */
export interface Reply {
  readonly status: number;
  /** By lowercase name; the last value of a repeated one. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface Sending {
  readonly bytes: Buffer;
  /** For each expected response, whether it is to a HEAD request. */
  readonly heads: readonly boolean[];
  /**
   * Whether to close this side after sending: any number of responses may follow, and the other side must close too.
   */
  readonly ends: boolean;
}

export interface Outcome {
  readonly replies: readonly Reply[];
  /** Whether the other side closed the connection. */
  readonly closed: boolean;
  /** Whether time ran out before every response arrived or the connection was closed. */
  readonly hung: boolean;
}

const HEAD_END = "\r\n\r\n";

/** The body that starts at `from`, and where it ends; null while incomplete. @throws for malformed chunks */
function readChunks(bytes: Buffer, from: number): { readonly body: string; readonly end: number } | null {
  const parts: Buffer[] = [];
  for (let at = from; ;) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    if (Number.isNaN(size)) throw new Error("The response has a malformed chunk");
    at = lineEnd + 2 + size;
    if (bytes.length < at + 2) return null;
    if (size === 0) return { body: Buffer.concat(parts).toString(), end: at + 2 };
    parts.push(bytes.subarray(lineEnd + 2, at));
    at += 2;
  }
}

/**
 * The first response in these bytes, and where it ends; null while incomplete. @throws for anything but an HTTP/1.1
 * response
 */
export function readReply(bytes: Buffer, isHead: boolean): { readonly reply: Reply; readonly end: number } | null {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return null;
  const [statusLine = "", ...lines] = bytes.toString("latin1", 0, headEnd).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})\b/.exec(statusLine)?.[1]);
  if (Number.isNaN(status)) throw new Error(`The response begins with ${JSON.stringify(statusLine.slice(0, 80))}`);
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const start = headEnd + HEAD_END.length;
  const bodiless = isHead || status < 200 || status === 204 || status === 304;
  if (!bodiless && headers.get("transfer-encoding") === "chunked") {
    const chunked = readChunks(bytes, start);
    return chunked && { reply: { status, headers, body: chunked.body }, end: chunked.end };
  }
  const end = start + (bodiless ? 0 : Number(headers.get("content-length") ?? 0));
  return bytes.length < end ? null : { reply: { status, headers, body: bytes.toString("utf8", start, end) }, end };
}

/** A connection that stays open as long as both sides allow. */
export class Connection {
  readonly #url: URL;
  #socket: Socket | undefined;

  constructor(url: URL) {
    this.#url = url;
  }

  /**
   * Sends bytes and reads the responses. If the other side had closed the connection, retries once over a new one.
   * @throws when the response is not HTTP/1.1
   */
  async exchange(sending: Sending, timeoutMs: number): Promise<Outcome> {
    const { bytes, heads, ends } = sending;
    // Nothing more arrives on one that the other side has closed.
    if (this.#socket?.writable !== true || !this.#socket.readable) this.close();
    const isReused = this.#socket !== undefined;
    const socket = (this.#socket ??= connect({
      port: Number(this.#url.port),
      host: this.#url.hostname,
      noDelay: true,
    }));
    const replies: Reply[] = [];
    let received = Buffer.alloc(0);
    let closed = false;
    let hung = false;
    let malformed: unknown;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => settle(() => (hung = true)), timeoutMs);
      function settle(note: () => void): void {
        note();
        clearTimeout(timer);
        socket.removeAllListeners();
        // Ignore late errors on an abandoned connection.
        socket.on("error", () => {});
        resolve();
      }
      function read(chunk: Buffer): void {
        received = Buffer.concat([received, chunk]);
        for (;;) {
          const found = readReply(received, heads[replies.length] ?? false);
          if (found === null) return;
          received = received.subarray(found.end);
          // 100 Continue comes before the response.
          if (found.reply.status >= 200) replies.push(found.reply);
        }
      }
      socket.on("data", (chunk: Buffer) => {
        try {
          read(chunk);
        } catch (error) {
          settle(() => (malformed = error));
          return;
        }
        if (!ends && replies.length >= heads.length) settle(() => {});
      });
      // The server may reject a request by hanging up while it is still being sent.
      socket.on("error", () => settle(() => (closed = true)));
      socket.on("close", () => settle(() => (closed = true)));
      if (ends) socket.end(bytes);
      else socket.write(bytes);
    });
    const isDone = ends || closed || hung || malformed !== undefined || received.length > 0;
    if (isDone || replies.some(({ headers }) => headers.get("connection") === "close")) this.close();
    if (malformed !== undefined) throw malformed;
    if (isReused && closed && replies.length === 0) return this.exchange(sending, timeoutMs);
    return { replies, closed, hung };
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }
}
