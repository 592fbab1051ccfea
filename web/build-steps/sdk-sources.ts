import { cp } from "node:fs/promises";
import { join } from "node:path";
import { SDK_PACKAGES } from "../../contract/sdks.ts";
import { sdkFiles } from "../../scripts/sdks/files.ts";
import { sdkFolder } from "../../scripts/sdks/toolchain.ts";

/** Puts the SDKs' sources among the site's files, for their pages to link to. */
export async function copySdkSources(client: string): Promise<void> {
  for (const { id } of SDK_PACKAGES) {
    for (const file of sdkFiles(id)) {
      await cp(join(sdkFolder(id), file), join(client, "sdks/source", id, file));
    }
  }
}
