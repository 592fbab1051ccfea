import { createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { Connection, readReply } from "./wire.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

let server: Server | undefined;

afterEach(() => {
  server?.close();
});

/** A connection to a server that handles its sockets like this. */
async function connectionTo(serve: (socket: Socket) => void): Promise<Connection> {
  server = createServer(serve);
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
  return new Connection(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
}

const respondWith = (text: string) => (socket: Socket) => void socket.on("data", () => socket.write(text));
const request = { bytes: Buffer.from("GET / HTTP/1.1\r\n\r\n"), heads: [false], ends: false };

describe("readReply", () => {
  test("reads a body by its length, in chunks, or not at all", () => {
    expect(readReply(Buffer.from(`${OK}rest`), false)).toMatchObject({
      reply: { status: 200, body: "hi" },
      end: OK.length,
    });
    const chunked =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nh\u00e9\r\n".replace("2\r", "3\r") +
      "1\r\n!\r\n0\r\n\r\n";
    expect(readReply(Buffer.from(chunked), false)?.reply.body).toBe("hé!");
    expect(readReply(Buffer.from(OK), true)?.reply.body).toBe("");
  });

  test("waits for what is missing", () => {
    for (const at of [5, 20, OK.length - 1]) expect(readReply(Buffer.from(OK.slice(0, at)), false)).toBeNull();
  });

  test("rejects what is not HTTP", () => {
    expect(() => readReply(Buffer.from("SSH-2.0\r\n\r\n"), false)).toThrow("begins with");
  });
});

describe("a connection", () => {
  test("is kept for the next request, and reads the expected number of responses", async () => {
    let connections = 0;
    const connection = await connectionTo((socket) => {
      connections += 1;
      respondWith(OK)(socket);
    });
    expect((await connection.exchange(request, 5_000)).replies).toHaveLength(1);
    expect((await connection.exchange(request, 5_000)).replies).toHaveLength(1);
    expect(connections).toBe(1);
    connection.close();
    const twice = await connectionTo(respondWith(OK + OK));
    expect((await twice.exchange({ ...request, heads: [false, false] }, 5_000)).replies).toHaveLength(2);
    twice.close();
  });

  test("that was closed in the meantime is reopened", async () => {
    let connections = 0;
    const connection = await connectionTo((socket) => {
      connections += 1;
      let requests = 0;
      socket.on("data", () => (++requests === 1 ? socket.write(OK) : socket.destroy()));
    });
    for (const _ of [1, 2]) expect((await connection.exchange(request, 5_000)).replies).toHaveLength(1);
    expect(connections).toBe(2);
    connection.close();
  });

  test("distinguishes a hang from a closed connection", async () => {
    const silent = await connectionTo(() => {});
    expect(await silent.exchange(request, 50)).toStrictEqual({ replies: [], closed: false, hung: true });
    const closing = await connectionTo((socket) => void socket.on("data", () => socket.destroy()));
    expect(await closing.exchange(request, 5_000)).toStrictEqual({ replies: [], closed: true, hung: false });
  });

  test("closed by this side must be closed by the other", async () => {
    const polite = await connectionTo(respondWith(OK));
    expect(await polite.exchange({ ...request, ends: true }, 5_000)).toMatchObject({
      replies: [{ status: 200 }],
      closed: true,
    });
  });
});
