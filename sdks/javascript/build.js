// Finishes tsc's output: makes dist/cjs CommonJS, writes the entry for Node's import, and bundles the command.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import * as exported from "./dist/esm/index.js";

const root = fileURLToPath(new URL(".", import.meta.url));

function write(path, text) {
  writeFileSync(join(root, "dist", path), `${text}\n`);
}

/** The licenses of the bundled packages. */
function licensesOf(modules) {
  const folders = new Set(modules.map((id) => /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/.exec(id)?.[0]));
  folders.delete(undefined);
  return [...folders].toSorted().map((folder) => {
    const { name } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    return `${name}\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
  });
}

write("cjs/package.json", '{ "type": "commonjs" }');
// A Node program may both import and require the package: both return the same classes, so that instanceof works.
write("node.js", `export { ${Object.keys(exported).join(", ")} } from "./cjs/index.js";`);
write("node.d.ts", 'export * from "./cjs/index.js";');

// The command shares its rules with the dashboard's bulk check, and must not need other packages.
const { output } = await build({
  configFile: false,
  root,
  logLevel: "warn",
  ssr: { noExternal: true },
  build: { ssr: "cli/main.ts", outDir: "dist", emptyOutDir: false, target: "node20", minify: false },
  environments: {
    ssr: {
      build: { rollupOptions: { output: { entryFileNames: "cli.js", chunkFileNames: "cli/[name].js" } } },
    },
  },
});
write("cli-licenses.txt", licensesOf(output.flatMap(({ moduleIds = [] }) => moduleIds)).join("\n---\n\n"));
