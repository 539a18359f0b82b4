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

/** What was read: each line's number and outcome, and its problem. */
const readings = (text: string) => {
  const { lines, problems } = parseResults(text);
  return [
    ...lines.map(({ line, msisdn, outcome }) => [line, `0${msisdn.slice(3)} ${outcome}`] as const),
    ...problems.map(({ line, message }) => [line, message] as const),
  ]
    .toSorted(([a], [b]) => a - b)
    .map(([, expected]) => expected);
};
const allAsk = (lines: readonly string[]) => {
  for (const line of lines) expect([line, parseResults(line).lines, readings(line).length]).toEqual([line, [], 1]);
};

describe("a success", () => {
  test("has nothing beside it but words that change nothing, in any case", () => {
    const doubtful = [
      ...[
        "Un-Delivered",
        "Un Delivered",
        "UN-DELIVERED",
        "Un-Successful",
        "Un-Success",
        "In-Complete",
        "Non-Delivered",
      ],
      ...["False Success", "FALSE delivered", "Nothing Delivered", "None Delivered", "Zero Delivered", "Nil Delivered"],
      ...["Customer Denies Delivered", "Mark As Delivered", "Mis-delivered", "Fake Delivered", "Only 1GB Delivered"],
      ...["Claims delivered", "Showing Delivered", "Yesterday Delivered", "Mistakenly Delivered", "Half-Delivered"],
      ...[
        "Sms Delivered",
        "Delivered To Wrong Number",
        "Never Delivered",
        "Delivered Then Reversed",
        "To Be Delivered",
      ],
      ...[
        "delivered 👎",
        "delivered 😡",
        "!delivered",
        "delivered 50%",
        "delivered^",
        "is it delivered",
        "Was It Delivered",
      ],
      ...["delivered: no", "delivered=false", "success: null", "done never", "e no be delivered", "delivered (short)"],
    ];
    allAsk(
      doubtful.flatMap((text) => [
        `0241234567 ${text}`,
        `${text} 0241234567`,
        `0241234567,${text}`,
        `[21/11/2026, 9:30 AM] Ama: 0241234567 ${text}`,
        `0241234567 5GB ${text.toUpperCase()}`,
      ]),
    );
    for (const text of doubtful)
      expect([text, parseResults(`Phone,Status\n0241234567,${text}`).lines]).toEqual([text, []]);
    for (const text of ["Ama Delivered", "MENSAH delivered"])
      expect([text, parseResults(`Phone,Status\n0241234567,${text}`).lines]).toEqual([text, []]);
  });
  test("has at most a name in front of its number, and no word that could mean anything", () => {
    for (const line of [
      ...["Ama 0241234567 delivered", "Kofi Mensah,0241234567,5GB,Delivered", "ADWOA O. SARPONG 0241234567 done"],
      ...["Vendor: 0241234567 delivered", "order for Ama 0241234567 delivered", "Good morning boss, 0241234567 done"],
      ...["3,0241234567,5,Delivered,22.00", "TXN-00912,0241234567,5GB,Delivered", "0241234567 delivered 👍🏽"],
    ])
      expect([line, readings(line)]).toEqual([line, ["0241234567 delivered"]]);
    allAsk([
      ...[
        "Un 0241234567 delivered",
        "Wrong 0241234567 Delivered",
        "Cancel 0241234567 delivered",
        "is 0241234567 delivered",
      ],
      ...[
        "Only 0241234567 delivered",
        "Refund 0241234567 delivered",
        "Check 0241234567 delivered",
        "0241234567,Fake,Done",
      ],
      ...["0241234567,Delivered,Customer Complained", "Not Yet,0241234567,Delivered", "maybe 0241234567 done"],
      ...["Customer Denies 0241234567 delivered", "0241234567,Delivered,expired", "RESEND 0241234567 delivered"],
      ...["☐ 0241234567 delivered", "X,0241234567,Delivered", "Need 0241234567 delivered", "As 0241234567 delivered"],
      ...["Payment from 0241234567 completed", "Transfer: 0241234567 successful", "delivered from 0241234567"],
    ]);
  });
});

