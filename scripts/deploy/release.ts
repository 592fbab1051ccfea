import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseJson } from "./wrangler.ts";
import type { Wrangler } from "./wrangler.ts";

const NO_DEPLOYMENT = /\[code: 10007\]|has no deployments/;

/** An entry that wrangler writes into the file that WRANGLER_OUTPUT_FILE_PATH names. */
interface OutputEntry {
  readonly type: string;
  readonly version_id?: string | null;
  readonly targets?: readonly string[];
}

export interface Uploaded {
  readonly version: string;
  /** The address at which wrangler says the worker is, or null. */
  readonly origin: string | null;
}

export interface Deployed {
  /** The version that most of the traffic goes to. */
  readonly version: string;
  /** Whether all of it does. */
  readonly alone: boolean;
}

/** What is deployed, or null when the worker has never been. */
export async function readDeployed(wrangler: Wrangler): Promise<Deployed | null> {
  const status = await wrangler.find(["deployments", "status", "--json"], NO_DEPLOYMENT);
  if (status === null) return null;
  const { versions } = parseJson<{ versions: readonly { version_id: string; percentage: number }[] }>(status);
  const [most] = versions.toSorted((a, b) => b.percentage - a.percentage);
  return most === undefined ? null : { version: most.version_id, alone: versions.length === 1 };
}

/** "https://checkline.name.workers.dev", or the host of "example.com (custom domain)"; a route's pattern is no address. */
function originOf(targets: readonly string[]): string | null {
  for (const target of targets) {
    const host = /^https:\/\/([^/\s]+)/.exec(target)?.[1] ?? /^([\w.-]+) \(custom domain/.exec(target)?.[1];
    if (host !== undefined) return `https://${host}`;
  }
  return null;
}

async function upload(wrangler: Wrangler, args: readonly string[], type: string): Promise<Uploaded> {
  const folder = await mkdtemp(join(tmpdir(), "checkline-deploy-"));
  try {
    const file = join(folder, "output.ndjson");
    await wrangler.call(args, { WRANGLER_OUTPUT_FILE_PATH: file });
    const entries = (await readFile(file, "utf8"))
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as OutputEntry);
    const entry = entries.find((each) => each.type === type);
    if (!entry?.version_id) throw new Error(`wrangler ${args[0]} did not say which version it made.`);
    return { version: entry.version_id, origin: originOf(entry.targets ?? []) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Uploads a version and gives it all traffic. */
export function deployVersion(wrangler: Wrangler, args: readonly string[]): Promise<Uploaded> {
  return upload(wrangler, ["deploy", ...args], "deploy");
}

/** Uploads a version that gets no traffic yet. */
export function uploadVersion(wrangler: Wrangler, args: readonly string[]): Promise<Uploaded> {
  return upload(wrangler, ["versions", "upload", ...args], "version-upload");
}

/** Divides the traffic: so many per cent for a version, the rest for the other. */
export async function divideTraffic(wrangler: Wrangler, version: string, share: number, rest: string): Promise<void> {
  const specs = share === 100 ? [`${version}@100`] : [`${version}@${share}`, `${rest}@${100 - share}`];
  await wrangler.call(["versions", "deploy", ...specs, "--yes"]);
}

/** Applies crons, queue consumers and addresses, which belong to no version. */
export async function applyTriggers(wrangler: Wrangler): Promise<void> {
  await wrangler.call(["triggers", "deploy"]);
}

/** In characters; Cloudflare cuts messages at 1000 bytes. */
const MAX_MESSAGE = 300;

/**
 * Gives all of the traffic to an earlier version.
 * @param reason why, which is kept with the deployment, for who lists them
 */
export async function rollBack(wrangler: Wrangler, version: string, reason: string): Promise<void> {
  const message = `Rolled back: ${reason.replaceAll(/\s+/g, " ")}`.slice(0, MAX_MESSAGE);
  await wrangler.call(["rollback", version, "--yes", "--message", message]);
}
