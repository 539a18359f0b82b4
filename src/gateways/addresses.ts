// Classification of IP addresses: public, or belonging to this machine or its own network. Before a server calls an
// address that a stranger named, it must be checked here, by what the name resolved to and not by the name.
import { BlockList, isIP } from "node:net";

/** IANA IPv4 Special-Purpose Address Registry, plus multicast (224/4) and the reserved block (240/4). */
const SPECIAL_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];
/**
 * Only 2000::/3 of IPv6 is assigned (IANA IPv6 Global Unicast Address Assignments), and within it these are special.
 * Addresses that embed an IPv4 address (mapped, NAT64, 6to4, Teredo) are outside it or among these.
 */
const GLOBAL_IPV6 = "2000::/3";
const SPECIAL_IPV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"];

const special = listOf([...SPECIAL_IPV4, ...SPECIAL_IPV6]);
const global = listOf([GLOBAL_IPV6]);
const thisMachine = listOf(["127.0.0.0/8", "::1/128"]);

/** Whether a resolved address is public. Anything that is not a plain address is not. */
export function isPublic(address: string): boolean {
  const family = familyOf(address);
  if (!family || special.check(address, family)) return false;
  return family === "ipv4" || global.check(address, family);
}

/** Whether an address is this machine's own (127.0.0.0/8, ::1). */
export function isThisMachine(address: string): boolean {
  const family = familyOf(address);
  return family !== null && thisMachine.check(address, family);
}

/** Null for anything but an address, and for one with a zone, which only has a meaning on one machine. */
function familyOf(address: string): "ipv4" | "ipv6" | null {
  if (address.includes("%")) return null;
  return ({ 4: "ipv4", 6: "ipv6" } as const)[isIP(address)] ?? null;
}

function listOf(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address, bits] = subnet.split("/") as [string, string];
    list.addSubnet(address, Number(bits), familyOf(address)!);
  }
  return list;
}
