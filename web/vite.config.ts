import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { guardedImports } from "./build-steps/guarded-imports.ts";
import { siteOrigin } from "./build-steps/site-origin.ts";
import { codeSamples } from "./plugins/code-sample.ts";

// Set by `npm run dev`, where the worker serves the API on a port of its own.
const api = process.env["API_ORIGIN"];

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), guardedImports(), codeSamples()],
  define: {
    "import.meta.env.PUBLIC_ORIGIN": JSON.stringify(siteOrigin()),
    "import.meta.env.OPERATOR": JSON.stringify(process.env["OPERATOR"] ?? ""),
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
