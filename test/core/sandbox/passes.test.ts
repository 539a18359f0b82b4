// Tests of what a live server says to its sandbox: only whoever has the secret can say it, for a minute.
import { expect, setSystemTime, test } from "bun:test";
import {
  forwardingStamp,
  leaverOf,
  leaversPass,
  originOf,
  ownerOf,
  ownersPass,
  passKeysOf,
} from "../../../src/core/sandbox/passes.ts";
import { TEST_JWT_SECRET } from "../../support/world.ts";

const keys = passKeysOf(TEST_JWT_SECRET);
const ama = { userId: 12, username: "ama" };
const origin = { address: "203.0.113.7", requestId: "7f3k2m9q" };

test("a pass says whose it is or who has left, and a stamp where a request came from", () => {
  expect(leaverOf(keys, leaversPass(keys, ama.userId))).toBe(ama.userId);
  expect(ownerOf(keys, ownersPass(keys, ama))).toEqual(ama);
  expect(originOf(keys, forwardingStamp(keys, origin))).toEqual(origin);
});

test("none is accepted in place of another", () => {
  expect(leaverOf(keys, ownersPass(keys, ama))).toBeNull();
  expect(ownerOf(keys, leaversPass(keys, ama.userId))).toBeNull();
  expect(ownerOf(keys, forwardingStamp(keys, origin))).toBeNull();
  expect(originOf(keys, ownersPass(keys, ama))).toBeNull();
});

test("one of another secret, one that was changed, one without a signature, and anything else are refused", () => {
  const pass = ownersPass(keys, ama);
  const [head, body, mac] = pass.split(".") as [string, string, string];
  const others = Buffer.from(JSON.stringify({ ...decoded(body), sub: "1" })).toString("base64url");
  const none = Buffer.from(JSON.stringify({ alg: "none", typ: "JWT" })).toString("base64url");
  const wrong = [
    ownersPass(passKeysOf("another secret that is long enough, too"), ama),
    `${head}.${others}.${mac}`,
    `${none}.${body}.`,
    `${none}.${body}.${mac}`,
    `${head}.${body}.`,
    `${head}.${body}`,
    `${pass}.more`,
    ...["", ".", "..", "dfk_test_abc", "x".repeat(5_000)],
  ];
  expect(wrong.map((text) => ownerOf(keys, text))).toEqual(wrong.map(() => null));
});

test("it ends after a minute, and half a minute more for clocks that differ", () => {
  const pass = ownersPass(keys, ama);
  try {
    setSystemTime(Date.now() + 85_000);
    expect(ownerOf(keys, pass)).toEqual(ama);
    setSystemTime(Date.now() + 10_000);
    expect(ownerOf(keys, pass)).toBeNull();
  } finally {
    setSystemTime();
  }
});

test("while a secret is being replaced, passes of both are accepted", () => {
  const both = passKeysOf("the secret that comes next, long enough", TEST_JWT_SECRET);
  expect(ownerOf(both, ownersPass(keys, ama))).toEqual(ama);
  expect(ownerOf(both, ownersPass(both, ama))).toEqual(ama);
  expect(ownerOf(keys, ownersPass(both, ama))).toBeNull();
});

function decoded(part: string): object {
  return JSON.parse(Buffer.from(part, "base64url").toString());
}
