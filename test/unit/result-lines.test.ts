// Tests of a batch's results as portals and people write them: unclear lines are reported as problems.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseResults } from "../../src/shared/lists/result-lines.ts";
import { longTest } from "../support/long.ts";
import { processorMs } from "../support/processor.ts";

const one = (text: string) => parseResults(text).lines[0];
const outcomeIn = (text: string) => one(text)?.outcome ?? parseResults(text).problems[0]?.message;

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
  test("without a status, or without a number, is a problem; an unknown status is asked about", () => {
    const { lines, problems } = parseResults(
      "NUMBER,STATUS\n0541234567,livré\n\nhello 12,delivered\n0541234567,5\n0541234568",
    );
    expect(lines).toEqual([]);
    expect(problems).toEqual([
      { line: 2, message: "what does “livré” mean?", phrase: "livré" },
      { line: 4, message: "there is no phone number in it" },
      { line: 5, message: "what does “5” mean?", phrase: "5" },
      { line: 6, message: "say delivered, failed or pending" },
    ]);
  });
  test("can be pending; a final status counts more than an intermediate one", () => {
    const pending = ["Pending", "processing", "In progress", "On Hold", "queued", "sent", "Unknown", "Not yet sent"];
    for (const status of pending) expect(one(`0541234567,${status}`)?.outcome).toBe("pending");
    expect(one("0541234567,sent,Delivered")?.outcome).toBe("delivered");
    expect(one("0541234567,Accepted,1,Failed")?.outcome).toBe("failed");
  });
  test("has its status and its number anywhere, also between spaces", () => {
    for (const [text, outcome, message] of [
      ["0541230003 failed wrong number", "failed", "wrong number"],
      ["failed 0541230003 wrong number", "failed", "wrong number"],
      ["1. 054 123 0003 - delivered", "delivered", null],
      ["Kofi Mensah 0541230003 5GB done, thanks", "delivered", "Kofi Mensah"],
      ["✅ 0541230003", "delivered", null],
      ["0541230003❌", "failed", null],
      ["0541230003 sent", "pending", null],
      ["0541230003 not sent", "pending", null],
      ["0541230003 sent successfully", "pending", null],
      ["0541230003 no network, failed", "failed", "no network"],
      ["[21/11/2026, 9:30:15 AM] +233 24 111 2222: 0541230003 delivered", "delivered", null],
    ] as const)
      expect([text, one(text)]).toMatchObject([text, { msisdn: "233541230003", outcome, message }]);
  });
  test("that denies or doubts an outcome is never that outcome", () => {
    for (const text of ["not delivered", "undelivered", "unsuccessful", "was not successful", "failed to deliver"])
      expect([text, outcomeIn(`0541234567 ${text}`)]).toEqual([text, "failed"]);
    for (const text of ["not yet delivered", "not delivered yet", "yet to be delivered", "awaiting delivery"])
      expect([text, outcomeIn(`0541234567 ${text}`)]).toEqual([text, "pending"]);
    for (const text of [
      ...[
        "never failed",
        "no error",
        "has not been delivered",
        "hasn't been delivered",
        "delivered?",
        "never delivered",
      ],
      ...["will be delivered", "delivered tomorrow", "almost done", "partly delivered", "delivered to wrong number"],
      ...["no network", "delivered then reversed", "failed, retrying", "delivered or failed", "hardly completed"],
    ])
      for (const line of [
        `0541234567 ${text}`,
        `0541234567\t${text}`,
        `${text} 0541234567`,
        `0541234567 ${text.toUpperCase()}`,
      ])
        expect([line, outcomeIn(line)?.includes("?")]).toEqual([line, true]);
    expect(outcomeIn("not 0541234567 delivered")).toContain("Which is it?");
  });
  test("with two outcomes is a question, whatever comes first", () => {
    for (const line of [
      ...["0241200034,No,Delivered", "0241200034,Delivered,No", "0241200034,5GB,Yes,Failed", "0241200034,done,error"],
      ...["0241200034,Failed,Success", "0241200034,Pending,Delivered", "0241200034 ✅ ❌"],
    ])
      expect([line, outcomeIn(line)?.includes("?")]).toEqual([line, true]);
  });
  test("takes no date, amount, size or id for its number, and asks about two numbers", () => {
    expect(one("order 5521 0541234567 GHS 4.29 2026-11-21 10:30 5GB delivered")).toMatchObject({
      msisdn: "233541234567",
      volumeMb: 5000,
      outcome: "delivered",
    });
    expect(outcomeIn("#0241234567 delivered")).toBe("there is no phone number in it");
    expect(outcomeIn("0541234567 0241234567 delivered")).toContain("two numbers");
    expect(outcomeIn("0541234567 1GB 5GB delivered")).toContain("two sizes");
  });
  test("says what a person says that its texts mean", () => {
    const meanings = new Map([
      ["livré", "delivered"],
      ["kofi", "note"],
    ] as const);
    expect(parseResults("0541234567 Livré\nKofi,0541234568,failed\n0541234569,Kofi", meanings)).toMatchObject({
      lines: [{ outcome: "delivered" }, { outcome: "failed" }],
      problems: [{ line: 3, message: "say delivered, failed or pending" }],
    });
  });
});

