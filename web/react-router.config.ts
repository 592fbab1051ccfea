import { rename } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "@react-router/dev/config";
import { finishBuild } from "./build-steps.ts";
import { PAGES } from "./pages.ts";

export default {
  appDirectory: ".",
  // Deploying builds elsewhere, so a running `npm start` keeps its site. It must be below web/, where imports resolve and old files are emptied.
  buildDirectory: process.env["CHECKLINE_BUILD_DIRECTORY"] ?? "build",
  ssr: false,
  prerender: PAGES.map((page) => page.path),
  async buildEnd({ reactRouterConfig }) {
    const client = join(reactRouterConfig.buildDirectory, "client");
    // The fallback page renders whatever address it is opened at, so it also serves as the answer to unknown ones.
    await rename(join(client, "__spa-fallback.html"), join(client, "404.html"));
    await finishBuild(client);
  },
} satisfies Config;
