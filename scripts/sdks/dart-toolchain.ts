import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT, run } from "../local/run.ts";
import { versionOf } from "./toolchain.ts";

/** Where Dart is unpacked: in the build folder, kept between runs. */
const HOME = join(ROOT, "build/dart");
const SDK = "usr/lib/dart/bin";
/** The Dart programs we use. */
const PROGRAMS = ["dart", "dartvm", "dartaotruntime"];

/**
 * The oldest Debian release with Dart. It is newer than many systems, so it gets its own C library and doesn't touch
 * the system's.
 */
const SUITE = "forky";
const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";

/** This system's own Debian mirror. @throws Error if it is not Debian, or has no mirror. */
async function mirror(): Promise<string> {
  const args = ["indextargets", "--format", "$(REPO_URI) $(COMPONENT)", "Created-By: Packages"];
  const lines = (await run("apt-get", args, { cwd: ROOT })).split("\n");
  const found = lines.find((line) => /\/debian\/? main$/.test(line));
  if (found === undefined) throw new Error("apt has no Debian mirror");
  return found.split(" ")[0]!;
}

/** Downloads Dart and all dependencies, including the C library, with an apt state separate from the system's. */
async function download(folder: string): Promise<string[]> {
  const path = (...parts: string[]): string => join(folder, "apt", ...parts);
  for (const each of ["state/lists/partial", "cache/archives/partial"]) mkdirSync(path(each), { recursive: true });
  writeFileSync(path("status"), "");
  writeFileSync(path("sources.list"), `deb [signed-by=${KEYRING}] ${await mirror()} ${SUITE} main\n`);
  const settings = {
    "Dir::State": path("state"),
    "Dir::State::status": path("status"),
    "Dir::Cache": path("cache"),
    "Dir::Etc::sourcelist": path("sources.list"),
    "Dir::Etc::sourceparts": "/dev/null",
    "APT::Sandbox::User": "root",
    "APT::Update::Error-Mode": "any",
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
  await run("apt-get", [...options, "update"], { cwd: folder });
  const install = ["install", "-y", "--no-install-recommends", "--download-only", "dart-sdk"];
  await run("apt-get", [...options, ...install], { cwd: folder });
  const archives = path("cache/archives");
  return readdirSync(archives)
    .filter((name) => name.endsWith(".deb"))
    .map((name) => join(archives, name));
}

/** Makes the programs use the C library next to them, for when `folder` becomes HOME. */
async function relocate(folder: string): Promise<void> {
  const libraries = `usr/lib/${readdirSync(join(folder, "usr/lib")).find((name) => name.endsWith("-linux-gnu"))}`;
  const loader = readdirSync(join(folder, libraries)).find((name) => name.startsWith("ld-linux-"));
  if (loader === undefined) throw new Error("the download has no dynamic loader");
  const settings = ["--set-interpreter", join(HOME, libraries, loader), "--force-rpath", "--set-rpath"];
  for (const program of PROGRAMS) {
    await run("patchelf", [...settings, join(HOME, libraries), join(folder, SDK, program)], { cwd: folder });
  }
}

async function unpack(): Promise<void> {
  mkdirSync(dirname(HOME), { recursive: true });
  const folder = mkdtempSync(`${HOME}-`);
  try {
    await run("patchelf", ["--version"], { cwd: folder });
    for (const file of await download(folder)) await run("dpkg-deb", ["-x", file, folder], { cwd: folder });
    rmSync(join(folder, "apt"), { recursive: true });
    await relocate(folder);
    rmSync(HOME, { recursive: true, force: true });
    renameSync(folder, HOME);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The command `dart`: the system's, or Debian's, downloaded into build/dart the first time. Null if neither is
 * available, with the reason passed to `why`.
 */
export async function dartCommand(why: (reason: string) => void = () => {}): Promise<string | null> {
  if ((await versionOf("dart", "--version")) !== null) return "dart";
  const command = join(HOME, SDK, "dart");
  // It runs only where it was unpacked, so a copy in a moved or copied tree doesn't count.
  if ((await versionOf(command, "--version")) !== null) return command;
  try {
    await unpack();
    return command;
  } catch (error) {
    why(error instanceof Error ? error.message : String(error));
    return null;
  }
}
