import { createServer } from "node:net";

/** The port in the variable `PORT`, or 8787. */
export function configuredPort(value: string | undefined): number {
  if (value === undefined || value === "") return 8787;
  const port = Number(value);
  if (Number.isInteger(port) && port > 0 && port < 65_535) return port;
  throw new Error(`PORT must be a whole number from 1 to 65534, not ${JSON.stringify(value)}.`);
}

/** Null when the address is available, else the error code. */
async function listenError(host: string, port: number): Promise<string | null> {
  const server = createServer();
  const error = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    server.once("error", resolve);
    server.listen(port, host, () => resolve(null));
  });
  if (error !== null) return error.code ?? error.message;
  await new Promise((resolve) => server.close(resolve));
  return null;
}

/**
 * Fails early with a clear message when the port is taken. `localhost` may mean either address, so both are tried; a
 * machine without IPv6 has only one.
 */
export async function assertPortIsFree(port: number): Promise<void> {
  const errors = [await listenError("127.0.0.1", port), await listenError("::1", port)];
  if (errors.includes("EADDRINUSE")) {
    throw new Error(
      `Port ${port} is in use. Stop the program that uses it, or choose another port: PORT=${port + 1} npm start`,
    );
  }
  if (errors[0] !== null) throw new Error(`Can't listen on port ${port}: ${errors[0]}`);
}
