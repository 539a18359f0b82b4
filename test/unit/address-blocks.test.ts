// Addresses and blocks that API keys are held to, IPv4 and IPv6.
import { expect, test } from "bun:test";
import { isWithin, readBlock } from "../../src/core/platform/budgets/address-blocks.ts";

test("an address or a block is read in its plain form, and anything else is none", () => {
  for (const [typed, block] of [
    ["203.0.113.7", "203.0.113.7"],
    [" 203.0.113.0/24 ", "203.0.113.0/24"],
    ["2001:DB8::/32", "2001:db8::/32"],
    ["::1", "::1"],
    ["10.0.0.1/32", "10.0.0.1/32"],
  ] as const)
    expect(readBlock(typed)).toBe(block);
  const wrong = ["", "example.com", "203.0.113", "203.0.113.7/33", "203.0.113.7/0", "2001:db8::/129", "1.2.3.4/"];
  for (const typed of [...wrong, "1.2.3.4/24/8", "1.2.3.4/a", "fe80::1%eth0", "1.2.3.4/-1", "1.2.3.4/08"])
    expect([typed, readBlock(typed)]).toEqual([typed, null]);
});

test("an address is within a block of its own kind, also mapped to IPv6", () => {
  const blocks = ["203.0.113.7", "198.51.100.0/24", "2001:db8::/32"];
  for (const address of ["203.0.113.7", "198.51.100.1", "::ffff:198.51.100.1", "2001:db8:1::1", "2001:db8::1%eth0"])
    expect([address, isWithin(address, blocks)]).toEqual([address, true]);
  for (const address of ["203.0.113.8", "198.51.101.1", "::ffff:203.0.113.8", "2001:db9::1", "", "somewhere"])
    expect([address, isWithin(address, blocks)]).toEqual([address, false]);
  expect(isWithin("203.0.113.7", [])).toBe(false);
});
