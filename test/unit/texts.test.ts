// Texts that people paste in and carry out: bulk lines, and CSV for spreadsheets.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseBulkLines } from "../../src/shared/bulk-lines.ts";
import { toCsv } from "../../src/shared/csv.ts";

describe("pasted bulk lines", () => {
  const short = (text: string) =>
    parseBulkLines(text).map(({ line, msisdn, quantity, problem }) => [line, msisdn, quantity, problem]);

  test("are one number per line, with a quantity after a comma that is 1 when left out", () => {
    expect(short("0541234567\n0241234567,3\n+233 20 123 4567 , 2")).toEqual([
      [1, "233541234567", 1, null],
      [2, "233241234567", 3, null],
      [3, "233201234567", 2, null],
    ]);
  });

  test("also come from a spreadsheet: tabs, semicolons, empty cells at the end, any line ends", () => {
    expect(short("0541234567\t2\r\n0241234567;3;;\r0201234567,,\n")).toEqual([
      [1, "233541234567", 2, null],
      [2, "233241234567", 3, null],
      [3, "233201234567", 1, "order.quantity_invalid"],
    ]);
  });

  test("keep their place in the text when empty ones are passed over", () => {
    expect(short("\n\n0541234567\n   \n\t\n0241234567\n").map(([line]) => line)).toEqual([3, 6]);
  });

  test("say what is wrong, the number first", () => {
    expect(
      short(
        "12345\n0541234567,0\n0541234567,101\n0541234567,1.5\n0541234567,-1\n0541234567,x\nx,0\n0541234567,1,2",
      ),
    ).toEqual([
      [1, null, 1, "msisdn.invalid"],
      [2, "233541234567", 1, "order.quantity_invalid"],
      [3, "233541234567", 1, "order.quantity_invalid"],
      [4, "233541234567", 1, "order.quantity_invalid"],
      [5, "233541234567", 1, "order.quantity_invalid"],
      [6, "233541234567", 1, "order.quantity_invalid"],
      [7, null, 1, "msisdn.invalid"],
      [8, "233541234567", 1, "order.quantity_invalid"],
    ]);
  });

  test("are answered one by one, whatever is pasted", () => {
    const anything = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc
        .array(fc.constantFrom("0541234567", "\n", "\r\n", ",", "2", " ", "\t", ";", "x", "\u2028"), {
          maxLength: 60,
        })
        .map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(anything, (text) => {
        const lines = parseBulkLines(text);
        const filled = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== "");
        expect(lines).toHaveLength(filled.length);
        for (const line of lines) {
          expect(
            line.problem === null ||
              line.problem === "msisdn.invalid" ||
              line.problem === "order.quantity_invalid",
          ).toBe(true);
          expect(line.quantity >= 1 && line.quantity <= 100).toBe(true);
          expect(line.problem === "msisdn.invalid").toBe(line.msisdn === null);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe("CSV", () => {
  test("puts quotes where a comma, a quote or a line end stands, and CRLF after each line", () => {
    expect(toCsv([["a", "b,c", 'say "hi"', "two\nlines", null, 3.9]])).toBe(
      'a,"b,c","say ""hi""","two\nlines",,3.9\r\n',
    );
    expect(toCsv([])).toBe("");
  });

  test("makes a cell harmless that a spreadsheet would run, and leaves amounts as they are", () => {
    for (const formula of [
      "=1+1",
      "+1+1",
      "-1+1",
      "@SUM(A1)",
      "\t=1",
      "\r=1",
      "=cmd|' /C calc'!A0",
      "-2+3+cmd|' /C calc'!A0",
    ]) {
      expect(toCsv([[formula]]).replace(/^"/, "")).toStartWith("'");
    }
    expect(toCsv([["-12.50", "-5", -5, "0541234567", "", "a=b"]])).toBe("-12.50,-5,-5,0541234567,,a=b\r\n");
  });

  test("can be read again: as many lines and cells as were written, whatever stands in them", () => {
    const cell = fc.string({ unit: "binary", maxLength: 20 });
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { maxLength: 5 }), (lines) => {
        const read = readCsv(toCsv(lines));
        expect(read).toHaveLength(lines.length);
        for (const [i, cells] of read.entries()) {
          expect(cells).toHaveLength(3);
          for (const [j, text] of cells.entries())
            expect([lines[i]![j]!, `'${lines[i]![j]!}`]).toContain(text);
        }
      }),
    );
  });

  /** A reader as RFC 4180 has it. */
  function readCsv(text: string): string[][] {
    const lines: string[][] = [];
    let cells: string[] = [];
    let at = 0;
    while (at < text.length) {
      const quoted = /^"((?:[^"]|"")*)"/.exec(text.slice(at));
      const bare = quoted ?? /^()[^,\r\n]*/.exec(text.slice(at))!;
      cells.push(quoted ? quoted[1]!.replaceAll('""', '"') : bare[0]);
      at += bare[0].length;
      if (text[at] === ",") at += 1;
      else {
        expect(text.slice(at, at + 2)).toBe("\r\n");
        at += 2;
        lines.push(cells);
        cells = [];
      }
    }
    return lines;
  }
});
