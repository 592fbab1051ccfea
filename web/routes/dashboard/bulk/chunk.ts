import { MAX_BATCH_BODY_BYTES, MAX_BATCH_SIZE } from "../../../../contract/limits.ts";

/** Room for what stands around the numbers: their name, the country, the brackets. */
const AROUND_BYTES = 256;

function bytesOf(number: string): number {
  // The quotes, the comma and escaped characters are part of it.
  return new TextEncoder().encode(JSON.stringify(number)).length + 1;
}

/**
 * The first of the places whose numbers fit into one call: as many as `most`, and no more bytes than a batch may have. At least one.
 * @param places indexes into `numbers` that are still to be asked
 */
export function nextChunk(numbers: readonly string[], places: readonly number[], most = MAX_BATCH_SIZE): number[] {
  const chunk: number[] = [];
  let bytes = AROUND_BYTES;
  for (const place of places.slice(0, most)) {
    bytes += bytesOf(numbers[place] ?? "");
    if (chunk.length > 0 && bytes > MAX_BATCH_BODY_BYTES) break;
    chunk.push(place);
  }
  return chunk;
}
