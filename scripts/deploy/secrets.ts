import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MIN_SECRET_LENGTH } from "../../worker/platform/config.ts";
import type { Target } from "./target.ts";
import type { Wrangler } from "./wrangler.ts";

/** The names of the secrets that the deployed worker has. */
export async function deployedSecrets(wrangler: Wrangler): Promise<string[]> {
  const secrets = await wrangler.json<readonly { readonly name: string }[]>(["secret", "list", "--format", "json"]);
  return secrets.map(({ name }) => name);
}

/**
 * The secrets that the worker lacks: the session secret, made here unless the shell gives one, and what the mail driver needs if the
 * shell has it. A secret that is there is never replaced, which would sign everybody out.
 * @throws when the shell's session secret is one with which the worker would refuse to run
 */
export function missingSecrets(
  { settings }: Target,
  present: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const wanted: Record<string, string | undefined> = {
    SESSION_SECRET: variables["SESSION_SECRET"] || randomBytes(32).toString("base64url"),
    ...(settings["MAIL_DRIVER"] === "resend" && { RESEND_API_KEY: variables["RESEND_API_KEY"] }),
  };
  const missing: Record<string, string> = Object.fromEntries(
    Object.entries(wanted).flatMap(([name, value]) => (value && !present.includes(name) ? [[name, value]] : [])),
  );
  const { SESSION_SECRET: secret } = missing;
  if (secret !== undefined && secret.length < MIN_SECRET_LENGTH) {
    throw new Error(
      `SESSION_SECRET is shorter than ${MIN_SECRET_LENGTH} characters. Give a longer one, or none: then one is made.`,
    );
  }
  return missing;
}

/**
 * Runs something with arguments that give wrangler the secrets, as a part of the version that it uploads: no version ever runs without
 * them, and when the upload fails nothing has changed. They go through a file that only this user can read and that is deleted at once;
 * on a command line every user of the machine could see them.
 */
export async function withSecrets<T>(
  secrets: Readonly<Record<string, string>>,
  work: (args: readonly string[]) => Promise<T>,
): Promise<T> {
  if (Object.keys(secrets).length === 0) return work([]);
  const folder = await mkdtemp(join(tmpdir(), "checkline-deploy-"));
  try {
    const file = join(folder, "secrets.json");
    await writeFile(file, JSON.stringify(secrets), { mode: 0o600 });
    return await work(["--secrets-file", file]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
