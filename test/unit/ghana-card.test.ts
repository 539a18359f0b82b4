// Tests of Ghana Card numbers: parsed in any notation, masked where shown, encrypted where stored.
import { describe, expect, test } from "bun:test";
import { openSafe } from "../../src/core/afa/card-safe.ts";
import { containsCard, lastFour, maskCards, maskedCard, parseGhanaCard } from "../../src/shared/ghana-card.ts";

const CARD = "GHA-123456789-0";

test("a card number is read in any notation, and nothing else is read as one", () => {
  for (const typed of [CARD, "gha-123456789-0", " GHA 123456789 0 ", "GHA1234567890", "GHA–123456789–0"])
    expect([typed, parseGhanaCard(typed)]).toEqual([typed, CARD]);
  for (const typed of [
    "",
    "GHA",
    "123456789-0",
    "0541234567",
    "GHA-12345678-0",
    "GHA-1234567890-1",
    "GHA-123456789-X",
    "GHA-１２３４５６７８９-0",
    "NGA-123456789-0",
    `${CARD} ${CARD}`,
  ])
    expect([typed, parseGhanaCard(typed)]).toEqual([typed, null]);
});

test("a card is shown by its last digits, and cards in texts are masked", () => {
  expect(lastFour(CARD)).toBe("7890");
  expect(maskedCard("7890")).toBe("GHA-••••••789-0");
  expect(containsCard("his card is gha 1234567890")).toBe(true);
  expect(containsCard("Ghana, house 123456789")).toBe(false);
  expect(maskCards("gha-1234567890 is not GHA-987654321-1")).toBe(
    "GHA-••••••789-0 is not GHA-••••••432-1".replace("432", "321"),
  );
});

describe("an encrypted card number", () => {
  const [old, now] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  const safe = openSafe(old);

  test("reveals nothing, differs each time, and can be decrypted for its own order only", () => {
    const [one, two] = [safe.seal(CARD, 7), safe.seal(CARD, 7)];
    expect(one).not.toBe(two);
    expect(Buffer.from(one.split(".").at(-1)!, "base64url").toString("latin1")).not.toContain("123456789");
    expect([safe.open(one, 7), safe.open(two, 7)]).toEqual([CARD, CARD]);
    expect(() => safe.open(one, 8)).toThrow();
  });

  test("that was changed by one bit cannot be decrypted", () => {
    const sealed = safe.seal(CARD, 7);
    const [version, key, text] = sealed.split(".") as [string, string, string];
    const bytes = Buffer.from(text, "base64url");
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes);
      changed[i]! ^= 1;
      expect(() => safe.open(`${version}.${key}.${changed.toString("base64url")}`, 7)).toThrow();
    }
    expect(() => safe.open(`${version}.${key}.${text.slice(0, 30)}`, 7)).toThrow();
  });

  test("is found by its digest, which depends on the key, and names its key", () => {
    expect(safe.digests(CARD)).toEqual(openSafe(old).digests(CARD));
    expect(safe.digests(CARD)[0]).not.toBe(safe.digests("GHA-123456780-0")[0]);
    const rotated = openSafe(now, old);
    expect(rotated.digests(CARD)).toEqual([openSafe(now).digests(CARD)[0], safe.digests(CARD)[0]]);
    expect(rotated.open(safe.seal(CARD, 7), 7)).toBe(CARD);
    expect(() => openSafe(now).open(safe.seal(CARD, 7), 7)).toThrow("an unknown key");
    expect(rotated.seal(CARD, 7).startsWith(rotated.prefixes[0])).toBe(true);
  });
});
