// Writer of ZIP archives (APPNOTE 6.3), piece by piece as their content is made: nothing is held in memory but the list
// of entries, and compression runs on the system's threads. For archives below 4 GB.
import { pipeline, Readable } from "node:stream";
import { crc32, createDeflateRaw } from "node:zlib";

export type ZipEntry = { name: string; pieces: AsyncIterable<string> | Iterable<string> };

/** Bytes of an archive of these entries, which are read one after the other. */
export async function* zipped(entries: readonly ZipEntry[]): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, pieces } of entries) {
    const head = Buffer.concat([Buffer.from("PK\u0003\u0004"), versionAndFlags(), Buffer.alloc(12), ...named(name)]);
    yield head;
    const size = { crc: 0, bytes: 0, packedBytes: 0 };
    for await (const chunk of deflated(pieces, size)) {
      size.packedBytes += chunk.length;
      yield chunk;
    }
    const sizes = numbers(size.crc, size.packedBytes, size.bytes);
    yield Buffer.concat([Buffer.from("PK\u0007\u0008"), sizes]);
    directory.push(
      Buffer.concat([
        Buffer.from("PK\u0001\u0002\u0014\u0000"),
        versionAndFlags(),
        sizes,
        ...named(name, Buffer.concat([Buffer.alloc(10), numbers(offset)])),
      ]),
    );
    offset += head.length + size.packedBytes + 16;
  }
  const list = Buffer.concat(directory);
  const counts = Buffer.alloc(8);
  counts.writeUInt16LE(entries.length, 4);
  counts.writeUInt16LE(entries.length, 6);
  const end = Buffer.from("PK\u0005\u0006");
  yield Buffer.concat([list, end, counts, numbers(list.length, offset), Buffer.alloc(2)]);
}

/** Counts what goes in. A failure of the source ends the compression too, and a reader who leaves ends both. */
async function* deflated(pieces: ZipEntry["pieces"], size: { crc: number; bytes: number }): AsyncGenerator<Buffer> {
  async function* counted() {
    for await (const piece of pieces) {
      const chunk = Buffer.from(piece);
      size.crc = crc32(chunk, size.crc);
      size.bytes += chunk.length;
      yield chunk;
    }
  }
  // The error of either reaches whoever reads.
  yield* pipeline(Readable.from(counted()), createDeflateRaw(), () => {}) as AsyncIterable<Buffer>;
}

/** Needs version 2.0; sizes follow the content; names are UTF-8; deflated; made on 1 January 1980. */
function versionAndFlags(): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16LE(20, 0);
  head.writeUInt16LE(0x0808, 2);
  head.writeUInt16LE(8, 4);
  head.writeUInt16LE(0x21, 8);
  return head;
}

/** The lengths of a name and of no extra field, what stands between them, and the name. */
function named(name: string, between = Buffer.alloc(0)): Buffer[] {
  const bytes = Buffer.from(name);
  const lengths = Buffer.alloc(4);
  lengths.writeUInt16LE(bytes.length, 0);
  return [lengths, between, bytes];
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, 4 * i);
  return bytes;
}
