import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Bindings } from "../../worker/env.ts";
import { getPlatformProxy, readRawConfig } from "./wrangler.ts";

/** The local bindings, without ledgers, which only a running worker has. */
export type LocalBindings = Omit<Bindings, "LEDGER">;

/**
 * Opens a configuration's local bindings, with what local runs have stored. Uses a copy of the configuration without
 * the Durable Object, since the runtime would complain about its missing code.
 * @param path the configuration
 */
export async function openLocalBindings(path: string): Promise<{ env: LocalBindings; dispose(): Promise<void> }> {
  const { rawConfig } = readRawConfig({ config: path });
  const { main: _, assets: __, rules: ___, durable_objects: ____, migrations: _____, env: ______, ...rest } = rawConfig;
  const folder = await mkdtemp(join(tmpdir(), "checkline-local-"));
  try {
    const configPath = join(folder, "wrangler.json");
    await writeFile(configPath, JSON.stringify(rest));
    const root = dirname(path);
    return await getPlatformProxy<LocalBindings & Record<string, unknown>>({
      configPath,
      envFiles: [join(root, ".dev.vars")],
      persist: { path: join(root, ".wrangler/state/v3") },
      remoteBindings: false,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
