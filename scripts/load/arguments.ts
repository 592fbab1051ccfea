import { parseArgs } from "node:util";

/** How much a load run may do. */
export interface LoadLimits {
  readonly minutes: number;
  /** Scenes begun in a second, at most. Some make more than one request. */
  readonly rate: number;
  /** Scenes under way at the same time, at most. */
  readonly concurrency: number;
}

const DEFAULTS: LoadLimits = { minutes: 10, rate: 50, concurrency: 16 };

/** Nobody should be able to forget a run, or to make a machine unusable with one. */
const MOST: LoadLimits = { minutes: 60, rate: 500, concurrency: 64 };

const NAMES = Object.keys(DEFAULTS) as (keyof LoadLimits)[];

/**
 * Reads the command line.
 * @throws Error with a sentence for whoever typed it.
 */
export function parseLimits(args: readonly string[]): LoadLimits {
  const options = Object.fromEntries(NAMES.map((name) => [name, { type: "string" as const }]));
  const { values } = parseArgs({ args: [...args], options });
  const limits = { ...DEFAULTS };
  for (const name of NAMES) {
    const text = values[name];
    if (text === undefined) continue;
    const value = Number(text);
    const whole = name === "minutes" || Number.isInteger(value);
    if (!(value > 0 && value <= MOST[name]) || !whole) {
      throw new Error(`--${name} must be a number above 0 and at most ${MOST[name]}, not ${JSON.stringify(text)}.`);
    }
    limits[name] = value;
  }
  return limits;
}

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/** @throws Error unless this is an address of this very machine: load is never sent anywhere else. */
export function assertLoopback(url: string): void {
  const { hostname } = new URL(url);
  if (!LOOPBACK.includes(hostname)) throw new Error(`Load goes to this machine only, not to ${hostname}.`);
}