describe("a table of results", () => {
  const under = (headings: string, row: string) => outcomeIn(`${headings}\n${row}`);

  test("has its outcome in the column for the status, and in no other", () => {
    expect(under("MSISDN,Ported,Status", "0241234567,No,Delivered")).toBe("delivered");
    expect(under("MSISDN,Valid,Status", "0241234567,OK,FAILED")).toBe("failed");
    expect(under("Status;Verified;Phone", "Failed;Success;0241234567")).toBe("failed");
    expect(under("Number,Payment status,Delivery status", "0241234567,Failed,Completed")).toBe("delivered");
    expect(under("Number,Status,Reason", "0241234567,Failed,customer says delivered, wrong")).toBe("failed");
    expect(under("Number,Status,Result", "0241234567,Success,Failed")).toContain("Which is it?");
    expect(under("Number,Active,Status", "0241234567,yes,")).toContain("Status is empty");
    expect(under("Number,Status", "0241234567,#N/A")).toContain("error instead of a value");
    expect(under("Number,Ported", "0241234567,no")).toBe("say delivered, failed or pending");
    expect(under("Number,Foo", "0241234567,yes")).toBe("what does “foo: yes” mean?");
  });
  test("may ask by its headings", () => {
    expect(under("Number,Delivered", "0241234567,Yes")).toBe("delivered");
    expect(under("Number,Delivered", "0241234567,No")).toBe("failed");
    expect(under("Number,Failed", "0241234567,1")).toBe("failed");
    expect(under("Number,Failed", "0241234567,No")).toContain("?");
    expect(under("Number,Delivered,Failed", "0241234567,Yes,Yes")).toContain("Which is it?");
  });
  test("names numbers and sizes by their headings", () => {
    const row = (headings: string, cells: string) => one(`${headings}\n${cells}`);
    expect(row("Agent phone;Recipient;Data (GB);Status", "0201112222;0241234567;1,5;done")).toMatchObject({
      msisdn: "233241234567",
      volumeMb: 1500,
    });
    expect(row("No,Number,MB,Amount,Status", "3,0241234567,5120,4.29,done")?.volumeMb).toBe(5000);
    expect(under("Number,GB,Status", "0241234567,#REF!,done")).toContain("error");
    expect(under("Number,Receiver phone,Status", "0241234567,0201112222,done")).toContain("two numbers");
    expect(under("Number,Status", "0241234567,failed,really,delivered")).toContain("more cells");
  });
});

test("a text is results, headings or problems, whatever is pasted", () => {
  const part = fc.constantFrom("0541234567", "Status", "Number", "delivered", ",", "\t", '"', "not ", "5GB", "~", "?");
  const row = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 30 }),
    fc.array(part).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      const text = rows.join("\n");
      const { lines, problems, headings } = parseResults(text);
      const places = [...[...lines, ...problems].map(({ line }) => line), ...headings];
      expect(new Set(places).size).toBe(places.length);
      const filled = text.split(/\r\n|\r|\n/).filter((row, i) => i > 0 && !/^[\s,;|"']*$/.test(row)).length;
      expect(places.filter((line) => line > 1)).toHaveLength(filled);
    }),
  );
});

longTest("the time for a text grows with its length alone, whatever it repeats", async () => {
  const worst = [
    "0541234567 not ",
    "not yet been ",
    "successful ",
    "1,",
    "#",
    "[1/1/2026, 1:00 AM] a ",
    "GHS ",
    '"',
    "yet to ",
  ];
  for (const part of worst) {
    const line = part.repeat(2_000).slice(0, 1_990);
    const text = Array.from({ length: 200 }, () => line).join("\n");
    expect([part, (await processorMs(() => parseResults(text))) < 3_000]).toEqual([part, true]);
  }
});
