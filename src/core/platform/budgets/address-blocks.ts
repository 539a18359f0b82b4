// Lists of network addresses and blocks of them (CIDR), IPv4 and IPv6, by which API keys and gateways are held to
// places.
import { BlockList, isIP } from "node:net";

const FAMILIES = { 4: { name: "ipv4", bits: 32 }, 6: { name: "ipv6", bits: 128 } } as const;

/** An address or a block as it is stored ("41.66.0.0/16"), or null for anything else. */
export function readBlock(text: string): string | null {
  const [address = "", bits, ...more] = text.trim().toLowerCase().split("/");
  const family = familyOf(address);
  if (!family || more.length > 0) return null;
  if (bits === undefined) return address;
  // A block of all addresses would look like a restriction, and be none.
  const isWhole = /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= family.bits;
  return isWhole ? `${address}/${bits}` : null;
}

/** A typed list as it is read, with blanks, commas or semicolons between; null when an entry is no address or block. */
export function readBlocks(text: string): string[] | null {
  const blocks = text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map(readBlock);
  return blocks.includes(null) ? null : (blocks as string[]);
}

/** Whether an address is in one of these blocks; an IPv4 address may arrive mapped to IPv6. */
export function isWithin(address: string, blocks: readonly string[]): boolean {
  const plain = address.replace(/%.*$/, "");
  const family = familyOf(plain);
  if (!family) return false;
  const list = new BlockList();
  for (const block of blocks) {
    const [start, bits] = block.split("/") as [string, string?];
    const { name } = familyOf(start)!;
    if (bits === undefined) list.addAddress(start, name);
    else list.addSubnet(start, Number(bits), name);
  }
  return list.check(plain, family.name);
}

/** Null for anything but an address, and for one with a zone, which only has a meaning on one machine. */
function familyOf(address: string) {
  const family = address.includes("%") ? 0 : isIP(address);
  return family === 0 ? null : FAMILIES[family as 4 | 6];
}
