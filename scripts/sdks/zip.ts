import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";

/**
 * A zip file without folders, with entries in the given order. Uncompressed and with the format's earliest time, so
 * that the same sources produce the same bytes for any zlib and time zone.
 */
export async function zip(entries: readonly { readonly name: string; readonly data: Buffer }[]): Promise<Buffer> {
  const file = new ZipFile();
  const options = { mtime: new Date(0), forceDosTimestamp: true, mode: 0o100644, compress: false };
  for (const { name, data } of entries) file.addBuffer(data, name, options);
  file.end();
  return buffer(file.outputStream);
}