describe("a failure", () => {
  test("that is denied, counted as none, or about something else is a question: it would refund", () => {
    allAsk(
      [
        ...["error: none", "errors: none", "error: null, status: ok", "failed: no", "failed=0", "0 failed", "failed 0"],
        ...[
          "failed: false",
          "rejected: no",
          "cancelled: no",
          "failed? no",
          "failure: nil",
          "errors: 0",
          "error code 0",
        ],
        ...["zero failed", "none failed", "nothing failed", "failed - no", "failed (no)", "failed,no", "failed,0"],
        ...["failed, none", "failed: n/a", "error-free", "non-failed", "un-rejected", "failed 0%", "1 of 2 failed"],
        ...[
          "failed, now ok",
          "failed at first, then went through",
          "error fixed",
          "failed yesterday",
          "error resolved",
        ],
        ...["refund failed", "payment failed", "SMS failed", "customer says not delivered", "paid not delivered"],
        ...["why failed", "why not delivered", "only 1 failed", "not failed", "failed before", "failed: false alarm"],
        ...["failed 👍", "failed❓", "☐ failed", "[ ] failed", "aint failed", "nt failed", "fail or not"],
        ...["failed to cancel", "failed to refund", "cancelled refund", "cancellation rejected", "request declined"],
      ].flatMap((text) => [`0241234567 ${text}`, `0241234567 5GB ${text.toUpperCase()}`]),
    );
    allAsk([
      "No 0241234567",
      "No. 0241234567",
      "no 0241234567 failed",
      "not 0241234567 failed",
      "failed: 0241234567 no",
    ]);
    allAsk(['{"phone":"0241234567","failed":false}', '{"phone":"0241234567","error":null}']);
    for (const text of [
      "failed",
      "failed: no network",
      "no network, failed",
      "failed, not served",
      "Error: barred",
      "failed due to network error",
    ])
      expect([text, readings(`0241234567 ${text}`)]).toEqual([text, ["0241234567 failed"]]);
  });
});

test("a figure beside an outcome that may be a count, or none, is a question", () => {
  allAsk([
    ...["0241234567 delivered=0", "0241234567 delivered 0GB", "0241234567 0GB delivered", "0241234567,Delivered,0"],
    ...["0241234567 1 of 2 delivered", "0241234567 1/2 delivered", "0241234567 delivered 1 of 2", "0241234567 done 0"],
    ...["0241234567 5 delivered 3", "0241234567 2 delivered 1 failed", "order: 0 delivered 0241234567"],
  ]);
  for (const table of [
    ...[
      "Phone,Ordered,Delivered\n0241234567,2,1",
      "Phone,Qty,Delivered\n0241234567,2,1",
      "Phone,GB,Delivered\n0241234567,5,0",
    ],
    ...["Phone,Total,Success,Failed\n0241234567,2,1,1", "Phone,Ordered GB,Delivered\n0241234567,5,1"],
  ])
    expect([table, parseResults(table).lines]).toEqual([table, []]);
  expect(one("0241234567,5,Delivered")?.volumeMb).toBe(5000);
  expect(one("0241234567 5 delivered")?.volumeMb).toBe(5000);
  expect(readings("0241234567 delivered 100%")).toEqual(["0241234567 delivered"]);
});

test("x is a tick or a cross: it counts only where it is the one mark among columns of outcomes", () => {
  for (const [table, expected] of [
    ["Phone,Delivered,Failed,Pending\n0241234567,x,,", "0241234567 delivered"],
    ["Phone,Delivered,Failed,Pending\n0241234567,,X,", "0241234567 failed"],
    ["Phone,Delivered,Failed,Pending\n0241234567,,,✓", "0241234567 pending"],
    ["Phone,Delivered,Failed\n0241234567,1,0", "0241234567 delivered"],
    ["Phone,Delivered,Failed\n0241234567,No,Yes", "0241234567 failed"],
    ["Phone,Done\n0241234567,X", "what does “done: x” mean?"],
    ["Phone,Delivered,Failed\n0241234567,x,x", "what does “delivered: x” mean?"],
    ["Phone,Delivered,Failed\n0241234567,✓,x", "what does “failed: x” mean?"],
    ["Phone,Delivered,Failed\n0241234567,No,No", "what does “delivered: no” mean?"],
    ["Phone,Delivered,Success\n0241234567,Yes,No", "what does “success: no” mean?"],
  ] as const)
    expect([table, readings(table)]).toEqual([table, [expected]]);
});

