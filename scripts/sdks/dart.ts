import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { ORIGIN } from "../../contract/origin.ts";
import { sdkFolder } from "../../sdks/files.ts";
import { sdkWithId } from "../../sdks/packages.ts";
import { dartCommand } from "./dart-toolchain.ts";
import { withSources } from "./files.ts";
import { run } from "../local/run.ts";
import { inTemporaryFolder, RELEASED, versionOf } from "./toolchain.ts";
import type { SdkToolchain } from "./toolchain.ts";

const FOLDER = sdkFolder("dart");
const { file: FILE, install: INSTALL } = sdkWithId("dart");
const PACKAGED = ["CHANGELOG.md", "LICENSE", "README.md", "analysis_options.yaml", "example", "lib", "pubspec.yaml"];

/** The release date, one owner, and one mode, so that a build does not depend on the machine. */
const TAR = [
  "--sort=name",
  "--format=ustar",
  `--mtime=${RELEASED}`,
  "--owner=0",
  "--group=0",
  "--numeric-owner",
  "--mode=u=rwX,go=rX",
  "--use-compress-program=gzip -9n",
];

async function build(out: string): Promise<void> {
  await withSources("dart", async (folder) => {
    await run("tar", [...TAR, "-cf", join(out, FILE), ...PACKAGED], { cwd: folder });
  });
}

/** Runs `body` with the address of an empty registry, for `dart pub publish --dry-run`. */
async function withEmptyRegistry(body: (address: string) => Promise<void>): Promise<void> {
  const server = createServer((_request, response) => response.writeHead(404).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await body(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function pathTo(command: string): { PATH: string } {
  const path = process.env["PATH"] ?? "";
  return { PATH: command === "dart" ? path : [dirname(command), path].join(delimiter) };
}

/**
 * Installs the built package into a program with the documented command, runs the first example there, and then, in the
 * unpacked package, Dart's own checks and the tests, on the VM and as JavaScript in Node.
 */
async function test(built: string, env: Readonly<Record<string, string>>): Promise<void> {
  const command = await dartCommand();
  if (command === null) throw new Error("There is no Dart.");
  await inTemporaryFolder(async (work) => {
    const own = {
      ...env,
      ...pathTo(command),
      HOME: join(work, "home"),
      PUB_CACHE: join(work, "pub"),
      DO_NOT_TRACK: "1",
    };
    const dart = (cwd: string, args: readonly string[], more: Record<string, string> = {}): Promise<string> =>
      run(command, ["--suppress-analytics", ...args], { cwd, env: { ...own, ...more } });
    mkdirSync(own.HOME);
    writeFileSync(join(work, "pubspec.yaml"), "name: program\nenvironment:\n  sdk: ^3.3.0\n");
    await run("sh", ["-ec", INSTALL.replaceAll(`${ORIGIN}/sdks`, `file://${built}`)], { cwd: work, env: own });
    const folder = join(work, "packages/checkline");
    cpSync(join(folder, "example/verify.dart"), join(work, "bin/verify.dart"));
    const printed = await dart(work, ["run", "bin/verify.dart"]);
    if (!printed.endsWith("true Brazil TIM mobile\n")) throw new Error(`verify.dart printed ${printed}`);

    await withEmptyRegistry(async (PUB_HOSTED_URL) => {
      await dart(folder, ["pub", "publish", "--dry-run"], { PUB_HOSTED_URL });
    });
    cpSync(join(FOLDER, "test"), join(folder, "test"), { recursive: true });
    await dart(folder, ["pub", "get", "--offline"]);
    await dart(folder, ["format", "--output=none", "--set-exit-if-changed", "."]);
    await dart(folder, ["analyze", "--fatal-infos"]);
    await dart(folder, ["doc", "--dry-run"]);
    await dart(folder, ["run", "test/vm.dart"]);
    const script = join(work, "web.js");
    const address = `-DCHECKLINE_CONFORMANCE_URL=${env["CHECKLINE_CONFORMANCE_URL"]}`;
    await dart(folder, ["compile", "js", address, "-o", script, "test/web.dart"]);
    // Dart's output expects the browser's name for the global object.
    const page = "data:text/javascript,globalThis.self = globalThis";
    await run(process.execPath, ["--import", page, script], { cwd: work, env: own });
  });
}

export const dart: SdkToolchain = {
  env: async () => pathTo((await dartCommand()) ?? "dart"),
  id: "dart",
  runs: ["dart", "dart-web"],
  debianPackages: ["patchelf", "curl"],
  async version() {
    // The documented command installs with curl.
    if ((await versionOf("curl", "--version")) === null) return null;
    const command = await dartCommand((reason) => console.log(`dart: ${reason.trim().split("\n").at(-1)}`));
    return command === null ? null : await versionOf(command, "--version");
  },
  build,
  test,
};
