import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseConfig } from "../../worker/platform/config.ts";

type Secrets = Readonly<Record<string, string>>;

/**
 * The secrets that a worker lacks: the shell's, else those generated before, else new ones, which are kept in a file.
 * Existing ones stay: a new session secret would log everyone out, and a new trial secret would give everyone another
 * trial.
 * @param present the names of those it has
 * @throws Error for a session secret that is too short, and in CI, where a file would be lost
 */
export function missingSecrets(file: string, present: readonly string[], env: NodeJS.ProcessEnv): Secrets {
  const missing = ["SESSION_SECRET", "TRIAL_SECRET", "RESEND_API_KEY"].filter((name) => !present.includes(name));
  const given = Object.fromEntries(missing.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const names = missing.filter((name) => !(name in given) && name !== "RESEND_API_KEY");
  if (names.length > 0 && env["CI"]) {
    throw new Error(`The worker lacks ${names.join(" and ")}. In CI, set them: generated secrets would be lost.`);
  }
  const kept = readKept(file);
  const generated = Object.fromEntries(
    names.map((name) => [name, kept[name] ?? randomBytes(32).toString("base64url")]),
  );
  const secrets: Secrets = { ...generated, ...given };
  if (missing.includes("SESSION_SECRET")) parseConfig(secrets);
  if (names.length > 0) writeFileSync(file, JSON.stringify({ ...kept, ...generated }, null, 2), { mode: 0o600 });
  return secrets;
}

/** What to do with the generated secrets, as long as they are in the file. */
export function secretsToKeep(file: string): string[] {
  const names = Object.keys(readKept(file)).join(" and ");
  return names === "" ? [] : [`Keep ${names}, which can't be read back, with your passwords, and delete ${file}.`];
}

function readKept(file: string): Secrets {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Secrets) : {};
}
