// Tests of a batch's results as portals and people write them. Unclear lines are reported as problems.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseResults } from "../../src/shared/result-lines.ts";

const one = (text: string) => parseResults(text).lines[0];

describe("a line of results", () => {
  test("is a number and a status, in whatever order and between commas, semicolons or tabs", () => {
    const expected = {
      line: 1,
      msisdn: "233541234567",
      volumeMb: null,
      outcome: "delivered",
      message: null,
    } as const;
    for (const text of [
      "0541234567,delivered",
      "Success;+233 54 123 4567",
      "0541234567\tCOMPLETED",
      '"0541234567","ok"',
    ])
      expect(one(text)).toEqual(expected);
  });
  test("may name the size and say why it failed", () => {
    expect(one("MTN,0541234567,5,Failed,Turbonet SIM, not served")).toEqual({
      line: 1,
      msisdn: "233541234567",
      volumeMb: 5000,
      outcome: "failed",
      message: "Turbonet SIM, not served",
    });
    expect(one("0541234567,1.5GB,done")?.volumeMb).toBe(1500);
    expect(one("0541234567,500 MB,done")?.volumeMb).toBe(500);
  });
  test("that says nothing clear is a problem, and so is one without a number", () => {
    const { lines, problems } = parseResults(
      "NUMBER,STATUS\n0541234567,perhaps\n\nhello 12,delivered\n0541234567,5",
    );
    const unclear = { message: "say delivered, failed or pending", isUnclear: true };
    expect(lines).toEqual([]);
    expect(problems).toEqual([
      { line: 2, ...unclear },
      { line: 4, message: "there is no phone number in it", isUnclear: false },
      { line: 5, ...unclear },
    ]);
  });
  test("may say that nobody knows yet; what is final counts more than how it was on the way", () => {
    const said = [
      "Pending",
      "processing",
      "In progress",
      "On Hold",
      "queued",
      "sent",
      "Unknown",
      "Not yet sent",
    ];
    for (const words of said) expect(one(`0541234567,${words}`)?.outcome).toBe("pending");
    expect(one("0541234567,sent,Delivered")?.outcome).toBe("delivered");
    expect(one("0541234567,Accepted,1,Failed")?.outcome).toBe("failed");
  });
  test("whatever is pasted, every line with something in it is understood, a heading, or a problem", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 30 })), (rows) => {
        const text = rows.join("\n");
        const { lines, problems } = parseResults(text);
        const places = [...lines, ...problems].map(({ line }) => line);
        expect(new Set(places).size).toBe(places.length);
        const filled = text.split(/\r\n|\r|\n/).filter((row, i) => i > 0 && /[^,;\t\s"']/.test(row)).length;
        expect(places.filter((line) => line > 1).length).toBeGreaterThanOrEqual(Math.min(filled, filled));
      }),
    );
  });
});
