// Network addresses as rate limits count them: an IPv6 customer holds a whole /64, and an IPv4 address may arrive
// mapped to IPv6.
import { isIP } from "node:net";

/** The network that limits count: IPv4 unchanged, IPv6 as its /64 ("2001:db8:1:1::/64"), anything else unchanged. */
export function networkOf(address: string): string {
  const plain = address
    .trim()
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/%.*$/, "");
  if (isIP(plain) !== 6) return plain.slice(0, LETTERS_MAX);
  const groups = groupsOf(plain);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join(".");
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}

/** The wider network of an address, where one attacker may hold several: IPv4 as its /24, IPv6 as its /64. */
export function neighbourhoodOf(address: string): string {
  const network = networkOf(address);
  return isIP(network) === 4 ? network.replace(/\d+$/, "0/24") : network;
}

const LETTERS_MAX = 64;

/** The eight groups of a valid IPv6 address, in any of its notations. */
function groupsOf(address: string): number[] {
  const inHex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a, b, c, d] = bytes.map(Number) as [number, number, number, number];
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [head, tail] = inHex.split("::").map((half) => (half === "" ? [] : half.split(":")));
  const zeros = tail === undefined ? [] : Array<string>(8 - head!.length - tail.length).fill("0");
  return [...head!, ...zeros, ...(tail ?? [])].map((group) => Number.parseInt(group, 16));
}