test("what is struck out, or quoted, is a question", () => {
  allAsk([
    ...["0241234567 ~delivered~", "0241234567 ~done~", "0241234567 ~~failed~~", "~0241234567~ delivered"],
    ...["0241234567 d̶e̶l̶i̶v̶e̶r̶e̶d̶", "0241234567 d̵o̵n̵e̵"],
    ...["0̶2̶4̶1̶2̶3̶4̶5̶6̶7̶ delivered", "0241234567 <s>delivered</s>"],
    ...["> 0241234567 delivered", "0241234567 delivered~"],
  ]);
  expect(parseResults("Phone,Status\n0241234567,~Delivered~\n0241234568,D̶o̶n̶e̶").lines).toEqual([]);
  expect(readings("[21/11/2026, 9:30:15 AM] ~ Vendor: 0241234567 delivered")).toEqual(["0241234567 delivered"]);
});

describe("a line above others", () => {
  test("that names an outcome is never swallowed, and what is expected below has to agree with it", () => {
    for (const title of [
      ...["Un-delivered list", "Refund these:", "Reversed", "Never sent:", "Please ignore", "Fake delivered:"],
      ...["Not all done", "Delivered to others:", "To be delivered:"],
    ])
      expect([title, parseResults(`${title}\n0241234567 done`).lines]).toEqual([title, []]);
    for (const title of ["Delivered list:", "Results of today", "These are done"])
      expect([title, readings(`${title}\n0241234567 done`).at(-1)]).toEqual([title, "0241234567 delivered"]);
    for (const title of [
      "Failed:",
      "Not delivered",
      "Failed today",
      "Still pending",
      "Not done:",
      "All delivered except:",
    ]) {
      const [above, below, ...more] = readings(`${title}\n0241234567 done`);
      expect([title, above, more]).toEqual([title, expect.stringContaining("there is no phone number in it"), []]);
      expect([title, below?.includes("Which is it?")]).toEqual([title, true]);
    }
    expect(readings("Delivered:\n0241234567 done")[1]).toBe("0241234567 delivered");
    expect(readings("0241234567 done\nFailed ones:\n0241234568 ok\n0241234569 failed")).toEqual([
      "0241234567 delivered",
      expect.stringContaining("there is no phone number in it"),
      expect.stringContaining("“Failed ones:” of line 2"),
      "0241234569 failed",
    ]);
    expect(readings("Phone,Status\n,Failed\n0241234567,Done")[1]).toContain("Which is it?");
  });
  test("may be a title without an outcome, or a summary of several", () => {
    expect(readings("Results of today\n0241234567 done")).toEqual(["0241234567 delivered"]);
    expect(readings("12 delivered, 3 failed\n0241234567 done")[1]).toBe("0241234567 delivered");
  });
});

