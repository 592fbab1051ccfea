/**
 * In place of node:crypto in the worker that test files share: a password is hashed in 2 ms and not in 170. What is stored names the
 * cost of the service all the same. A worker of `startOwnWorker()` hashes as the service does.
 */
import { scrypt as hash } from "crypto";
import type { BinaryLike, ScryptOptions } from "node:crypto";

export * from "crypto";
export { default } from "crypto";

export function scrypt(
  password: BinaryLike,
  salt: BinaryLike,
  length: number,
  options: ScryptOptions,
  done: (error: Error | null, key: Buffer) => void,
): void {
  // `asked` is for tests that look at what the service asked for.
  const cheap = { ...options, N: Math.min(options.N!, 1024), p: 1, asked: options };
  hash(password, salt, length, cheap, done);
}
