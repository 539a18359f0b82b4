// Tests of a batch's results as portals and people write them: unclear lines are reported as problems.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseResults } from "../../src/shared/result-lines.ts";

const one = (text: string) => parseResults(text).lines[0];

describe("a line of results", () => {
  test("is a number and a status, in any order, separated by commas, semicolons or tabs", () => {
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
  test("can name the size, and the reason of a failure", () => {
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
  test("without a clear status, or without a number, is a problem", () => {
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
  test("can be pending; a final status counts more than an intermediate one", () => {
    const pending = [
      "Pending",
      "processing",
      "In progress",
      "On Hold",
      "queued",
      "sent",
      "Unknown",
      "Not yet sent",
    ];
    for (const status of pending) expect(one(`0541234567,${status}`)?.outcome).toBe("pending");
    expect(one("0541234567,sent,Delivered")?.outcome).toBe("delivered");
    expect(one("0541234567,Accepted,1,Failed")?.outcome).toBe("failed");
  });
  test("is a result, a heading, or a problem, whatever is pasted", () => {
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