test("a chat's sender and time are no part of its message, whichever program copied it", () => {
  for (const head of [
    ...["[9:30 AM, 11/21/2026] ", "[09:30, 21/11/2026] ", "[21/11/2026, 9:30:15 AM] ", "[21.11.26, 09:30:15] "],
    ...["21/11/2026, 09:30 - ", "11/21/26, 9:30 PM - ", "21.11.26, 09:30 - ", "2026-11-21, 9:30 a.m. - "],
    ...[
      "[21/11/2026 à 09:30:15] ",
      "21/11/2026 à 09:30 - ",
      "21/11/2026, 9:30 p. m. - ",
      "[21.11.2026 09:30] ",
      "[09:30] ",
    ],
    ...["[21/11/2026, 09 h 30] ", "21/11/2026 09.30 - ", "\u200e[21/11/2026, 9:30:15\u202fAM] "],
  ])
    for (const sender of ["+233 55 111 2222", "0551112222", "Vendor", "~ Vendor", "Kofi (MTN)"]) {
      expect([head + sender, readings(`${head}${sender}: 0241234567 delivered`)]).toEqual([
        head + sender,
        ["0241234567 delivered"],
      ]);
      expect([head + sender, parseResults(`${head}${sender}: delivered`).lines]).toEqual([head + sender, []]);
    }
  expect(readings("[21/11/2026, 09:30] 0241234567 delivered")).toEqual(["0241234567 delivered"]);
  expect(readings("0241234567 delivered [10:30]")).toEqual(["0241234567 delivered"]);
  expect(readings("Vendor, [21.11.2026 09:30]\n0241234567 delivered")).toEqual(["0241234567 delivered"]);
  expect(readings("+233 55 111 2222, [21.11.2026 09:30]\n0241234567 delivered")).toEqual(["0241234567 delivered"]);
  expect(parseResults("21/11/2026, 09:30 - not delivered: 0241234567 ok").lines).toEqual([]);
  expect(parseResults("[21/11/2026, 09:30] Failed: 0241234567 done").lines).toEqual([]);
});

