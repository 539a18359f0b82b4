// Tests of the addresses that agents may have called. IANA's registries decide, in any notation of URLs and resolvers.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isPublic, isThisMachine } from "../../src/gateways/addresses.ts";
import { createHookSender } from "../../src/gateways/webhooks.ts";

const REFUSED = {
  unspecified: ["0.0.0.0", "0.1.2.3", "::"],
  loopback: ["127.0.0.1", "127.255.255.254", "::1"],
  private: ["10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.255"],
  "link-local, where clouds tell secrets": ["169.254.169.254", "169.254.0.1", "fe80::1", "febf::1"],
  "an address with a zone": ["fe80::1%eth0", "2606:4700::1%eth0", "127.0.0.1%lo"],
  "shared by a carrier (CGNAT)": ["100.64.0.1", "100.127.255.255"],
  multicast: ["224.0.0.1", "239.255.255.255", "ff02::1", "ff0e::1"],
  "broadcast and reserved": [
    "255.255.255.255",
    "240.0.0.1",
    "192.0.0.1",
    "192.0.0.170",
    "198.18.0.1",
    "198.19.255.255",
  ],
  documentation: ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"],
  "IPv4 inside of IPv6, mapped or compatible": ["::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:8.8.8.8", "::7f00:1"],
  "IPv4 behind a translation (NAT64)": ["64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::1"],
  "6to4 and Teredo": ["2002:7f00:1::1", "2002:a00:1::", "2001:0:7f00:1::1", "192.88.99.1"],
  "unique local": ["fc00::1", "fdff::1"],
  "old site-local, discard, segment routing": ["fec0::1", "100::1", "5f00::1"],
  "not an address": ["", "localhost", "1.2.3", "0x7f000001", "2130706433", "0177.0.0.1", "[::1]", "8.8.8.8 "],
};
const TAKEN = [
  "8.8.8.8",
  "1.1.1.1",
  "11.0.0.1",
  "100.63.255.255",
  "100.128.0.1",
  "172.15.0.1",
  "172.32.0.1",
  "192.169.0.1",
];
const TAKEN_V6 = ["2606:4700::1111", "2a00:1450::8a", "2001:4860:4860::8888", "2c0f:fb50::1"];

for (const [range, addresses] of Object.entries(REFUSED))
  test(`${range} is not the public network`, () => {
    expect(addresses.filter(isPublic)).toEqual([]);
  });

test("the addresses between and beside them are public", () => {
  expect([...TAKEN, ...TAKEN_V6].filter((address) => !isPublic(address))).toEqual([]);
});

test("the local computer is 127.0.0.0/8 and ::1, and nothing else", () => {
  expect(["127.0.0.1", "127.9.9.9", "::1"].every(isThisMachine)).toBe(true);
  expect(["10.0.0.1", "0.0.0.0", "::", "::ffff:10.0.0.1", "128.0.0.1", "localhost", "::1%lo"].some(isThisMachine)).toBe(
    false,
  );
});

test("no IPv4 address is public in an IPv6 notation and not in its own", () => {
  fc.assert(
    fc.property(fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)), ([a, b, c, d]) => {
      const hex = [a * 256 + b, c * 256 + d].map((part) => part.toString(16)).join(":");
      for (const spelling of [`::ffff:${hex}`, `::${hex}`, `64:ff9b::${hex}`, `2002:${hex}::`])
        expect(isPublic(spelling)).toBe(false);
    }),
  );
});

