// Tests of secrets that a shop is not given: in production a key for Ghana Cards is derived, and gives way to its own.
import { expect, test } from "bun:test";
import { readConfig } from "../../src/app/config.ts";
import { cardSafeOf } from "../../src/app/default-secrets.ts";

const three = {
  NODE_ENV: "production",
  DATABASE_URL: "postgres://shop@db.internal/shop",
  JWT_SECRET: "gT7-wq0P3kz9fVbL1mXc5RyN8uAe2HsD",
  BASE_URL: "https://shop.datafie.com",
};
const safe = (own: Record<string, string> = {}) => cardSafeOf(readConfig({ ...three, ...own }));
const CARD = "GHA-123456789-0";

test("a shop without a card key reads its cards after a restart, and under a new secret beside the old", () => {
  const sealed = safe().seal(CARD, 7);
  expect(safe().open(sealed, 7)).toBe(CARD);
  const renewed = { JWT_SECRET: "another secret of thirty-two letters", JWT_PREVIOUS_SECRET: three.JWT_SECRET };
  expect(safe(renewed).open(sealed, 7)).toBe(CARD);
});

test("a card key that is set later reads what was encrypted before, and encrypts what comes", () => {
  const before = safe().seal(CARD, 7);
  const own = safe({ CARD_KEY: "q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k=" });
  expect(own.open(before, 7)).toBe(CARD);
  expect(() => safe().open(own.seal(CARD, 7), 7)).toThrow();
});
