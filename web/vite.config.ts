import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";

// Set by `npm run dev`, where the worker serves the API on a port of its own.
const api = process.env["API_ORIGIN"];

export default defineConfig({
  plugins: [reactRouter()],
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
