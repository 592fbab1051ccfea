import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SDK_VERSION } from "../../contract/sdks.ts";
import { sdkFiles, sdkFolder } from "../../sdks/files.ts";
import { sdkWithId } from "../../sdks/packages.ts";
import { withSources } from "./files.ts";
import { run } from "../local/run.ts";
import { inTemporaryFolder, versionOf } from "./toolchain.ts";
import type { SdkToolchain } from "./toolchain.ts";
import { zip } from "./zip.ts";

const FOLDER = sdkFolder("php");
const { file: FILE, registry } = sdkWithId("php");
const EXTENSIONS = ["curl", "mbstring", "openssl", "xml", "zip"];

/** A source file's content in the package. */
function content(folder: string, path: string): Buffer {
  const bytes = readFileSync(join(folder, path));
  if (path !== "composer.json") return bytes;
  // Packagist gets the version from a tag, and Composer warns about one in the file. An archive has no tag.
  const { name, ...rest } = JSON.parse(bytes.toString()) as { name: string };
  return Buffer.from(`${JSON.stringify({ name, version: SDK_VERSION, ...rest }, null, 2)}\n`);
}

/** PHP with Composer and PHPUnit. */
export const php: SdkToolchain = {
  id: "php",
  runs: ["php"],
  // curl is for the install command, git and unzip for the publishing dry run.
  debianPackages: [
    "php-cli",
    "php-curl",
    "php-mbstring",
    "php-xml",
    "php-zip",
    "phpunit",
    "composer",
    "curl",
    "git",
    "unzip",
  ],

  async version() {
    // Exits with 1 if an extension is missing.
    const script = "exit(array_filter(array_slice($argv, 1), 'extension_loaded') === array_slice($argv, 1) ? 0 : 1);";
    const tools = await Promise.all([
      versionOf("php", "-r", "echo PHP_VERSION, PHP_EOL;"),
      versionOf("phpunit", "--version"),
      versionOf("composer", "--version"),
      versionOf("php", "-r", script, "--", ...EXTENSIONS),
      versionOf("curl", "--version"),
      versionOf("git", "--version"),
      versionOf("unzip", "-v"),
    ]);
    return tools.includes(null) ? null : `PHP ${tools[0]}, ${tools[1]!.split(" by ")[0]}`;
  },

  async build(out) {
    const paths = sdkFiles("php").filter((path) => /^(src|examples)\/|^(composer\.json|[A-Z]+(\.md)?)$/.test(path));
    await withSources("php", async (folder) => {
      await run("composer", ["validate", "--strict", "--no-interaction"], { cwd: folder });
      writeFileSync(join(out, FILE), await zip(paths.map((name) => ({ name, data: content(folder, name) }))));
    });
  },

  async test(built, env) {
    await inTemporaryFolder(async (project) => {
      const composer = { COMPOSER_HOME: join(project, "home"), COMPOSER_DISABLE_NETWORK: "1" };
      for (const path of sdkFiles("php").filter((name) => name.endsWith(".php"))) {
        await run("php", ["-l", path], { cwd: FOLDER });
      }
      // The project has the tests and, through the install command of sdks/packages.ts, the package; it has no src/.
      const autoload = { "psr-4": { "Checkline\\Tests\\": "tests/" } };
      writeFileSync(join(project, "composer.json"), JSON.stringify({ autoload }));
      mkdirSync(join(project, "packages"));
      cpSync(join(built, FILE), join(project, "packages", FILE));
      await run("composer", ["config", "repositories.checkline", "artifact", "packages"], {
        cwd: project,
        env: composer,
      });
      await run("composer", ["require", `${registry.package}:${SDK_VERSION}`], { cwd: project, env: composer });
      for (const name of ["tests", "phpunit.xml.dist"]) {
        cpSync(join(FOLDER, name), join(project, name), { recursive: true });
      }
      await run("phpunit", ["--fail-on-skipped", "--verbose"], { cwd: project, env });
    });
  },
};
