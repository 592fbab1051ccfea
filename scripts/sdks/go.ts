import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { SDK_VERSION } from "../../contract/sdks.ts";
import { sdkFiles, sdkFolder } from "../../sdks/files.ts";
import { sdkWithId } from "../../sdks/packages.ts";
import { withSources } from "./files.ts";
import { run } from "../local/run.ts";
import { inTemporaryFolder, RELEASED, versionOf } from "./toolchain.ts";
import type { SdkToolchain } from "./toolchain.ts";
import { zip } from "./zip.ts";

const FOLDER = sdkFolder("go");
const { file: FILE, registry } = sdkWithId("go");
const MODULE = registry.package;

/** @throws Error naming the files that gofmt would change. */
async function checkFormat(): Promise<void> {
  const files = await run("gofmt", ["-l", "."], { cwd: FOLDER });
  if (files !== "") throw new Error(`gofmt would change:\n${files}`);
}

/** Go, with the C compiler that the race detector needs. */
export const go: SdkToolchain = {
  id: "go",
  runs: ["go"],
  debianPackages: ["golang-go", "gcc", "libc6-dev"],

  async version() {
    const tools = await Promise.all([
      versionOf("go", "env", "GOVERSION"),
      versionOf("sh", "-c", "command -v gofmt"),
      versionOf("sh", "-c", "echo '#include <stdlib.h>' | gcc -E -"),
    ]);
    return tools.includes(null) ? null : `Go ${tools[0]?.replace(/^go/, "")}`;
  },

  /** The files of a module proxy, as described by `go help goproxy`. */
  async build(out) {
    const file = join(out, FILE);
    const folder = dirname(file);
    mkdirSync(folder, { recursive: true });
    await withSources("go", async (sources) => {
      const entries = sdkFiles("go").map((name) => ({
        name: `${MODULE}@v${SDK_VERSION}/${name}`,
        data: readFileSync(join(sources, name)),
      }));
      writeFileSync(file, await zip(entries));
    });
    writeFileSync(join(folder, `v${SDK_VERSION}.mod`), readFileSync(join(FOLDER, "go.mod")));
    writeFileSync(
      join(folder, `v${SDK_VERSION}.info`),
      `${JSON.stringify({ Version: `v${SDK_VERSION}`, Time: RELEASED })}\n`,
    );
    writeFileSync(join(folder, "list"), `v${SDK_VERSION}\n`);
  },

  /** The tests run where Go unpacks the zip, for a program that gets the module from the proxy's files. */
  async test(built, env) {
    await checkFormat();
    await inTemporaryFolder(async (folder) => {
      const program = {
        cwd: folder,
        env: {
          ...env,
          GOPROXY: pathToFileURL(join(built, "go")).href,
          GONOSUMDB: MODULE,
          GOMODCACHE: join(folder, "modules"),
          GOFLAGS: "-modcacherw",
          GOWORK: "off",
          CGO_ENABLED: "1",
        },
      };
      await run("go", ["mod", "init", "program"], program);
      await run("go", ["get", `${MODULE}@v${SDK_VERSION}`], program);
      await run("go", ["mod", "verify"], program);
      await run("go", ["vet", `${MODULE}/...`], program);
      // The conformance cases spend most of their time waiting for responses.
      await run("go", ["test", "-race", "-count=1", "-parallel=16", `${MODULE}/...`], program);
    });
  },
};
