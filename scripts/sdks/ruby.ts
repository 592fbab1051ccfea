import { cpSync } from "node:fs";
import { join } from "node:path";
import { sdkFolder } from "../../sdks/files.ts";
import { sdkWithId } from "../../sdks/packages.ts";
import { withSources } from "./files.ts";
import { run } from "../local/run.ts";
import { inTemporaryFolder, SOURCE_DATE_EPOCH, versionOf } from "./toolchain.ts";
import type { SdkToolchain } from "./toolchain.ts";

const FOLDER = sdkFolder("ruby");
const FILE = sdkWithId("ruby").file;

/**
 * Prints gem paths, except folders that have their own checkline, which might be loaded instead of the one under test.
 */
const OTHER_GEMS = `puts Gem.path.select { |path| Dir.glob("gems/checkline-[0-9]*", base: path).empty? }.join(":")`;

/** Ruby with RubyGems, RBS, minitest, and rake, and what the install command needs. */
export const ruby: SdkToolchain = {
  id: "ruby",
  runs: ["ruby"],
  debianPackages: ["ruby", "ruby-minitest", "rake", "curl"],

  async version() {
    const tools = await Promise.all([
      versionOf("ruby", "-e", "puts RUBY_VERSION"),
      versionOf("ruby", "-e", "require 'minitest'; puts Minitest::VERSION"),
      versionOf("ruby", "-e", "require 'openssl'; require 'rbs'; puts Gem.bin_path('rbs', 'rbs')"),
      versionOf("rake", "--version"),
      versionOf("gem", "--version"),
      versionOf("curl", "--version"),
    ]);
    return tools.includes(null) ? null : `Ruby ${tools[0]}, minitest ${tools[1]}`;
  },

  async build(out) {
    await withSources("ruby", async (folder) => {
      // Files go into the gem with their modes.
      await run("chmod", ["-R", "u=rwX,go=rX", "."], { cwd: folder });
      const env = { SOURCE_DATE_EPOCH };
      await run("gem", ["build", "--strict", "checkline.gemspec", "--output", join(out, FILE)], { cwd: folder, env });
    });
  },

  async test(built, env) {
    await inTemporaryFolder(async (folder) => {
      const gems = join(folder, "gems");
      const others = (await run("ruby", ["-e", OTHER_GEMS], { cwd: folder })).trim();
      const home = { GEM_HOME: gems, GEM_PATH: `${gems}:${others}` };
      await run("gem", ["install", "--local", "--no-document", join(built, FILE)], { cwd: folder, env: home });
      // Without lib/, `require "checkline"` can only find the installed gem.
      for (const name of ["Rakefile", "test", "sig"])
        cpSync(join(FOLDER, name), join(folder, name), { recursive: true });
      await run("rake", ["test", "types"], { cwd: folder, env: { ...env, ...home } });
    });
  },
};
