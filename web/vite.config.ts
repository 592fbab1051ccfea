import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { siteOrigin } from "./build-steps.ts";
import { codeSamples } from "./plugins/code-sample.ts";
import { docsPages } from "./plugins/docs/docs-plugin.ts";
import { endpointStubs } from "./plugins/endpoints.ts";
import { sdkSources } from "./plugins/sdk-sources.ts";

// Set by `npm run dev`, where the worker serves the API on a separate port.
const api = process.env["API_ORIGIN"];

/**
 * The scripts that pages share, so that a page loads tens of files instead of a hundred. A page loads a group whole: the
 * first two are on every page, and `common` is what about a quarter of the routes use.
 */
const GROUPS = [
  { name: "react", test: /node_modules[\\/](?:react|scheduler)/ },
  { name: "root", test: /web[\\/](?:root|entry\.client)\.tsx/ },
  { name: "common", minShareCount: 14 },
  { name: "anatomy", test: /components[\\/]anatomy/ },
];

export default defineConfig({
  plugins: [tailwindcss(), docsPages(), reactRouter(), endpointStubs(), codeSamples(), sdkSources()],
  define: {
    "import.meta.env.PUBLIC_ORIGIN": JSON.stringify(siteOrigin()),
  },
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups: GROUPS } } } } } },
  // The bulk check's worker, which loads its workbook reader on demand.
  worker: { format: "es" },
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
