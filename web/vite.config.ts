import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { guardedImports } from "./build-steps/guarded-imports.ts";
import { siteOrigin } from "./build-steps/site-origin.ts";
import { codeSamples } from "./plugins/code-sample.ts";
import { docsPages } from "./plugins/docs/docs-plugin.ts";
import { endpointStubs } from "./plugins/endpoints.ts";
import { sdkSources } from "./plugins/sdk-sources.ts";

// Set by `npm run dev`, where the worker serves the API on a port of its own.
const api = process.env["API_ORIGIN"];

/** Icons and small parts that several pages share: each would be a file of a few hundred bytes. They come as one. */
const SMALL_PARTS = new RegExp(
  [
    "lucide-react",
    "components/(brand|site)/",
    "components/ui/(button|link|badge|card|segmented|tabs|code-block|copy-button|drawn-check|skeleton)[.]tsx",
    "contract/sdks[.]ts",
    "content/(contact|retention|promises)[.]ts",
    "lib/(arrow-keys|copy|format|language|mode|origin|page-meta|save-file|site-origin|store|theme|toast)[.]ts",
  ].join("|"),
);

/** The same for what several pages of the docs are made of. */
const DOC_PARTS =
  /routes\/docs\/components\/(callout|checklist|code-fence|contact|elements|field-table|steps|use-ticks|words)[.]tsx?$|lib\/doc-handle[.]ts$/;

export default defineConfig({
  plugins: [tailwindcss(), docsPages(), reactRouter(), guardedImports(), endpointStubs(), codeSamples(), sdkSources()],
  define: {
    "import.meta.env.PUBLIC_ORIGIN": JSON.stringify(siteOrigin()),
    "import.meta.env.OPERATOR": JSON.stringify(process.env["OPERATOR"] ?? ""),
  },
  build: {
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "parts", test: SMALL_PARTS, minShareCount: 2 },
            { name: "doc-parts", test: DOC_PARTS, minShareCount: 2 },
            { name: "api", test: /lib\/api\/(failure|rate-limit|send)[.]ts$/, minShareCount: 2 },
          ],
        },
      },
    },
  },
  ...(api && {
    server: {
      strictPort: true,
      proxy: { "/api": api, "/dev/mailbox": api, "/verify": { target: api, bypass: onlyPosts } },
    },
  }),
});

/** `/verify` is a call only when posted; as a page it is not there. */
function onlyPosts(request: { method?: string | undefined; url?: string | undefined }) {
  return request.method === "POST" ? undefined : request.url;
}