describe("the columns of a table", () => {
  test("all have to agree with the one for the status", () => {
    for (const [headings, row, expected] of [
      ["Phone,Status,Response", "0241234567,OK,FAILED: invalid number", "Which is it?"],
      ["Phone,Status,Message", '0241234567,Success,"Insufficient balance, not sent"', "Which is it?"],
      [
        "Phone,Status,Message",
        "0241234567,Success,Insufficient balance",
        "what does “message: insufficient balance” mean?",
      ],
      ["Phone,Status,Reason", "0241234567,Delivered,no such subscriber", "Which is it?"],
      ["Phone,Status,Response", "0241234567,Failed,Success", "Which is it?"],
      ["Phone,Status,SMS", "0241234567,Delivered,Failed", "Which is it?"],
      ["Phone,Status,Delivered", "0241234567,Success,No", "Which is it?"],
      ["Phone,Status,Failed", "0241234567,Success,Yes", "Which is it?"],
      ["Phone,Status,", "0241234567,Delivered,refunded", "what does “refunded” mean?"],
      ["Phone,Delivered,Remarks", "0241234567,Yes,not received", "Which is it?"],
      ["Phone,Status,Reversed", "0241234567,Delivered,Yes", "what does “reversed: yes” mean?"],
      ["Phone,Status,Refund status", "0241234567,Delivered,Completed", "what does “refund status: completed” mean?"],
      ["Phone,Status,Received", "0241234567,Failed,Yes", "what does “received: yes” mean?"],
      ["Phone,Status,Error", "0241234567,Delivered,Yes", "what does “error: yes” mean?"],
      ["Phone,Status,Ordered,Sent", "0241234567,Delivered,2,1", "what does “sent: 1” mean?"],
      ["Phone,Status,Comment", "0241234567,Failed,not failed", "what does “comment: not failed” mean?"],
      ["Phone,Status,Comment", "0241234567,Failed,resolved", "what does “comment: resolved” mean?"],
      ["Phone,Status", "0241234567 (wrong),Delivered", "what does “phone: wrong” mean?"],
      ["Phone,Status", "failed 0241234567,Delivered", "Which is it?"],
    ] as const)
      expect([headings, row, readings(`${headings}\n${row}`)]).toEqual([
        headings,
        row,
        [expect.stringContaining(expected)],
      ]);
    for (const [headings, row, expected] of [
      ["Phone,Status,Response", "0241234567,Delivered,Success", "delivered"],
      ["Phone,Status,Message", "0241234567,Delivered,Bundle delivered successfully", "delivered"],
      ["Phone,Status,Reason", "0241234567,Delivered,N/A", "delivered"],
      ["Phone,Status,Error", "0241234567,Delivered,None", "delivered"],
      ["Phone,Status,Reason", "0241234567,Failed,not sent", "failed"],
      ["Phone,Status,Failed", "0241234567,Success,No", "delivered"],
      ["Phone,Status,Town", "0241234567,Delivered,Accra", "delivered"],
      ["Phone 1,Status", "0241234567,Delivered", "delivered"],
      ["Phone,Status", "Kofi 0241234567,Delivered", "delivered"],
      ["Phone,Status,Refunded", "0241234567,Delivered,No", "delivered"],
      ["Phone,Delivered,Failed", "0241234567,-,x", "failed"],
      ["Phone,Status,Sent", "0241234567,Delivered,Yes", "delivered"],
      ["Phone,Status,Delivered by", "0241234567,Delivered,Yaw", "delivered"],
      ["Phone,Status,Completed", "0241234567,Delivered,21/11/2026 10:30", "delivered"],
      ["Phone,Status,Reason", "0241234567,Failed,Please try again later", "failed"],
      ["Phone,Status,Retries", "0241234567,Delivered,0", "delivered"],
      ["Phone,Status,Error", "0241234567,Delivered,0", "delivered"],
      [",Phone,Status", "0,0241234567,Delivered", "delivered"],
      ["#,Phone,Delivered", "1,0241234567,1", "delivered"],
    ] as const)
      expect([headings, row, readings(`${headings}\n${row}`)]).toEqual([headings, row, [`0241234567 ${expected}`]]);
  });
  test("decide alone only as a status, an outcome, or without a heading", () => {
    for (const heading of [
      "SMS",
      "Notified",
      "Last order",
      "Validation",
      "Response",
      "Message",
      "Request status",
      "SMS 2",
    ])
      for (const cell of ["Delivered", "Success", "Failed", "OK"])
        expect([heading, readings(`Phone,${heading}\n0241234567,${cell}`).at(-1)]).toEqual([
          heading,
          `what does “${heading.toLowerCase()}: ${cell.toLowerCase()}” mean?`,
        ]);
    expect(readings("Phone,\n0241234567,Delivered")).toEqual(["0241234567 delivered"]);
    const meanings = new Map([["sms: delivered", "delivered"]] as const);
    expect(parseResults("Phone,SMS\n0241234567,Delivered", meanings).lines).toMatchObject([{ outcome: "delivered" }]);
  });
  test("may be the keys of an object on the line", () => {
    for (const [line, expected] of [
      ['{"phone":"0241234567","status":"delivered"}', "0241234567 delivered"],
      ['{"msisdn":"233241234567","status":"FAILED","reason":"no balance"},', "0241234567 failed"],
      ['[{"number":"0241234567","failed":0,"delivered":1}]', "0241234567 delivered"],
      ['{"phone":"0241234567","isDelivered":true}', "0241234567 delivered"],
    ] as const)
      expect([line, readings(line)]).toEqual([line, [expected]]);
    allAsk(['{"phone":"0241234567","success":true,"status":"FAILED"}', '{"phone":"0241234567","sms":"delivered"}']);
  });
});

