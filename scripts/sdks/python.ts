import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { sdkFolder } from "../../sdks/files.ts";
import { sdkWithId } from "../../sdks/packages.ts";
import { withSources } from "./files.ts";
import { run } from "../local/run.ts";
import { inTemporaryFolder, SOURCE_DATE_EPOCH, versionOf } from "./toolchain.ts";
import type { SdkToolchain } from "./toolchain.ts";

const FOLDER = sdkFolder("python");
const FILE = sdkWithId("python").file;
/**
 * Debian's modules belong to this one, whatever other Python comes first on PATH. It may not exist before apt-get runs.
 */
function python3(): string {
  return existsSync("/usr/bin/python3") ? "/usr/bin/python3" : "python3";
}

async function inCopyOf(names: readonly string[], work: (folder: string) => Promise<void>): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    for (const name of names) {
      const filter = (path: string): boolean => !/__pycache__|\.egg-info/.test(path);
      cpSync(join(FOLDER, name), join(folder, name), { recursive: true, filter });
    }
    await work(folder);
  });
}

/** CPython with pytest, mypy, and what builds and installs a wheel. */
export const python: SdkToolchain = {
  id: "python",
  runs: ["python", "python-async"],
  debianPackages: [
    "python3",
    "python3-pytest",
    "python3-build",
    "python3-setuptools",
    "python3-wheel",
    "python3-pip",
    "python3-venv",
    "mypy",
    "openssl",
    // For the publishing dry run.
    "twine",
  ],

  async version() {
    // setuptools first: it can't be imported after anything that imports distutils.
    const modules = "import setuptools, build, pip, pytest, wheel; print('pytest', pytest.__version__)";
    const tools = await Promise.all([
      versionOf(python3(), "--version"),
      versionOf(python3(), "-W", "ignore", "-c", modules),
      versionOf(python3(), "-m", "mypy", "--version"),
      // For the install command, which uses the first Python on PATH, and for the TLS tests.
      versionOf("python3", "-c", "import ensurepip, venv; print(ensurepip.version())"),
      versionOf("openssl", "version"),
      versionOf("twine", "--version"),
    ]);
    return tools.includes(null) ? null : `${tools[0]}, ${tools[1]}`;
  },

  async build(out) {
    await withSources("python", async (folder) => {
      // Files go into the wheel with their modes.
      const script = 'umask 022 && chmod -R u=rwX,go=rX . && exec "$@"';
      const command = [python3(), "-m", "build", "--wheel", "--no-isolation", "--outdir", out];
      await run("sh", ["-c", script, "sh", ...command], { cwd: folder, env: { SOURCE_DATE_EPOCH } });
    });
  },

  async test(built, env) {
    // Without src/, `import checkline` can only find the installed wheel.
    await inCopyOf(["pyproject.toml", "tests", "examples"], async (folder) => {
      const site = join(folder, "site");
      const install = ["install", "--quiet", "--no-index", "--no-deps", "--target", site, join(built, FILE)];
      await run(python3(), ["-m", "pip", ...install], { cwd: folder });
      await run(python3(), ["-m", "mypy", "-p", "checkline"], { cwd: folder, env: { MYPYPATH: site } });
      await run(python3(), ["-m", "mypy", "tests", "examples"], { cwd: folder, env: { MYPYPATH: site } });
      await run(python3(), ["-m", "pytest", "-q", "-rs"], { cwd: folder, env: { ...env, PYTHONPATH: site } });
    });
  },
};
