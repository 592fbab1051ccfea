import { join } from "node:path";
import type { Plugin } from "vite";

const GUARD = join(import.meta.dirname, "../lib/stale-chunk.ts");
const FILES = /\/react-router\/dist\/\w+\/lib\/dom\/ssr\/(routeModules|routes)\.js$/;
const IMPORT = /\bimport\(\s*\/\* @vite-ignore \*\/\s*\/\* webpackIgnore: true \*\/\s*([\w.]+)\s*\)/g;
const RELOAD = /window\.location\.reload\(\);\s*return new Promise\(\(\) => \{\}\);/g;

/** How often each file has what is replaced, so that a new version of React Router cannot slip through. */
const EXPECTED: Readonly<Record<string, readonly [imports: number, reloads: number]>> = {
  routeModules: [1, 1],
  routes: [4, 0],
};

/**
 * React Router imports a page's chunks by itself, and when one is gone it reloads the page: without end if the chunk stays away,
 * and without going where the reader wanted to. Its imports are led through `lib/stale-chunk.ts` instead.
 */
export function guardedImports(): Plugin {
  return {
    name: "checkline:guarded-imports",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "client",
    transform(code, id) {
      const file = FILES.exec(id)?.[1];
      if (file === undefined) return null;
      const found = [code.match(IMPORT)?.length ?? 0, code.match(RELOAD)?.length ?? 0];
      if (String(found) !== String(EXPECTED[file])) {
        this.error(`${file}.js of React Router is another one than guarded-imports.ts was written for.`);
      }
      const guarded = code.replace(IMPORT, "loadChunk($1)").replace(RELOAD, "throw error;");
      return { code: `import { loadChunk } from ${JSON.stringify(GUARD)};\n${guarded}`, map: null };
    },
  };
}
