/** Each character's bytes in an encoding of one or two bytes. */
function bytesIn(label: string): Map<string, readonly number[]> {
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: false });
  const bytes = new Map<string, readonly number[]>();
  const add = (...units: number[]) => {
    try {
      const text = decoder.decode(Uint8Array.from(units));
      if ([...text].length === 1 && !bytes.has(text)) bytes.set(text, units);
    } catch {
      // No character has these bytes.
    }
  };
  for (let first = 0; first < 256; first++) add(first);
  for (let first = 128; first < 256; first++) for (let second = 0x40; second < 256; second++) add(first, second);
  return bytes;
}

/** A text in an encoding that TextEncoder lacks. @throws Error for a character that the encoding lacks */
export function encode(text: string, label: string): Uint8Array<ArrayBuffer> {
  const bytes = bytesIn(label);
  return Uint8Array.from(
    [...text].flatMap((character) => {
      const own = bytes.get(character);
      if (own === undefined) throw new Error(`${label} has no ${character}`);
      return own;
    }),
  );
}
