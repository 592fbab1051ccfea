import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A request that is sent repeatedly. */
export interface Call {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The status that the request is for, then others that are expected. */
  readonly statuses: readonly number[];
}

const HEAD_END = "\r\n\r\n";

/**
 * Keeps this many connections busy for a time, each sending one request after another. Returns each request's
 * milliseconds. Throws on any unexpected status.
 */
export async function load(call: Call, connections: number, milliseconds: number): Promise<number[]> {
  const request = Buffer.from(written(call));
  const times: number[] = [];
  const end = performance.now() + milliseconds;

  async function keepBusy(): Promise<void> {
    const socket = connect(Number(call.url.port), call.url.hostname);
    socket.setNoDelay(true);
    await once(socket, "connect");
    try {
      while (performance.now() < end) {
        const started = performance.now();
        const status = await ask(socket, request);
        if (!call.statuses.includes(status)) throw new Error(`${call.url.pathname} answered ${status}`);
        times.push(performance.now() - started);
      }
    } finally {
      socket.destroy();
    }
  }

  await Promise.all(Array.from({ length: connections }, keepBusy));
  return times;
}

function written({ url, headers, body }: Call): string {
  const lines = Object.entries({ ...headers, Host: url.host, "Content-Length": String(Buffer.byteLength(body)) });
  return `POST ${url.pathname} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join("\r\n")}${HEAD_END}${body}`;
}

/**
 * Sends the request and waits for the whole response, whose status it returns. Does as little as a client can, so that
 * the servers are what is timed.
 */
function ask(socket: Socket, request: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    let answer = "";
    function onData(chunk: Buffer): void {
      answer += chunk.toString("latin1");
      if (!isWhole(answer)) return;
      stop();
      resolve(Number(answer.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length)));
    }
    function onClose(): void {
      stop();
      reject(new Error("The server closed the connection"));
    }
    function stop(): void {
      socket.off("data", onData).off("close", onClose);
    }
    socket.on("data", onData).on("close", onClose);
    socket.write(request);
  });
}

function isWhole(answer: string): boolean {
  const head = answer.indexOf(HEAD_END);
  if (head < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer);
  if (length === null) return answer.endsWith(`0${HEAD_END}`);
  return answer.length >= head + HEAD_END.length + Number(length[1]);
}
