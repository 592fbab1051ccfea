/**
 * Replaces node:crypto in the worker shared by test files: hashing a password takes 2 ms instead of 170. What is stored
 * still states the service's cost. A worker of `startOwnWorker()` hashes like the service.
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
  // `asked` is for tests that check the requested cost.
  const cheap = { ...options, N: Math.min(options.N!, 1024), p: 1, asked: options };
  hash(password, salt, length, cheap, done);
}
