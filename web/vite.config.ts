import { join } from "node:path";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import type { Plugin } from "vite";
import { siteOrigin } from "./build-steps.ts";
import { codeSamples } from "./plugins/code-sample.ts";
import { docsPages } from "./plugins/docs/docs-plugin.ts";
import { endpointStubs } from "./plugins/endpoints.ts";
import { sdkSources } from "./plugins/sdk-sources.ts";

// Set by `npm run dev`, where the worker serves the API on a separate port.
const api = process.env["API_ORIGIN"];

/**
 * Code shared by pages would be a hundred files, many of a few hundred bytes, and small files compress badly. So it is
 * split into ten: what most pages load, panels, small components with their icons, what shows a number, the docs'
 * components, the stubs of API calls with their limits, what login pages share, what pages with calls share, calls with
 * a session, and what dashboard pages share. A library used by one component (dialog, toaster) is a separate file.
 */
const SHARED_CODE = [
  { name: "shared", minShareCount: 14, priority: 3 },
  // Before the small components: of two groups with a module, the first of the same priority gets it.
  {
    name: "panels",
    test: /\/components\/(ui\/(card|table|checkbox)|dashboard\/(account-context|empty-state|page-heading))[.]|lucide-react\/.*\/(arrow-left|download|mail|triangle-exclamation-point)[.]|\/lib\/(json-html|api\/verify-call)[.]ts$/,
    minShareCount: 2,
    priority: 2,
  },
  {
    name: "parts",
    test: /lucide-react|\/components\/(brand|site)\/|\/components\/ui\/(?!dialog|toaster|(card|table|checkbox)[.])|\/content\/(promises|retention)[.]ts$|\/contract\/format[.]ts$|\/lib\/(use-late|session\/kept-check)[.]ts$/,
    minShareCount: 2,
    priority: 2,
  },
  {
    name: "number",
    test: /\/components\/(anatomy\/|forms\/condition-choice[.]tsx$)|\/content\/specimens[.]ts$/,
    minShareCount: 2,
    priority: 1,
  },
  {
    name: "docs",
    test: /\/routes\/docs\/components\/[\w-]+[.]tsx$|\/content\/docs\/sections[.]ts$|\/lib\/doc-handle[.]ts$/,
    minShareCount: 2,
    priority: 1,
  },
  {
    name: "calls",
    test: /\/contract\/(endpoints\/|sandbox[.]ts$)|\/lib\/api\/rate-limit[.]ts$/,
    minShareCount: 2,
    priority: 1,
  },
  {
    name: "entering",
    test: /\/(routes\/auth\/arrival|components\/forms\/use-guessable|lib\/registration-nonce)[.]ts$/,
    minShareCount: 2,
    priority: 1,
  },
  {
    name: "asking",
    test: /\/(lib\/(mode|use-action|session\/draft)[.]ts|components\/dashboard\/mode-switch[.]tsx)$/,
    minShareCount: 2,
    priority: 1,
  },
  { name: "session", test: /\/lib\/(api\/call|session\/(end-session|on-server))[.]ts$/, minShareCount: 2, priority: 1 },
  {
    name: "dashboard",
    test: /\/lib\/(figures|format|save-file|toast-failure|use-minute)[.]ts$|\/components\/dashboard\/outlines[.]tsx$/,
    minShareCount: 2,
    priority: 1,
  },
];

export default defineConfig({
  plugins: [tailwindcss(), docsPages(), reactRouter(), guardedImports(), endpointStubs(), codeSamples(), sdkSources()],
  define: {
    "import.meta.env.PUBLIC_ORIGIN": JSON.stringify(siteOrigin()),
    "import.meta.env.OPERATOR": JSON.stringify(process.env["OPERATOR"] ?? ""),
  },
  // The bulk check's worker, which loads its workbook reader on demand.
  worker: { format: "es" },
  build: {
    rolldownOptions: {
      output: {
        codeSplitting: { groups: SHARED_CODE },
      },
    },
  },
  ...(api && {
    server: {
      strictPort: true,
      proxy: { "/api": api, "/dev/mailbox": api, "/mcp": api, "/verify": { target: api, bypass: onlyPosts } },
    },
  }),
});

/** `/verify` is a call only for POST; as a page it does not exist. */
function onlyPosts(request: { method?: string | undefined; url?: string | undefined }) {
  return request.method === "POST" ? undefined : request.url;
}

const GUARD = join(import.meta.dirname, "lib/stale-chunk.ts");
const FILES = /\/react-router\/dist\/\w+\/lib\/dom\/ssr\/(routeModules|routes)\.js$/;
const IMPORT = /\bimport\(\s*\/\* @vite-ignore \*\/\s*\/\* webpackIgnore: true \*\/\s*([\w.]+)\s*\)/g;
const RELOAD = /window\.location\.reload\(\);\s*return new Promise\(\(\) => \{\}\);/g;

/** How often each file contains the replaced code, so that a new version of React Router can't slip through. */
const EXPECTED: Readonly<Record<string, readonly [imports: number, reloads: number]>> = {
  routeModules: [1, 1],
  routes: [4, 0],
};

/**
 * React Router imports a page's chunks itself, and when one is missing it reloads the page: endlessly if the chunk
 * stays missing, and without navigating to the target. Its imports are routed through `lib/stale-chunk.ts` instead.
 */
function guardedImports(): Plugin {
  return {
    name: "checkline:guarded-imports",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "client",
    transform(code, id) {
      const file = FILES.exec(id)?.[1];
      if (file === undefined) return null;
      const found = [code.match(IMPORT)?.length ?? 0, code.match(RELOAD)?.length ?? 0];
      if (String(found) !== String(EXPECTED[file])) {
        this.error(`${file}.js of React Router is another one than vite.config.ts was written for.`);
      }
      const guarded = code.replace(IMPORT, "loadChunk($1)").replace(RELOAD, "throw error;");
      return { code: `import { loadChunk } from ${JSON.stringify(GUARD)};\n${guarded}`, map: null };
    },
  };
}
