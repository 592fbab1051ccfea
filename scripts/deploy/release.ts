import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Account } from "../cloudflare.ts";
import type { Wrangler } from "../wrangler.ts";
import type { Target } from "./target.ts";

interface Share {
  readonly version_id: string;
  readonly percentage: number;
}

/** The deployed versions, the one with the most traffic first; empty before the first deployment. */
export async function readShares(worker: string, { ask }: Account): Promise<readonly Share[]> {
  const found = await ask<{ deployments: { versions: Share[] }[] }>(`/workers/scripts/${worker}/deployments`);
  return (found?.deployments[0]?.versions ?? []).toSorted((a, b) => b.percentage - a.percentage);
}

/**
 * Deploys the worker and the site together with secrets, so that no version runs without them. They pass through a
 * file, because every user of the machine can see a command line.
 * @returns the new version's id
 */
export async function release(
  { workerFolder }: Target,
  secrets: Readonly<Record<string, string>>,
  wrangler: Wrangler,
): Promise<string> {
  const scratch = mkdtempSync(join(tmpdir(), "checkline-deploy-"));
  const [output, file] = [join(scratch, "output.ndjson"), join(scratch, "secrets.json")];
  try {
    writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
    const more = Object.keys(secrets).length > 0 ? ["--secrets-file", file] : [];
    const args = ["deploy", "--no-bundle", "--minify=false", join(workerFolder, "index.js"), ...more];
    await wrangler(args, { WRANGLER_OUTPUT_FILE_PATH: output });
    const lines = readFileSync(output, "utf8").trim().split("\n");
    const entries = lines.map((line) => JSON.parse(line) as { type: string; version_id: string });
    return entries.find(({ type }) => type === "deploy")!.version_id;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** What is deployed after a release that failed, or whose test did, and the one command that goes back. */
export function stateAfter(
  { environment }: Target,
  shares: Readonly<Record<"before" | "now", readonly Share[]>>,
  { reason, passed }: { readonly reason: string; readonly passed: string | undefined },
): string {
  if (JSON.stringify(shares.now) === JSON.stringify(shares.before)) return NOTHING_DEPLOYED;
  if (passed !== undefined) return `The new version is deployed and passed at ${passed}; going back would not help.`;
  const [previous] = shares.before;
  if (previous === undefined) {
    return `The new version is deployed. It is the first: the next run replaces it, and this removes it:
npx wrangler delete --env=${environment}`;
  }
  // Cloudflare keeps 100 bytes of a reason.
  const message = reason.replaceAll(/[^\w .,:/-]+/g, " ").slice(0, 100);
  return `The new version is deployed. This goes back; migrations, crons, queue consumers, and addresses stay:
npx wrangler rollback ${previous.version_id} --env=${environment} --yes --message "${message}"`;
}

export const NOTHING_DEPLOYED = "Nothing was deployed. The next run uses what this one created.";
