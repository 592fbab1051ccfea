import { constants, createWriteStream } from "node:fs";
import { access, realpath, stat, truncate } from "node:fs/promises";
import { dirname, sep } from "node:path";
import { InputError } from "./failure.ts";

/** Where rows are written. */
export interface Output {
  /** Resolves once the system has the text. */
  write(text: string): Promise<void>;
  end(): Promise<void>;
}

/** Standard output. */
export function openStdout(): Output {
  // Each write reports its own failure.
  process.stdout.on("error", () => {});
  return {
    write: (text) =>
      new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve()))),
    async end() {},
  };
}

/** Whether there is a file, and whether one can be made. @throws InputError, the system's error */
export async function fileExists(path: string): Promise<boolean> {
  if (path === "" || path.endsWith("/") || path.endsWith(sep)) throw new InputError(`--out “${path}” names no file.`);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (found === null) await access(dirname(path), constants.W_OK);
  else if (!found.isFile()) throw new InputError(`${path} isn’t a file.`);
  else await access(path, constants.W_OK);
  return found !== null;
}

/** Whether two paths lead to the same file. @throws the system's error */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  return (await realpath(one)) === (await realpath(other));
}

/** A file, made with its first row, or continued after some bytes; the rest of it is dropped. */
export function openOutput(path: string, keep: number | null): Output {
  let stream: ReturnType<typeof createWriteStream> | null = null;
  async function opened() {
    if (stream !== null) return stream;
    if (keep !== null) await truncate(path, keep);
    stream = createWriteStream(path, keep === null ? { flags: "wx" } : { flags: "r+", start: keep });
    stream.on("error", () => {});
    return stream;
  }
  return {
    async write(text) {
      const target = await opened();
      await new Promise<void>((resolve, reject) => target.write(text, (error) => (error ? reject(error) : resolve())));
    },
    async end() {
      await new Promise<void>((resolve) => (stream === null ? resolve() : stream.end(resolve)));
    },
  };
}
