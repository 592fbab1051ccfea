import { rename } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "@react-router/dev/config";
import { finishBuild } from "./build-steps.ts";
import { PATHS } from "./pages.ts";

export default {
  appDirectory: ".",
  // `npm run deploy` builds elsewhere, to leave what `npm start` serves alone.
  buildDirectory: process.env["SITE_BUILD_DIRECTORY"] ?? "build",
  ssr: false,
  prerender: [...PATHS],
  async buildEnd({ reactRouterConfig }) {
    const client = join(reactRouterConfig.buildDirectory, "client");
    // The fallback page renders any address, so it also serves unknown ones.
    await rename(join(client, "__spa-fallback.html"), join(client, "404.html"));
    await finishBuild(client);
  },
} satisfies Config;
