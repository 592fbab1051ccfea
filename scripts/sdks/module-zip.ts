import { crc32 } from "node:zlib";

interface Entry {
  readonly name: string;
  readonly data: Uint8Array;
}

const VERSION = 20;
/** Names are UTF-8. */
const FLAGS = 0x0800;
const LOCAL_HEADER = 0x04034b50;
const DIRECTORY_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;

function fields(...values: (readonly [size: 2 | 4, value: number])[]): Buffer {
  return Buffer.concat(
    values.map(([size, value]) => {
      const field = Buffer.alloc(size);
      field.writeUIntLE(value, 0, size);
      return field;
    }),
  );
}

/** What the local header and the directory both say of an entry: stored as it is, and without a time. */
function description({ name, data }: Entry): Buffer {
  const [method, time, date, extra] = [0, 0, 0, 0];
  return Buffer.concat([
    fields([2, VERSION], [2, FLAGS], [2, method], [2, time], [2, date]),
    fields([4, crc32(data)], [4, data.length], [4, data.length], [2, Buffer.byteLength(name)], [2, extra]),
  ]);
}

/**
 * A zip file of a Go module, in the form that `go help goproxy` describes: entries in the order given, no folders. Entries are not
 * compressed, so that the same sources are the same bytes whatever zlib is there.
 */
export function moduleZip(entries: readonly Entry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const local = Buffer.concat([fields([4, LOCAL_HEADER]), description(entry), name, entry.data]);
    const [comment, disk, internal, external] = [0, 0, 0, 0];
    directory.push(
      fields([4, DIRECTORY_HEADER], [2, VERSION]),
      description(entry),
      fields([2, comment], [2, disk], [2, internal], [4, external], [4, offset]),
      name,
    );
    parts.push(local);
    offset += local.length;
  }
  const size = directory.reduce((total, part) => total + part.length, 0);
  const count = entries.length;
  const end = fields([4, END_OF_DIRECTORY], [2, 0], [2, 0], [2, count], [2, count], [4, size], [4, offset], [2, 0]);
  return Buffer.concat([...parts, ...directory, end]);
}