describe("beside a status", () => {
  const reads = (headings: string, row: string) => readings(`${headings}\n${row}`);

  test.each([
    ["Type,Phone,Status", "Refund,0241234567,Success"],
    ["Type,Phone,Status", "Refund,0241234567,Failed"],
    ["Transaction Type,Phone,Status", "Reversal,0241234567,Success"],
    ["Transaction Type,Phone,Status", "Credit,0241234567,Success"],
    ["Action,Phone,Status", "Refund,0241234567,Success"],
    ["Action,Phone,Status", "Resend,0241234567,Success"],
    ["Event,Phone,Status", "Chargeback,0241234567,Success"],
    ["Product,Phone,Status", "Refund 5GB,0241234567,Success"],
    ["Bundle,Phone,Status", "5GB (cancelled),0241234567,Success"],
    ["Product,Phone,Status", "Airtime 5GB,0241234567,Success"],
    ["Service,Phone,Status", "Airtime,0241234567,Success"],
    ["Service,Phone,Status", "SMS,0241234567,Success"],
    ["Category,Phone,Status", "Voice,0241234567,Success"],
    ["Phone,Status,Cancelled At", "0241234567,Success,21/11/2026"],
    ["Phone,Status,Failed At", "0241234567,Success,21/11/2026 10:30"],
    ["Phone,Status,Reversal date", "0241234567,Success,2026-11-21"],
    ["Phone,Status,Rolled back on", "0241234567,Success,2026-11-21"],
    ["Phone,Status,Rejected by", "0241234567,Success,Yaw"],
    ["Phone,Status,Failed count", "0241234567,Success,1"],
    ["Phone,Status,Payment status", "0241234567,Success,Refunded"],
    ["Phone,Status,Town", "0241234567,Success,Refunded to wallet"],
    ["Reference,Phone,Status", "REFUND-1234,0241234567,Success"],
    ["Debit/Credit,Phone,Status", "Credit,0241234567,Success"],
    ["Product name,Phone,Status", "MTN Airtime,0241234567,Success"],
    ["Deleted at,Phone,Status", "2026-11-21,0241234567,Success"],
    ["Phone,Status,Message", "0241234567,Failed,Sent to 0551234567"],
    ["Phone,Status,Batch", "0241234567,Success,Cancelled"],
    ["Phone,Status,Batch", "0241234567,Success,Test run"],
    ["Phone,Status,Delivered at", "0241234567,Failed,21/11/2026 10:30"],
  ])("a cell of money taken back, a failure or another product asks: %s, %s", (headings, row) => {
    expect(reads(headings, row)).toEqual([expect.stringMatching(/\?$/)]);
  });
  test("an object of a program asks for the same reasons", () => {
    allAsk([
      '{"type":"refund","phone":"0241234567","status":"success"}',
      '{"phone":"0241234567","status":"success","order":{"state":"reversed"}}',
    ]);
  });
  test("other cells that speak against nothing are read past", () => {
    for (const [headings, row, size] of [
      ["Type,Phone,Status", "Data Purchase,0241234567,Success", null],
      ["Transaction type,Phone,Status", "DATA_BUNDLE,0241234567,Success", null],
      ["Service,Phone,Status", "MTN Data 5GB,0241234567,Success", 5000],
      ["Product,Phone,Status", "MTN Non-Expiry 5GB,0241234567,Success", 5000],
      ["Phone,Network,Status,Cancelled At", "0241234567,MTN,Delivered,", null],
      ["Phone,Status,Failed At", "0241234567,Delivered,-", null],
      ["Phone,Status,Cancelled At", "0241234567,Delivered,0000-00-00 00:00:00", null],
      ["Phone,Status,Refund amount", "0241234567,Delivered,GHS 0.00", null],
      ["Phone,Status,Failed count", "0241234567,Delivered,0", null],
      ["Phone,Status,Payment status", "0241234567,Delivered,Paid", null],
      ["Phone,Status,Channel", "0241234567,Delivered,SMS", null],
      ["Phone,Status,Delivered at", "0241234567,Delivered,21/11/2026 10:30", null],
    ] as const)
      expect([headings, row, one(`${headings}\n${row}`)]).toMatchObject([
        headings,
        row,
        { outcome: "delivered", volumeMb: size },
      ]);
    expect(reads("Phone,Status,Cancelled At", "0241234567,Cancelled,21/11/2026")).toEqual(["0241234567 failed"]);
  });
  test("an empty status of the delivery, or a delivery of nothing, asks", () => {
    for (const [headings, row, expected] of [
      ["Phone,Order status,Delivery status", "0241234567,Completed,", "its Delivery status is empty"],
      ["Phone,Order status,Delivery status", "0241234567,Completed,-", "its Delivery status is empty"],
      ["Phone,Delivery status,Status", "0241234567,,Success", "its Delivery status is empty"],
      ["Phone,Status,Result", "0241234567,Success,", "its Result is empty"],
      ["Phone,Status,Delivered", "0241234567,Success,", "its Delivered is empty"],
      ["Phone,Status,Delivered GB", "0241234567,Completed,0", "Which is it?"],
      ["Phone,GB,Status,Delivered GB", "0241234567,5,Completed,", "its Delivered GB is empty"],
      ["Phone,Status,Data", "0241234567,Completed,0", "its size is 0"],
      ["Phone,Status,Data", "0241234567,Completed,0GB", "its size is 0"],
      ["Phone,Status,Delivered count", "0241234567,Completed,0", "Which is it?"],
      ["Phone,Status,Qty delivered", "0241234567,Completed,0", "Which is it?"],
    ] as const)
      expect([headings, row, reads(headings, row)]).toEqual([headings, row, [expect.stringContaining(expected)]]);
    expect(reads("Phone,Order status,Delivery status", "0241234567,Failed,")).toEqual(["0241234567 failed"]);
    expect(reads("Phone,Status,Delivered GB", "0241234567,Failed,0")).toEqual(["0241234567 failed"]);
    const meanings = new Map([["delivery status: empty", "delivered"]] as const);
    expect(parseResults("Phone,Status,Delivery status\n0241234567,Completed,", meanings).lines).toHaveLength(1);
  });
  test("another number in a message asks", () => {
    for (const [headings, row] of [
      ["Phone,Status,Message", "0241234567,Success,Sent to 0551234567"],
      ["Phone,Status,Message", "0241234567,Success,Bundle delivered to 233551234567"],
      ["Phone,Status,Corrected", "0241234567,Success,0551234567"],
      ["Phone,Status", "0241234567,Delivered to 0551234567"],
      ["Phone,Delivered,Note", "0241234567,Yes,to 055 123 4567"],
    ] as const)
      expect([headings, row, reads(headings, row)]).toEqual([
        headings,
        row,
        [expect.stringContaining("another number")],
      ]);
    expect(reads("Agent phone,Phone,Status", "0551234567,0241234567,Success")).toEqual(["0241234567 delivered"]);
  });
  test("the row's own number and size are no part of its message", () => {
    for (const [headings, row, size] of [
      ["Phone,Status,Message", "0241234567,Success,Bundle delivered to 0241234567", null],
      ["Phone,Status,Message", "0241234567,Success,5GB delivered to 233241234567", 5000],
      ["Phone,GB,Status,Message", "0241234567,5,Success,5GB bundle delivered to 0241234567", 5000],
      ["Phone,Status", "0241234567,Delivered to 0241234567", null],
    ] as const)
      expect([row, one(`${headings}\n${row}`)]).toMatchObject([row, { outcome: "delivered", volumeMb: size }]);
    for (const [headings, row] of [
      ["Phone,GB,Status,Message", "0241234567,5,Success,1GB delivered to 0241234567"],
      ["Phone,Status,Message", "0241234567,Success,1GB of 5GB delivered"],
      ["Phone,Status,Message", "0241234567,Success,0GB delivered"],
    ] as const)
      expect([row, parseResults(`${headings}\n${row}`).lines]).toEqual([row, []]);
    const rows = ["0241234567", "0241234568"].map((number) => `${number},Success,Bundle lined up for ${number}`);
    const { problems } = parseResults(["Phone,Status,Message", ...rows].join("\n"));
    expect(new Set(problems.map(({ phrase }) => phrase))).toEqual(new Set(["message: bundle lined up for"]));
  });
  test("what portals say of every delivery is read, and mere steps are not", () => {
    for (const message of [
      ...["Transaction Successful", "Request processed successfully", "200 OK", "Delivered successfully", "OK"],
      ...["Bundle sent and delivered", "Transaction completed successfully.", "Your order has been processed"],
    ])
      expect([message, reads("Phone,Status,Message", `0241234567,Success,${message}`)]).toEqual([
        message,
        ["0241234567 delivered"],
      ]);
    for (const status of ["Transaction Successful", "Delivered successfully", "Bundle sent and delivered"])
      expect([status, reads("Phone,Status", `0241234567,${status}`)]).toEqual([status, ["0241234567 delivered"]]);
    for (const status of ["Request processed successfully", "Request received", "Processed", "Order processed", "00"])
      expect([status, parseResults(`Phone,Status\n0241234567,${status}`).lines]).toEqual([status, []]);
    expect(reads("Phone,Status,Response code", "0241234567,Success,00")).toEqual(["0241234567 delivered"]);
    for (const [heading, cell] of [
      ["Response code", "17"],
      ["Message", "Refund processed successfully"],
      ["Message", "Request not processed"],
      ["Message", "Request processed for another"],
    ] as const)
      expect([cell, parseResults(`Phone,Status,${heading}\n0241234567,Success,${cell}`).lines]).toEqual([cell, []]);
  });
});

