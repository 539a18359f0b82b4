// Tests of time-based codes against the published vectors.
import { expect, test } from "bun:test";
import fc from "fast-check";
import * as totp from "../../src/core/identity/logins/totp.ts";

const SECRET = new TextEncoder().encode("12345678901234567890");

test("codes match RFC 6238, appendix B, for SHA-1", () => {
  for (const [seconds, code] of [
    [59, "94287082"],
    [1_111_111_109, "07081804"],
    [1_111_111_111, "14050471"],
    [1_234_567_890, "89005924"],
    [2_000_000_000, "69279037"],
    [20_000_000_000, "65353130"],
  ] as const)
    expect([seconds, totp.codeOf(SECRET, totp.stepAt(seconds), 8)]).toEqual([seconds, code]);
});

test("codes match RFC 4226, appendix D", () => {
  const codes = Array.from({ length: 10 }, (_, step) => totp.codeOf(SECRET, step));
  expect(codes.join(" ")).toBe("755224 287082 359152 969429 338314 254676 287922 162583 399871 520489");
});

test("a code is valid in its own thirty seconds and in the adjacent steps only", () => {
  const seconds = 1_234_567_890;
  const now = totp.stepAt(seconds);
  const found = [-3, -2, -1, 0, 1, 2, 3].map((off) =>
    totp.matchingStep(SECRET, totp.codeOf(SECRET, now + off), { seconds, lastStep: 0 }),
  );
  expect(found).toEqual([null, null, now - 1, now, now + 1, null, null]);
});

test("a code of the last used step, or of an earlier one, is not valid", () => {
  const seconds = 1_234_567_890;
  const now = totp.stepAt(seconds);
  const at = (off: number, lastStep: number) =>
    totp.matchingStep(SECRET, totp.codeOf(SECRET, now + off), { seconds, lastStep });
  expect([at(0, now), at(-1, now), at(1, now), at(-1, now - 1)]).toEqual([null, null, now + 1, null]);
});

test("anything but a code of six digits matches nothing", () => {
  for (const code of ["", "1", "1234567", "abcdef", "٠٠٠٠٠٠", "\u0000".repeat(6)])
    expect(totp.matchingStep(SECRET, code, { seconds: 59, lastStep: 0 })).toBeNull();
});

test("base32 follows RFC 4648, and is decoded to the same bytes", () => {
  const encode = (text: string) => totp.toBase32(new TextEncoder().encode(text));
  expect(["f", "fo", "foo", "foob", "fooba", "foobar"].map(encode)).toEqual([
    "MY",
    "MZXQ",
    "MZXW6",
    "MZXW6YQ",
    "MZXW6YTB",
    "MZXW6YTBOI",
  ]);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      expect(totp.fromBase32(totp.toBase32(bytes))).toEqual(bytes);
    }),
  );
});

test("the address for the app has shop, account and secret, whatever the account's name", () => {
  const uri = new URL(totp.uriOf("MZXW6YTBOI", "ama+1@example.com?secret=x&issuer=y"));
  expect([uri.protocol, uri.searchParams.get("secret"), uri.searchParams.get("issuer")]).toEqual([
    "otpauth:",
    "MZXW6YTBOI",
    "DataFie",
  ]);
});
