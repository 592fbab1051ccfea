import { rename } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: ".",
  ssr: false,
  prerender: ["/"],
  // The fallback page renders whatever address it is opened at, so it also serves as the answer to unknown ones.
  async buildEnd({ reactRouterConfig }) {
    const client = join(reactRouterConfig.buildDirectory, "client");
    await rename(join(client, "__spa-fallback.html"), join(client, "404.html"));
  },
} satisfies Config;
