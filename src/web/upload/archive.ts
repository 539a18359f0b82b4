// Reader of ZIP archives (APPNOTE 6.3), as workbooks are: parts are unpacked under a bound, so that a small file that
// would inflate to gigabytes costs no more than the bound. Sizes that the file declares are not trusted.
import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import { DAMAGED, LOCKED, TOO_LARGE, UnreadableFile } from "./unreadable.ts";

const PARTS_MAX = 5_000;
/** The longest end record of an archive, which has a comment of variable length (4.3.16). */
const END_BYTES_MAX = 65_557;

/**
 * Unpacks the parts of an archive whose names `wants` accepts, together up to `bytesMax`. Throws UnreadableFile for a
 * damaged or locked archive and beyond the bound.
 */
export async function unpackParts(
  bytes: Uint8Array,
  wants: (name: string) => boolean,
  bytesMax: number,
): Promise<Map<string, Buffer>> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const unpacked = new Map<string, Buffer>();
  let left = bytesMax;
  for (const [name, part] of guarded(() => partsOf(bytes, view))) {
    if (!wants(name)) continue;
    if (part.isLocked) throw new UnreadableFile(LOCKED);
    const content = await unpack(packedOf(bytes, view, part), part.method, left);
    left -= content.byteLength;
    unpacked.set(name, Buffer.from(content.buffer, content.byteOffset, content.byteLength));
  }
  return unpacked;
}

type Part = { method: number; isLocked: boolean; packedBytes: number; offset: number };

function partsOf(bytes: Uint8Array, view: DataView): Map<string, Part> {
  let end = bytes.length - 22;
  const first = Math.max(0, bytes.length - END_BYTES_MAX);
  while (end >= first && view.getUint32(end, true) !== 0x06054b50) end -= 1;
  if (end < first) throw new UnreadableFile(DAMAGED);
  const parts = new Map<string, Part>();
  let at = view.getUint32(end + 16, true);
  const count = Math.min(view.getUint16(end + 10, true), PARTS_MAX);
  for (let i = 0; i < count; i++) {
    if (view.getUint32(at, true) !== 0x02014b50) throw new UnreadableFile(DAMAGED);
    const nameBytes = view.getUint16(at + 28, true);
    parts.set(new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameBytes)), {
      isLocked: (view.getUint16(at + 8, true) & 1) === 1,
      method: view.getUint16(at + 10, true),
      packedBytes: view.getUint32(at + 20, true),
      offset: view.getUint32(at + 42, true),
    });
    at += 46 + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return parts;
}

function packedOf(bytes: Uint8Array, view: DataView, { offset, packedBytes }: Part): Uint8Array {
  return guarded(() => {
    const from = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
    if (from + packedBytes > bytes.length) throw new UnreadableFile(DAMAGED);
    return bytes.subarray(from, from + packedBytes);
  });
}

/** Offsets beyond the file are a RangeError of the view. */
function guarded<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw new UnreadableFile(DAMAGED);
    throw error;
  }
}

const inflate = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflateRaw);

/** Stops at the limit, so that a small file that would inflate to gigabytes costs no more than the limit. */
async function unpack(packed: Uint8Array, method: number, bytesMax: number): Promise<Uint8Array> {
  if (method === 0 && packed.byteLength <= bytesMax) return packed;
  if (method !== 8 || bytesMax < 1) throw new UnreadableFile(method === 0 ? TOO_LARGE : DAMAGED);
  try {
    return await inflate(packed, { maxOutputLength: bytesMax });
  } catch (error) {
    const isLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    throw new UnreadableFile(isLarge ? TOO_LARGE : DAMAGED);
  }
}