test("a name in front of a number may be written small; what may be no name asks", () => {
  for (const line of ["ama 0551234567 done", "kofi mensah 0551234567 delivered", "mohammed 0551234567 5gb done"])
    expect([line, readings(line)]).toEqual([line, ["0551234567 delivered"]]);
  allAsk(
    [
      ...["stuck", "halfway", "supposedly", "delayed", "refund", "undelivered ama", "please chase", "wrong", "not"],
      ...["ama kofi yaw", "ama says", "nothing", "misdelivered", "incomplete", "bounced", "minus", "late", "short"],
    ].map((front) => `${front} 0551234567 done`),
  );
});

test("several objects on one line are refused, however long it is", () => {
  const row = (number: string) => `{"phone":"${number}","status":"delivered"}`;
  const many = Array.from({ length: 60 }, (_, at) => row(`02412345${10 + at}`));
  for (const line of [`[${row("0241234567")}, ${row("0551234567")}]`, `${row("0241234567")},{}`, `[${many.join(",")}]`])
    expect(parseResults(line)).toMatchObject({
      lines: [],
      problems: [{ line: 1, message: "several objects stand on this line: put each on a line of its own" }],
    });
});

describe("a phone number", () => {
  test("is read as a list of orders reads it", () => {
    for (const number of [
      ...[
        "024\u00a0123\u00a04567",
        "24 123 4567",
        "24.123.4567",
        "0241234567.0",
        "０２４１２３４５６７",
        "241234567.0",
      ],
      ...["241,234,567", "024-12-34567", "(024) 123 4567", "+233 (0)24 123 4567", "\u202a+233 24 123 4567\u202c"],
    ]) {
      expect([number, readings(`${number} delivered`)]).toEqual([number, ["0241234567 delivered"]]);
      expect([number, readings(`Phone\tStatus\n${number}\tDelivered`)]).toEqual([number, ["0241234567 delivered"]]);
    }
    expect(readings("0241234567delivered")).toEqual(["0241234567 delivered"]);
    expect(readings("0241234567ok")).toEqual(["0241234567 delivered"]);
  });
  test("that cannot be read is expected to be there", () => {
    for (const [line, expected] of [
      ["02412345678 delivered", "its phone number cannot be read: write it like 0241234567"],
      ["2.41E+08 delivered", "a sheet has rounded its number: write it in full, like 0241234567"],
      ["٠٢٤١٢٣٤٥٦٧ delivered", "its phone number cannot be read: write it like 0241234567"],
      ["user0241234567 delivered", "its phone number cannot be read: write it like 0241234567"],
      ["user/0241234567 delivered", "its phone number cannot be read: write it like 0241234567"],
      ["0241234567ABC delivered", "its phone number cannot be read: write it like 0241234567"],
      ["0241234567/0551234567 failed", "two numbers stand on this line: keep the one that the result is about"],
      ["Phone,Status\n2.41E+08,Delivered", "a sheet has rounded its number: write it in full, like 0241234567"],
    ] as const)
      expect([line, readings(line)]).toEqual([line, [expected]]);
    expect(readings("Phone,Status\n0241234567/0551234567,Delivered")[0]).toContain("two numbers");
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
    ...["~a", "failed no ", "refund ", "failed (", "! ", "{", "0", "24 ", "Ama ", "is been ", "[10:30] a: ", "<s"],
  ];
  for (const part of worst) {
    const line = part.repeat(2_000).slice(0, 1_990);
    const text = Array.from({ length: 200 }, () => line).join("\n");
    expect([part, (await processorMs(() => parseResults(text))) < 3_000]).toEqual([part, true]);
  }
});
