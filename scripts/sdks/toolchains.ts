import { existsSync } from "node:fs";
import { SDK_PACKAGES } from "../../sdks/packages.ts";
import { dart } from "./dart.ts";
import { go } from "./go.ts";
import { java } from "./java.ts";
import { javascript } from "./javascript.ts";
import { php } from "./php.ts";
import { python } from "./python.ts";
import { ruby } from "./ruby.ts";
import type { SdkToolchain } from "./toolchain.ts";
import { ROOT, run } from "../local/run.ts";

const TOOLCHAINS: readonly SdkToolchain[] = [javascript, python, php, ruby, go, java, dart];

/** The toolchains of the named SDKs, or of all. @throws Error for an unknown name. */
export function chosenToolchains(names: readonly string[]): readonly SdkToolchain[] {
  const unknown = names.find((name) => !TOOLCHAINS.some(({ id }) => id === name));
  if (unknown !== undefined) {
    throw new Error(`There is no SDK ${unknown}. Choose from: ${SDK_PACKAGES.map(({ id }) => id).join(", ")}`);
  }
  return names.length === 0 ? TOOLCHAINS : TOOLCHAINS.filter(({ id }) => names.includes(id));
}

/** Whether to install missing tools: as root on a system with apt. */
export function mayInstall(): boolean {
  return process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
}

let listsAreFresh = false;

async function install(packages: readonly string[]): Promise<void> {
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  // Finishes an installation that was cut off, without which dpkg refuses all others.
  await run("dpkg", ["--configure", "-a"], { cwd: ROOT, env });
  if (!listsAreFresh) await run("apt-get", ["update", "-qq"], { cwd: ROOT, env });
  listsAreFresh = true;
  await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], { cwd: ROOT, env });
}

/** The version of each toolchain's tools, or null and the reason if they are missing and can't be installed. */
export async function prepare({
  version,
  debianPackages,
}: SdkToolchain): Promise<{ version: string | null; why: string }> {
  const present = await version();
  if (present !== null) return { version: present, why: "" };
  if (!mayInstall())
    return { version: null, why: "its tools are missing, and only root can install them, with apt-get" };
  try {
    await install(debianPackages);
  } catch (error) {
    return { version: null, why: `its tools are missing and apt-get couldn't install them: ${lastLine(error)}` };
  }
  return { version: await version(), why: "its tools aren't available on this system" };
}

function lastLine(error: unknown): string {
  return String(error).trim().split("\n").at(-1) ?? "";
}
