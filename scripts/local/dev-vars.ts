import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./run.ts";

const FILE = join(ROOT, ".dev.vars");

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

/**
 * Makes sure that .dev.vars has what a local run needs: secrets generated on this machine, and a local mailbox.
 * Existing settings stay unchanged.
 */
export async function ensureDevVars(path = FILE): Promise<void> {
  const text = await readIfThere(path);
  const wanted = {
    ENVIRONMENT: "development",
    SESSION_SECRET: randomBytes(32).toString("base64url"),
    TRIAL_SECRET: randomBytes(32).toString("base64url"),
    MAIL_DRIVER: "mailbox",
  };
  const missing = Object.entries(wanted).filter(([name]) => !new RegExp(`^\\s*${name}\\s*=`, "m").test(text));
  if (missing.length === 0) return;
  const lines = missing.map(([name, value]) => `${name}=${value}\n`).join("");
  const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  await writeFile(path, start + lines, { mode: 0o600 });
}
