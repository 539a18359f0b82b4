// Tests of exported texts: CSV for spreadsheets.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { toCsv } from "../../src/shared/lists/csv.ts";

describe("CSV", () => {
  test("quotes cells with a comma, a quote or a line end, and ends each line with CRLF", () => {
    expect(toCsv([["a", "b,c", 'say "hi"', "two\nlines", null, 3.9]])).toBe(
      'a,"b,c","say ""hi""","two\nlines",,3.9\r\n',
    );
    expect(toCsv([])).toBe("");
  });

  test("neutralises cells that a spreadsheet would run, and leaves amounts unchanged", () => {
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

  test("can be parsed into the same lines and cells, whatever they contain", () => {
    const cell = fc.string({ unit: "binary", maxLength: 20 });
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { maxLength: 5 }), (lines) => {
        const read = readCsv(toCsv(lines));
        expect(read).toHaveLength(lines.length);
        for (const [i, cells] of read.entries()) {
          expect(cells).toHaveLength(3);
          for (const [j, text] of cells.entries()) expect([lines[i]![j]!, `'${lines[i]![j]!}`]).toContain(text);
        }
      }),
    );
  });

  /** A parser after RFC 4180. */
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
