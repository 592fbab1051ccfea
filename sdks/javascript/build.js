// Finishes tsc's output: makes dist/cjs CommonJS and writes the entry for Node's import.
import { writeFileSync } from "node:fs";
import * as exported from "./dist/esm/index.js";

function write(path, text) {
  writeFileSync(new URL(`dist/${path}`, import.meta.url), `${text}\n`);
}

write("cjs/package.json", '{ "type": "commonjs" }');
// A Node program may both import and require the package: both return the same classes, so that instanceof works.
write("node.js", `export { ${Object.keys(exported).join(", ")} } from "./cjs/index.js";`);
write("node.d.ts", 'export * from "./cjs/index.js";');