describe("an address that a developer enters", () => {
  const named: string[] = [];
  const resolve = async (name: string) => {
    named.push(name);
    if (/^[\d.]+$|:/.test(name)) return [name];
    const known: Record<string, string[]> = {
      "good.example": ["93.184.215.14", "2606:4700::1111"],
      "inside.example": ["10.0.0.7"],
      "both.example": ["93.184.215.14", "127.0.0.1"],
      "mapped.example": ["::ffff:169.254.169.254"],
      "xn--e1afmkfd.example": ["93.184.215.14"],
      "localhost.": ["127.0.0.1"],
      localhost: ["127.0.0.1"],
    };
    return known[name] ?? [];
  };
  const strict = createHookSender({ isDevelopment: false, reachesThisMachine: false, resolve });

  test("is https on the public network, at port 443, in any notation", async () => {
    for (const url of [
      "https://good.example",
      "https://good.example:443/hooks?from=datafie",
      "HTTPS://GOOD.example/",
      "https://8.8.8.8/",
      "https://[2606:4700::1111]/",
      "https://пример.example/",
      "https://good\u3002example/",
    ])
      expect([url, await strict.problemOf(url)]).toEqual([url, null]);
    expect(named).toContain("xn--e1afmkfd.example");
  });

  test.each([
    ["http://good.example/", "https://"],
    ["ftp://good.example/", "https://"],
    ["file:///etc/passwd", "https://"],
    ["javascript:alert(1)", "https://"],
    ["good.example", "Enter an address"],
    ["", "Enter an address"],
    ["https://", "Enter an address"],
    ["https://a b.example/", "Enter an address"],
    ["https://[fe80::1%25eth0]/", "Enter an address"],
    ["https://name@good.example/", "password"],
    ["https://name:word@good.example/", "password"],
    ["https://good.example:80/", "443"],
    ["https://good.example:8443/", "443"],
    ["https://good.example:22/", "443"],
    ["https://nobody.example/", "No server"],
    ["https://localhost/", "public internet"],
    ["https://localhost./", "public internet"],
    ["https://127.0.0.1/", "public internet"],
    ["https://127.0.0.1./", "public internet"],
    ["https://127.1/", "public internet"],
    ["https://2130706433/", "public internet"],
    ["https://0x7f.1/", "public internet"],
    ["https://0177.0.0.1/", "public internet"],
    ["https://\uff11\uff12\uff17.0.0.1/", "public internet"],
    ["https://0/", "public internet"],
    ["https://169.254.169.254/latest/meta-data/", "public internet"],
    ["https://[::1]/", "public internet"],
    ["https://[::]/", "public internet"],
    ["https://[::ffff:127.0.0.1]/", "public internet"],
    ["https://[64:ff9b::7f00:1]/", "public internet"],
    ["https://[fd00::1]/", "public internet"],
    ["https://inside.example/", "public internet"],
    ["https://both.example/", "public internet"],
    ["https://mapped.example/", "public internet"],
  ])("%s is refused in production", async (url, message) => {
    expect(await strict.problemOf(url)).toContain(message);
    // It is checked again at each call, whatever the earlier result.
    expect((await strict.post({ url, headers: {}, body: "{}" })).kind).not.toBe("answered");
  });

  test("has at most five hundred characters", async () => {
    expect(await strict.problemOf(`https://good.example/${"x".repeat(479)}`)).toBeNull();
    expect(await strict.problemOf(`https://good.example/${"x".repeat(480)}`)).toContain("500");
  });

  test("may be http on any port in development, and on the same computer if that is enabled", async () => {
    const local = createHookSender({ isDevelopment: true, reachesThisMachine: true, resolve });
    const plain = createHookSender({ isDevelopment: true, reachesThisMachine: false, resolve });
    const problems = async (url: string) => [await plain.problemOf(url), await local.problemOf(url)];
    expect(await problems("http://good.example/")).toEqual([null, null]);
    expect(await problems("http://good.example:8080/")).toEqual([null, null]);
    expect(await problems("http://localhost:3000/")).toEqual([expect.stringContaining("public internet"), null]);
    expect(await problems("http://[::1]:3000/")).toEqual([expect.stringContaining("public internet"), null]);
    for (const url of ["http://inside.example/", "http://169.254.169.254/", "http://[fd00::1]/", "http://0.0.0.0/"])
      expect((await problems(url)).every((problem) => problem?.includes("public internet"))).toBe(true);
    expect(await local.problemOf("http://localhost:25/")).toContain("port 80");
  });
});
