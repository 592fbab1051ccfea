import { rename } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "@react-router/dev/config";
import { finishBuild } from "./build-steps.ts";
import { PAGES } from "./pages.ts";

export default {
  appDirectory: ".",
  // `npm run deploy` builds elsewhere, to leave alone what `npm start` serves.
  buildDirectory: process.env["SITE_BUILD_DIRECTORY"] ?? "build",
  ssr: false,
  prerender: PAGES.map((page) => page.path),
  async buildEnd({ reactRouterConfig }) {
    const client = join(reactRouterConfig.buildDirectory, "client");
    // The fallback page renders whatever address it is opened at, so it also serves as the response to unknown ones.
    await rename(join(client, "__spa-fallback.html"), join(client, "404.html"));
    await finishBuild(client);
  },
} satisfies Config;
