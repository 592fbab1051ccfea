import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ORIGIN } from "../../contract/origin.ts";
import { sdkWithId } from "../../contract/sdks.ts";
import type { SdkId } from "../../contract/sdks.ts";
import { run, sdkFolder } from "./toolchain.ts";

interface Project {
  /** What a project of the language has before its first package. */
  readonly files?: Readonly<Record<string, string>>;
  /** Keeps what is installed within the project's folder, and the tools from asking the network for anything else. */
  env?(folder: string): Readonly<Record<string, string>>;
}

const PROJECTS: Readonly<Record<SdkId, Project>> = {
  javascript: {
    files: { "package.json": "{}" },
    env: () => ({ npm_config_audit: "false", npm_config_fund: "false", npm_config_update_notifier: "false" }),
  },
  python: {
    env: (folder) => ({
      PIP_TARGET: join(folder, "packages"),
      PIP_BREAK_SYSTEM_PACKAGES: "1",
      PIP_DISABLE_PIP_VERSION_CHECK: "1",
      PIP_NO_CACHE_DIR: "1",
      PYTHONPATH: join(folder, "packages"),
    }),
  },
  php: {
    files: { "composer.json": '{"repositories":[{"packagist":false}]}' },
    env: (folder) => ({ COMPOSER_HOME: join(folder, "composer"), COMPOSER_ALLOW_SUPERUSER: "1" }),
  },
  ruby: { env: (folder) => ({ GEM_HOME: join(folder, "gems"), GEM_PATH: join(folder, "gems") }) },
  go: {
    files: { "go.mod": "module example.com/first-call\n\ngo 1.19\n" },
    env: (folder) => ({
      GOPATH: join(folder, "go"),
      GOCACHE: join(folder, "go-build"),
      GOTOOLCHAIN: "local",
      // What is fetched is read-only otherwise, and could not be removed.
      GOFLAGS: "-modcacherw",
    }),
  },
  java: {},
  dart: {
    files: { "pubspec.yaml": "name: first_call\npublish_to: none\nenvironment:\n  sdk: ^3.3.0\n" },
    env: (folder) => ({ PUB_CACHE: join(folder, "pub") }),
  },
};

/**
 * Does what a page tells a newcomer to do, in an empty project: installs the package from a running service, saves the example, runs it.
 * @throws Error with what was printed, also when the example prints something else than it should.
 */
export async function makeFirstCall(id: SdkId, env: Readonly<Record<string, string>>): Promise<void> {
  const { install, example } = sdkWithId(id);
  const { files = {}, env: own } = PROJECTS[id];
  const folder = mkdtempSync(join(tmpdir(), `checkline-first-call-${id}-`));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    mkdirSync(dirname(join(folder, example.file)), { recursive: true });
    cpSync(join(sdkFolder(id), example.source), join(folder, example.file));
    const origin = env["CHECKLINE_BASE_URL"] ?? ORIGIN;
    const options = { cwd: folder, env: { ...env, ...own?.(folder) } };
    await run("sh", ["-ec", install.replaceAll(ORIGIN, origin)], options);
    const printed = await run("sh", ["-ec", example.run], options);
    if (!/^true Brazil TIM mobile$/im.test(printed)) throw new Error(`${example.run} printed:\n${printed}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
