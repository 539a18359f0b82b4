// Reading of customers from a pasted list: number and name in any order and notation, in a time that grows with the
// text.
import { expect, test } from "bun:test";
import { CONTACT_LINES_MAX, parseContacts } from "../../src/web/upload/contact-lines.ts";
import { processorMs } from "../support/processor.ts";

const KWAME = { msisdn: "233241234567", name: "Kwame" };

test("a line has a name and a number in any order, with any separator", () => {
  for (const line of [
    "Kwame, 0241234567",
    "0241234567,Kwame",
    "0241234567\tKwame\tAccra",
    "Kwame;+233 24 123 4567",
    "Kwame: 024-123-4567",
    '"Kwame","0241234567"',
    "  Kwame   024 123 4567 ",
    "1\tKwame\t0241234567",
    "\u200eKwame \u2013 0241234567\u202c",
  ])
    expect([line, parseContacts(line)]).toEqual([line, { people: [KWAME], unreadable: 0 }]);
});

test("names keep their accents, spaces and apostrophes, and are cut to what fits", () => {
  const text = `Nana Akua O'Brien, 0241234567\nKɔfi Ŋ. 0201234567\n${"x".repeat(80)} 0261234567`;
  expect(parseContacts(text)?.people.map(({ name }) => name)).toEqual(["Nana Akua O'Brien", "Kɔfi Ŋ", "x".repeat(60)]);
});

test("no name ends in half a character or holds a NUL, wherever it is cut", () => {
  const [person] = parseContacts(`${"x".repeat(59)}\u{1f600}\u{1f600} 0241234567`)!.people;
  expect(person!.name).toBe(`${"x".repeat(59)}\u{1f600}`);
  for (let pad = 250; pad < 310; pad++) {
    const text = `0241234567,${" ".repeat(pad)}K\0wame${"\u{1f600}".repeat(40)}`;
    for (const { name } of parseContacts(text)!.people)
      expect([name.isWellFormed(), name.includes("\0")]).toEqual([true, false]);
  }
});

test("a line without a name or without a Ghanaian number is counted, a heading is not", () => {
  expect(parseContacts("Name, Phone\n0241234567\nKwame 12345\n\nKwame,0241234567\r\n")).toEqual({
    people: [KWAME],
    unreadable: 2,
  });
});

test("more lines than one import may have are none", () => {
  const lines = (count: number) => Array.from({ length: count }, () => "Kwame 0241234567").join("\n");
  expect(parseContacts(lines(CONTACT_LINES_MAX))?.people).toHaveLength(CONTACT_LINES_MAX);
  expect(parseContacts(lines(CONTACT_LINES_MAX + 1))).toBeNull();
});

test("two megabytes of any kind are read in a moment", async () => {
  const size = 2_000_000;
  const units = ["0", "0 ", "0241234567", "(", "a", "0241234567\n", "-.-", "\n"];
  const tookMs = await processorMs(() => {
    for (const unit of units) parseContacts(unit.repeat(size / unit.length));
  });
  expect(tookMs).toBeLessThan(2_000);
});
