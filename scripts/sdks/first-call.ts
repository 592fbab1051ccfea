import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ORIGIN } from "../../contract/origin.ts";
import { sdkFolder } from "../../sdks/files.ts";
import { sdkWithId } from "../../sdks/packages.ts";
import type { SdkId } from "../../sdks/packages.ts";
import { run } from "../local/run.ts";
import { inTemporaryFolder } from "./toolchain.ts";

/** By SDK, the environment that keeps its tools' files in a folder and off the network otherwise. */
const ENVIRONMENTS: Readonly<Record<SdkId, (home: string) => Readonly<Record<string, string>>>> = {
  javascript: () => ({ npm_config_audit: "false", npm_config_fund: "false", npm_config_update_notifier: "false" }),
  python: () => ({ PIP_DISABLE_PIP_VERSION_CHECK: "1", PIP_NO_CACHE_DIR: "1" }),
  php(home) {
    writeFileSync(join(home, "config.json"), '{"repositories":{"packagist.org":false}}');
    return { COMPOSER_HOME: home, COMPOSER_ALLOW_SUPERUSER: "1" };
  },
  ruby: (home) => ({ GEM_HOME: home, GEM_PATH: home }),
  go: (home) => ({
    GOPATH: join(home, "go"),
    GOCACHE: join(home, "go-build"),
    GOTOOLCHAIN: "local",
    // Downloads are read-only otherwise, and couldn't be removed.
    GOFLAGS: "-modcacherw",
  }),
  java: () => ({}),
  dart: (home) => ({ PUB_CACHE: home }),
};

/** By SDK, a project's file before its first package, if the language's tools need any. It contains "mine". */
const PROJECTS: Partial<Record<SdkId, readonly [file: string, text: string]>> = {
  javascript: ["package.json", '{"name":"mine"}'],
  php: ["composer.json", '{"description":"mine"}'],
  go: ["go.mod", "module mine\n\ngo 1.19\n"],
  dart: ["pubspec.yaml", "name: mine\npublish_to: none\nenvironment:\n  sdk: ^3.3.0\n"],
};

async function callFrom(folder: string, id: SdkId, env: Readonly<Record<string, string>>): Promise<void> {
  const { install, example } = sdkWithId(id);
  const origin = env["CHECKLINE_BASE_URL"] ?? ORIGIN;
  const save = 'mkdir -p "$(dirname "$2")" && cp "$1" "$2"';
  // One shell for all, like a newcomer's: the install command may change its environment.
  const script = [install.replaceAll(ORIGIN, origin), save, example.run].join("\n");
  const files = [join(sdkFolder(id), example.source), example.file];
  const printed = await run("sh", ["-ec", script, "sh", ...files], { cwd: folder, env });
  if (!/^true Brazil TIM mobile$/im.test(printed)) throw new Error(`${example.run} printed:\n${printed}`);
}

/**
 * Follows a page's instructions for newcomers, in an empty folder and in a project: installs the package from a running
 * service, saves the example, and runs it.
 * @throws Error with the output, also when the example prints something unexpected or the project's file is replaced.
 */
export async function makeFirstCall(id: SdkId, env: Readonly<Record<string, string>>): Promise<void> {
  await inTemporaryFolder(async (work) => {
    const [home, empty, project] = ["home", "empty", "project"].map((name) => join(work, name)) as [
      string,
      string,
      string,
    ];
    for (const folder of [home, empty, project]) mkdirSync(folder);
    const own = { ...env, ...ENVIRONMENTS[id](home) };
    await callFrom(empty, id, own);
    const [file, text] = PROJECTS[id] ?? [];
    if (file === undefined) return;
    writeFileSync(join(project, file), text!);
    await callFrom(project, id, own);
    const after = readFileSync(join(project, file), "utf8");
    if (!after.includes("mine")) throw new Error(`The install command has replaced ${file} by:\n${after}`);
  });
}
