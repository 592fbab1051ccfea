import { createServer } from "node:net";

/** The port that the variable `PORT` asks for, or 8787. */
export function configuredPort(value: string | undefined): number {
  if (value === undefined || value === "") return 8787;
  const port = Number(value);
  if (Number.isInteger(port) && port > 0 && port < 65_535) return port;
  throw new Error(`PORT must be a whole number from 1 to 65534, not ${JSON.stringify(value)}.`);
}

/** Fails early, and in plain words, when something else listens on the port. */
export async function assertPortIsFree(port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        error.code === "EADDRINUSE"
          ? new Error(`Port ${port} is in use. Stop what listens there, or choose another: PORT=8788 npm start`)
          : error,
      ),
    );
    server.listen(port, "127.0.0.1", resolve);
  });
  await new Promise((resolve) => server.close(resolve));
}
