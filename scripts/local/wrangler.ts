import { createRequire } from "node:module";
import type * as Wrangler from "wrangler";

// An import would first parse all of its 12 MB to find that it isn't an ES module.
const wrangler = createRequire(import.meta.url)("wrangler") as typeof Wrangler;

export const { experimental_readRawConfig: readRawConfig, getPlatformProxy, unstable_DevEnv: DevEnv } = wrangler;
