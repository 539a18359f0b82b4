// Mobile money statements and messages as networks write them: which column is what, what each row says, and texts that
// try to say more than they may.
import { describe, expect, test } from "bun:test";
import type { DateOrder } from "../../src/web/upload/statements/moments.ts";
import { MESSAGES_CHARS_MAX, rowsOfMessages } from "../../src/web/upload/statements/momo-messages.ts";
import { missingIn, recognise } from "../../src/web/upload/statements/statement-columns.ts";
import { readLines } from "../../src/web/upload/statements/statement-lines.ts";
import { longTest } from "../support/long.ts";
import { processorMs } from "../support/processor.ts";

const read = (cells: string[][], isAllIn = false, dateOrder: DateOrder = null) => {
  const { headingRow, mapping } = recognise(cells);
  return readLines(cells, headingRow, mapping, { isAllIn, dateOrder });
};
/** The cells of a table without quotes. */
const table = (...rows: string[]) => rows.map((row) => row.split(","));
const ofMessages = (text: string, network: "mtn" | "vod" | "atl" = "mtn") => read(rowsOfMessages(text, network));

describe("a file", () => {
  const MTN = "TRANSACTION DATE,FROM ACCT,FROM NAME,FROM NO.,TRANS. TYPE,AMOUNT,FEES,E-LEVY,BAL BEFORE,BAL AFTER,F_ID";
  const row = (text: string) => text.split(",");

  test("as MTN sends it by e-mail is read by its headings, below a title", () => {
    const cells = [
      ["Statement of 0240000000"],
      row(MTN),
      row("05-Nov-2026 09:12:44 AM,1,KOFI MENSAH,233240000001,TRANSFER,50.00,0,0,70.00,120.00,40125566778"),
      row("05-Nov-2026 01:00:00 PM,1,SHOP,233240000000,TRANSFER,20.00,0,0,120.00,100.00,40125566779"),
      row("05-Nov-2026 02:00:00 PM,1,KOFI MENSAH,233240000001,REVERSAL,50.00,0,0,100.00,50.00,40125566778"),
    ];
    const { lines, problems } = read(cells);
    expect(problems).toEqual([]);
    expect(lines).toEqual([
      {
        direction: "in",
        transactionId: "40125566778",
        originalId: null,
        amountPesewas: 5000,
        senderName: "KOFI MENSAH",
        senderMsisdn: "233240000001",
        at: new Date("2026-11-05T09:12:44Z"),
      },
      expect.objectContaining({ direction: "out", at: new Date("2026-11-05T13:00:00Z") }),
      expect.objectContaining({ direction: "reversal", originalId: "40125566778", amountPesewas: 5000 }),
    ]);
  });

  test("with a sender of whom some is hidden keeps what is shown, and one that is no number is none", () => {
    const { lines } = read([
      row(MTN),
      row("05-Nov-2026 09:12:44 AM,1,KOFI MENSAH,0244***567,TRANSFER,50.00,0,0,70.00,120.00,40125566778"),
      row("05-Nov-2026 09:13:44 AM,1,KOFI MENSAH,MoMo,TRANSFER,50.00,0,0,120.00,170.00,40125566779"),
    ]);
    expect(lines.map(({ senderMsisdn }) => senderMsisdn)).toEqual(["0244***567", null]);
  });

  test("of a portal with money in and out, and a status, leaves out what did not succeed", () => {
    const cells = [
      ["Id", "Date", "Status", "Type", "From", "Money In", "Money Out"],
      ["40125566778", "2026-11-05 09:12", "Successful", "Transfer", "0240000001", "1,250.50", ""],
      ["40125566779", "2026-11-05 09:13", "Failed", "Transfer", "0240000001", "10.00", ""],
      ["40125566780", "05/11/2026 09:14:00", "Completed", "Transfer", "0240000001", "", "10.00"],
    ];
    const { lines, problems, unfinished } = read(cells);
    expect(problems).toEqual([]);
    expect(unfinished).toBe(1);
    expect(lines.map((line) => [line.direction, line.amountPesewas, line.at?.toISOString()])).toEqual([
      ["in", 125_050, "2026-11-05T09:12:00.000Z"],
      ["out", 1000, "2026-11-05T09:14:00.000Z"],
    ]);
  });

  test("without a column of ids or amounts is not read, and says what is missing", () => {
    const known = recognise([
      ["Date", "Amount", "Balance"],
      ["2026-11-05", "5", "6"],
    ]);
    expect(missingIn(known.mapping)).toBe("Say which column holds the transaction ID.");
    const bare = recognise([
      ["40125566778", "50.00"],
      ["40125566779", "60.00"],
    ]);
    expect(bare).toMatchObject({ headingRow: -1, headings: ["Column 1", "Column 2"] });
    expect(missingIn(bare.mapping)).not.toBeNull();
  });

  test("with unreadable cells names their rows, and guesses nothing", () => {
    const cells = [
      ["Transaction ID", "Amount", "Type"],
      ["4.01E+10", "50.00", "credit"],
      ["40125566778", "fifty", "credit"],
      ["40125566779", "50.00", "something"],
      ["40125566780", "50.00", "credit"],
      ["40125566780", "60.00", "credit"],
      ["", "", ""],
      ["0000012062913379", "10.00", "credit"],
    ];
    const { lines, problems } = read(cells);
    expect(lines.map(({ transactionId }) => transactionId)).toEqual(["12062913379"]);
    expect(problems).toEqual([
      "Row 2: “4.01E+10” is no transaction ID",
      "Row 3: “fifty” is no amount",
      "Row 4: 40125566779 does not say whether its money came in or went out",
      "Row 6: 40125566780 is there twice, in row 5 with another amount",
    ]);
    expect(read(cells, true).lines).toHaveLength(2);
  });

  test("uses a line that is there twice once", () => {
    const cells = table("Transaction ID,Amount,Type", "40125566780,50,credit", "40125566780,50.00,credit");
    expect(read(cells)).toMatchObject({
      lines: [{ amountPesewas: 5000 }],
      problems: ["Row 3: 40125566780 is there twice"],
    });
  });
});

describe("a row that contradicts itself", () => {
  const HEADINGS = "F_ID,AMOUNT,TRANS. TYPE,DIRECTION,MONEY IN,MONEY OUT,FEES,BAL BEFORE,BAL AFTER,STATUS";
  const one = (row: string) => read(table(HEADINGS, `40125566778,${row}`), true);

  test("is a problem and credits nothing, whatever it says twice", () => {
    for (const [row, reason] of [
      ["50.00,CASH OUT,,,,,100.00,150.00,", "by its balances its money came in, by “CASH OUT” not"],
      ["50.00,CASH IN,,,,,150.00,100.00,", "by its balances its money went out, by “CASH IN” not"],
      ["-50.00,CASH IN,,,,,,,", "by its sign its money went out, by “CASH IN” not"],
      ["(50.00),Transfer,CR,,,,,,", "by its sign its money went out, by “CR” not"],
      ["+50.00,Transfer,Debit,,,,,,", "by its sign its money came in, by “Debit” not"],
      ["50.00 DR,CASH IN,,,,,,,", "by “DR” its money went out, by “CASH IN” not"],
      ["50.00,CASH IN,out,,,,,,", "by “out” its money went out, by “CASH IN” not"],
      [",CASH OUT,,50.00,,,,,", "by its column its money came in, by “CASH OUT” not"],
      [",Deposit,,,50.00,,,,", "by its column its money went out, by “Deposit” not"],
      [",Transfer,,-50.00,,,100.00,150.00,", "by its column its money went out, by its balances not"],
      [",Transfer,,50.00,50.00,,,,", "GH₵ 50.00 came in and GH₵ 50.00 went out"],
      ["50.00,Transfer,,60.00,,,,,", "has two amounts: GH₵ 50.00 and GH₵ 60.00"],
      ["50.00,CASH IN,,,,,100.00,650.00,", "its balances differ by GH₵ 550.00, its amount is GH₵ 50.00"],
      ["50.00,CASH IN,,,,,100.00,100.00,", "its balances differ by GH₵ 0.00, its amount is GH₵ 50.00"],
      ["50.00,CASH IN,,,,1.00,100.00,148.00,", "its balances differ by GH₵ 48.00"],
      ["50.00,REVERSAL,,,,,100.00,150.00,", "is money of the shop that came back"],
    ] as const) {
      const { lines, problems } = one(row);
      expect([row, lines, problems.length, problems[0]?.includes(reason)]).toEqual([row, [], 1, true]);
    }
  });

  test("is none when a fee explains its balances", () => {
    for (const row of [
      "50.00,CASH IN,,,,1.00,100.00,149.00,",
      "50.00,CASH OUT,,,,0.50,100.00,49.50,",
      "50.00,CASH OUT,,,,,100.00,49.25,",
      "-50.00,Transfer,DR,,,,100.00,50.00,Completed",
    ])
      expect([row, one(row).problems]).toEqual([row, []]);
  });

  test("or a figure or a status that is no value, is a problem", () => {
    const cells = table(
      "F_ID,MONEY IN,MONEY OUT,BAL AFTER,STATUS",
      "40125566778,#N/A,50.00,,Completed",
      "40125566779,50.00,,#REF!,Completed",
      "40125566780,50.00,-,120.00,",
      "40125566781,50.00,–,170.00,Completed",
    );
    const { lines, problems } = read(cells);
    expect(lines.map(({ transactionId }) => transactionId)).toEqual(["40125566781"]);
    expect(problems).toEqual([
      "Row 2: “#N/A” is no amount",
      "Row 3: “#REF!” is no amount",
      "Row 4: 40125566780 has no status",
    ]);
  });

  test("with its neighbours' balances is a problem, in either order of rows", () => {
    const rows = [
      ",Opening balance,,100.00",
      "40125566771,Transfer,50.00,150.00",
      "40125566772,Transfer,20.00,130.00",
      "40125566773,CASH OUT,30.00,160.00",
      "40125566774,CASH IN,40.00,200.00",
      "40125566775,CASH IN,40.00,940.00",
    ];
    for (const ordered of [rows, rows.toReversed()]) {
      const { lines, problems } = read(table("Id,Type,Amount,Balance", ...ordered));
      expect(new Map(lines.map(({ transactionId, direction }) => [transactionId, direction]))).toEqual(
        new Map([
          ["40125566771", "in"],
          ["40125566772", "out"],
          ["40125566774", "in"],
        ]),
      );
      expect(problems).toHaveLength(2);
    }
  });
});

describe("money that came in", () => {
  const brief = (cells: string[][]) => {
    const { lines, problems, unfinished } = read(cells);
    const shown = lines.map(({ direction, transactionId, originalId }) =>
      [direction, transactionId, originalId].filter(Boolean).join(" "),
    );
    return { lines: shown, problems: problems.length, unfinished };
  };
  const nothing = (unfinished = 0) => ({ lines: [], problems: 1 - unfinished, unfinished });
  const plain = { lines: ["in 40125566771"], problems: 0, unfinished: 0 };
  const one = (heading: string, cell: string, way = "Money in") =>
    brief([
      ["Id", way, heading],
      ["40125566771", "50.00", cell],
    ]);
  const typed = (cell: string) =>
    brief([
      ["Id", "Type", "Amount"],
      ["40125566771", cell, "50.00"],
    ]);

  test.each([
    ...["Deposit", "Cash-In", "CASHIN", "PAYMENT_RECEIVED", "P2P Received", "Transfer in", "Receive", "CR"],
    ...["Payment received", "Mobile money deposit", "Transfer from 233240000001 - KOFI MENSAH", "Credits", "Incoming"],
  ])("of the type %s is read without a question", (type) => expect([type, typed(type)]).toEqual([type, plain]));

  test.each([
    ...["Deposit failed", "Pending deposit", "Declined cash in", "Cash in (not completed)", "Deposit cancelled"],
    ...["Deposit correction", "Dispute credit", "Credit note", "Loan credit", "Deposit on hold", "Held deposit"],
    ...["Received in error", "Deposit attempt", "Unconfirmed deposit", "Deposit: await approval", "Expired cash in"],
    ...[
      "Deposit zurück",
      "Deposit?",
      "DEPOSIT*",
      "Deposit ❌",
      "~~Deposit~~",
      "Deposit fee",
      "Deposit (annul)",
      "Blocked credit",
      "Money in transit",
      "Cash in hand",
    ],
  ])("of the type %s is asked about", (type) => {
    const { lines, problems } = typed(type);
    expect([type, lines.filter((line) => line.startsWith("in")), problems > 0 || lines.length > 0]).toEqual([
      ...[type, [], true],
    ]);
  });

  test.each([
    ...[
      ["Narration", "REVERSAL from KOFI"],
      ["Description", "Transfer reversal"],
      ["Remarks", "Reversed by operator"],
    ],
    ...[
      ["Details", "RVSL 40125566770"],
      ["Note", "Charge-back"],
      ["Comment", "money sent back to customer"],
      ["Remarks", "FAILED"],
    ],
    ...[
      ["Reversal date", "21/11/2026"],
      ["Reversed", "Yes"],
      ["Is cancelled", "TRUE"],
      ["Failure reason", "No funds"],
    ],
    ...[
      ["Success", "No"],
      ["Settled", "false"],
      ["Reversed ID", "40125566770"],
      ["From name", "Reversal: KOFI"],
    ],
    ...[
      ["Settlement status", "200"],
      ["Result", "17"],
      ["Type", "Annulled"],
      ["Direction", "Credit (provisional)"],
      ["Currency", "USD"],
      ["Currency", "NGN"],
    ],
  ])("whose column %s says %s is asked about", (heading, cell) => {
    expect([heading, cell, one(heading, cell)]).toEqual([heading, cell, nothing()]);
  });

  test.each([
    ["Reversed", "No"],
    ["Reversal date", "-"],
    ["Is cancelled", "FALSE"],
    ["Failure reason", "N/A"],
    ["Return code", "00"],
    ["Error description", "Success"],
    ["Settlement status", "Settled"],
    ["Success", "Yes"],
    ["Initiation time", "21/11/2026"],
    ["From name", "FAILATU HOLDBROOK"],
    ["From name", "Rev. Kofi Mensah"],
    ["Narration", "School fees, thank you"],
    ["Currency", "GHS"],
    ["Type", "Transfer"],
    ["Direction", "C"],
  ])("whose column %s says %s is read", (heading, cell) => {
    expect([heading, cell, one(heading, cell)]).toEqual([heading, cell, plain]);
  });

  test.each([...["SUCCESSFUL", "Completed.", "Paid", "Transaction successful", "COMPLETED_SUCCESSFULLY", "Success!"]])(
    "with the status %s is read",
    (status) => expect([status, one("Status", status)]).toEqual([status, plain]),
  );
  test.each([
    ...["Failed", "Pending", "Pending approval", "Declined", "Not completed", "Unsuccessful", "Timed out", "CANCELLED"],
  ])("with the status %s did not succeed", (status) => {
    expect([status, one("Status", status)]).toEqual([status, nothing(1)]);
  });
  test.each([
    ...[
      "200",
      "Reversed",
      "Success - reversed",
      "Completed (Reversed)",
      "Completed with errors",
      "TS",
      "Success?no",
      "✓",
      "Completed?",
      "❌ Completed",
      "TF",
      "Paid out",
    ],
  ])("with the status %s is asked about", (status) => {
    expect([status, one("Status", status)]).toEqual([status, nothing()]);
  });
  test("with an unknown status says which", () => {
    const cells = table("Id,Money in,Status", "40125566771,50.00,200");
    expect(read(cells).problems).toEqual([
      "Row 2: what does the status “200” of 40125566771 mean? Write Completed if its money came",
    ]);
  });

  test("is taken back by the row that names it, in Telecel's form and others", () => {
    const telecel = [
      "Receipt No.,Details,Transaction Status,Paid In,Withdrawn,Reason Type,Linked Transaction ID",
      "12062913379,Received from KOFI,Completed,50.00,,Receive,",
    ];
    const taken = { lines: ["in 12062913379", "reversal 12062913380 12062913379"], problems: 0, unfinished: 0 };
    for (const row of [
      "12062913380,Reversal of 12062913379,Completed,,-50.00,Reversal,12062913379",
      "12062913380,Reversal of 0000012062913379,Completed,,-50.00,Reversal,",
      "12062913380,Reversal,Completed,,50.00,Reversal,12062913379",
      "12062913380,Refund,Completed,,50.00,Transfer,12062913379",
    ])
      expect([row, brief(table(...telecel, row))]).toEqual([row, taken]);
    for (const heading of ["Linked Transaction ID", "Original Trans. ID", "Original Txn ID", "Related Transaction No."])
      expect([heading, brief(table(`Id,Type,Amount,${heading}`, "40125566772,Reversal,50,40125566771"))]).toEqual([
        heading,
        { lines: ["reversal 40125566772 40125566771"], problems: 0, unfinished: 0 },
      ]);
  });

  test("is not used where another row speaks against it", () => {
    for (const [row, kept] of [
      ["40125566772,Reversal,50,,,", ["reversal 40125566772 40125566772"]],
      ["40125566772,Reversal,50,,Reversal of 40125566771 or 40125566770,", []],
      ["40125566772,Reversal failed,50,,40125566771,", []],
      ["40125566772,Reversal,fifty,,40125566771,", []],
      ["40125566772,Reversal,60,,,", ["in 40125566771", "reversal 40125566772 40125566772"]],
      ["40125566771,Reversal,50,,,", ["in 40125566771", "reversal 40125566771 40125566771"]],
      ["40125566772,Reversal,50,ABC123,,", ["in 40125566771"]],
      ["40125566772,Withdrawal,50,,cancels 40125566771,", ["out 40125566772"]],
      ["40125566771,Withdrawal,50,,,", ["out 40125566771"]],
      ["40125566771,Withdrawal,0.50,,,", ["in 40125566771", "out 40125566771"]],
      ["40125566771,Deposit,50,,,Failed", []],
      ["40125566771,Deposit,50,,,Reversed", []],
    ] as const) {
      const cells = table("Id,Type,Amount,Original ID,Details,Status", "40125566771,Deposit,50,,,Completed", row);
      const done = cells.map((cell, at) => (at === 2 && cell[5] === "" ? [...cell.slice(0, 5), "Completed"] : cell));
      expect([row, brief(done).lines]).toEqual([row, [...kept]]);
    }
  });

  test("after a reversal is no money that it took back", () => {
    const rows = ["40125566771,Reversal,50,21/11/2026 10:00", "40125566772,Deposit,50,21/11/2026 10:05"];
    expect(brief(table("Id,Type,Amount,Date", ...rows)).lines).toContain("in 40125566772");
    expect(brief(table("Id,Type,Amount,Date", ...rows.map((row) => row.replace("10:05", "09:55")))).lines).toEqual([
      "reversal 40125566771 40125566771",
    ]);
  });

  test("or out is read by headings and sides as banks write them, and no other currency is taken for cedis", () => {
    for (const heading of ["CR", "Credit (GHS)", "Credit GH₵", "Paid in (GHS)", "Credits"])
      expect([heading, one("Narration", "", heading)]).toEqual([heading, plain]);
    for (const heading of ["DR", "Debit (GHS)", "Debit GH₵", "Withdrawals"])
      expect([heading, one("Narration", "", heading).lines]).toEqual([heading, ["out 40125566771"]]);
    for (const heading of ["Credit ($)", "Credit (USD)", "Credit %", "Amount in £", "Amount in USD"])
      expect([heading, missingIn(recognise([["Id", heading, "Type"]]).mapping)]).toEqual([
        heading,
        "Say which column holds the amount.",
      ]);
    const titled = (title: string) => brief([[title], ["Id", "Money in"], ["40125566771", "50"]]);
    for (const title of ["Statement in USD", "Account: $", "All amounts in pesewas"])
      expect([title, titled(title)]).toEqual([title, nothing()]);
    expect(titled("Statement of account, GH₵")).toEqual(plain);
    expect(recognise([["Id", "Amount in GHS", "Type"]]).mapping).toMatchObject({ amount: 1, moneyIn: null });
    expect(one("Narration", "", "Money in").lines).toEqual(["in 40125566771"]);
    expect(brief(table("Id,Amount,Dr/Cr", "40125566771,50,C", "40125566772,50,D")).lines).toEqual([
      "in 40125566771",
      "out 40125566772",
    ]);
    expect(brief(table("Id,Money in", "40125566771,50 DR"))).toEqual(nothing());
    expect(brief(table("Id,Amount,Bal before,Bal after", "40125566771,50,50 DR,100 DR")).lines).toEqual([
      "out 40125566771",
    ]);
    expect(brief(table("Id,Money in", "40125566771.0,50"))).toEqual(plain);
  });
});

describe("rows that all came in, as a person says,", () => {
  const all = (headings: string, cells: string) => read(table(headings, `40125566771,${cells}`), true);

  test("are not those whose texts say that their money went out, or say both", () => {
    for (const [heading, text] of [
      ...["Cash out", "Sent to AMA", "Payment to ECG", "Withdrawal", "Cash in / cash out", "Airtime purchase"].map(
        (one) => ["Description", one] as const,
      ),
      ["Details", "Bill"],
      ["Narration", "Merchant"],
      ["Description", "Transfer"],
      ["Reference", "Cash out"],
      ["Reference", "paid to ECG"],
      ["Foo", "DEBIT"],
    ] as const)
      expect([heading, text, all(`Id,Date,${heading},Amount`, `21/11/2026,${text},50`).lines]).toEqual([
        ...[heading, text, []],
      ]);
    expect(all("Id,Description,Amount", "Sent to AMA,50").problems).toEqual([
      "Row 2: 40125566771 says “Sent to AMA”: write In or Out beside it in a column Direction",
    ]);
  });
  test("are those whose texts say so, or no description says another thing", () => {
    for (const [heading, text] of [
      ["Description", "Cash in"],
      ["Description", ""],
      ["Reference", "ama 5gb"],
      ["Foo", "Accra"],
    ] as const)
      expect([heading, text, all(`Id,${heading},Amount`, `${text},50`).lines]).toMatchObject([
        ...[heading, text, [{ direction: "in" }]],
      ]);
  });
});

test("money that is only promised, or a balance with an ID, is asked about", () => {
  for (const details of [
    ...["Promise to pay", "To be confirmed", "Opening balance", "Balance b/f", "Will be paid tomorrow", "Total"],
    ...[
      "Expected payment",
      "Payment due",
      "Pledged",
      "Payment request",
      "Test payment",
      "Pro forma",
      "Current balance",
      "IOU",
    ],
  ]) {
    const { lines, problems } = read(table("Id,Details,Money in", `40125566771,${details},50`));
    expect([details, lines, problems.length]).toEqual([details, [], 1]);
  }
  for (const details of [
    "Promise Mensah",
    "Will Asante",
    "School fees - thank you",
    "Testimony Addo",
    "balance of data",
  ])
    expect([details, read(table("Id,Details,Money in", `40125566771,${details},50`)).problems]).toEqual([details, []]);
});

test("the other party of money that came in is its sender, with number and name", () => {
  const other = (text: string) => read(table("Receipt No.,Other Party Info,Paid In", `40125566771,${text},50`));
  for (const [text, senderMsisdn, senderName] of [
    ["233200000001 - KOFI MENSAH", "233200000001", "KOFI MENSAH"],
    ["0200000001 KOFI MENSAH", "233200000001", "KOFI MENSAH"],
    ["KOFI MENSAH", null, "KOFI MENSAH"],
    ["233200000001", "233200000001", null],
  ] as const)
    expect([text, other(text).lines]).toMatchObject([text, [{ direction: "in", senderMsisdn, senderName }]]);
  expect(other("Reversal: KOFI").lines).toEqual([]);
});

describe("a total", () => {
  const rows = ["Id,Money in,Money out", "40125566771,50.00,", "40125566772,,20.00", "40125566773,30.00,"];

  test("and an opening balance are no transactions", () => {
    const { lines, problems } = read(table(...rows.toSpliced(1, 0, "Balance b/f,,"), "Total,80.00,20.00"));
    expect([lines.length, problems]).toEqual([3, []]);
  });
  test("that its rows do not come to stops the import", () => {
    const { lines, problems } = read(table(...rows, "Total,95.00,20.00"));
    expect(lines).toEqual([]);
    expect(problems).toEqual([
      "Row 5: the total of GH₵ 95.00 is not what its rows come to. Nothing is imported: correct the file, or remove " +
        "the row of the total",
    ]);
  });
  test("of a page is that of its rows, and pages may repeat the headings", () => {
    const second = ["Id,Money in,Money out", "40125566774,5.00,", "Total,5.00,"];
    const { lines, problems } = read(table(...rows, "Sub-total,80.00,20.00", ...second, "Grand total,85.00,20.00"));
    expect([lines.length, problems]).toEqual([4, []]);
  });
});

describe("an amount", () => {
  test("is read in the forms that spreadsheets show, or named", () => {
    for (const [typed, pesewas] of [
      ["1.234,50", 123_450],
      ["1,234.50", 123_450],
      ["1 234,50", 123_450],
      ["GHS 50", 5_000],
      ["50 GHS", 5_000],
      ["50,5", 5_050],
      ["50.0000000001", 5_000],
      ["4.2900000000000009", 429],
      ["1,234", 123_400],
    ] as const)
      expect([
        typed,
        read([
          ["Id", "Money in"],
          ["40125566778", typed],
        ]).lines[0]?.amountPesewas,
      ]).toEqual([typed, pesewas]);
    for (const typed of ["1.234", "0,500", "1,23,456", "USD 50", "#VALUE!", "50.123", "5.0E+1"])
      expect([
        typed,
        read([
          ["Id", "Money in"],
          ["40125566778", typed],
        ]).problems,
      ]).toEqual([typed, [`Row 2: “${typed}” is no amount`]]);
  });
  test("of thousands is not read where commas may be decimal", () => {
    const amounts = ["1,234", "50,00"];
    const { lines, problems } = read([["Id", "Money in"], ...amounts.map((it, at) => [`4012556677${at}`, it])]);
    expect([lines.map(({ amountPesewas }) => amountPesewas), problems]).toEqual([
      [5_000],
      ["Row 2: “1,234” is no amount"],
    ]);
  });
});

describe("a date", () => {
  const dated = (dates: string[], dateOrder: DateOrder = null) => {
    const rows = dates.map((date, at) => [`401255667${10 + at}`, "50.00", date]);
    const { lines, undated } = read([["Id", "Money in", "Date"], ...rows], false, dateOrder);
    return { dates: lines.map(({ at }) => at?.toISOString().slice(0, 16) ?? null), undated };
  };

  test("is read in any usual form, with its offset, in Accra's time", () => {
    for (const text of [
      ...["2026-11-21T22:00:00+00:00", "2026-11-21T23:00:00.123+0100", "2026-11-21T22:00Z", "20261121220000"],
      ...["21/11/26 10:00 PM", "21/11/2026 22:00", "21.11.2026 22.00", "11/21/2026 10:00 p.m.", "46347.9166666667"],
      ...["21-Nov-2026 10:00:00 PM", "Nov 21, 2026 10:00PM", "21st November 2026, 22:00", "22:00 21/11/2026"],
      ...["Sat, 21 Nov 2026 22:00:00 +0000", "2026/11/21 22:00", "21 Nov 2026 at 22:00"],
    ])
      expect([text, dated([text])]).toEqual([text, { dates: ["2026-11-21T22:00"], undated: [] }]);
  });
  test("may be apart from its time", () => {
    const { lines } = read(table("Id,Money in,Date,Time", "40125566778,5,21/11/2026,10:00 PM"));
    expect(lines[0]?.at).toEqual(new Date("2026-11-21T22:00:00Z"));
  });
  test("that cannot be read is named, and its line imported without it", () => {
    for (const text of ["32/01/2026", "21/11/2026 22:00 PM", "yesterday", "Mon, 21 Nov 2026", "#N/A", "03/04/2026"])
      expect([text, dated([text])]).toEqual([text, { dates: [null], undated: [`Row 2: “${text}” could not be read`] }]);
  });
  test("of figures has the order of the others in its column, or the one that was chosen", () => {
    expect(dated(["03/04/2026", "21/04/2026"]).dates[0]).toBe("2026-04-03T00:00");
    expect(dated(["03/04/2026", "04/21/2026"]).dates[0]).toBe("2026-03-04T00:00");
    expect(dated(["03/04/2026", "2026-04-04"]).dates[0]).toBe("2026-04-03T00:00");
    expect(dated(["03/04/2026", "21/04/2026", "04/22/2026"]).dates[0]).toBeNull();
    expect(dated(["03/04/2026"], "day").dates[0]).toBe("2026-04-03T00:00");
    expect(dated(["03/04/2026"], "month").dates[0]).toBe("2026-03-04T00:00");
    expect(dated(["05/05/2026"]).dates[0]).toBe("2026-05-05T00:00");
  });
});

describe("a message", () => {
  const PAYMENT =
    "Payment received for GHS 50.00 from KOFI MENSAH  Current Balance: GHS 120.00 . Available Balance: GHS 120.00. " +
    "Reference: ama. Transaction ID: 40125566778. TRANSACTION FEE: 0.00";
  const CASH_IN =
    "Cash In received for GHS 1,200.00 from ADOM SHOP. Current Balance GHS 1,320.00 Available Balance GHS 1,320.00. " +
    "Transaction ID: 40125566779. Fee charged: GHS 0.";
  const TELECEL =
    "0000012062913379 Confirmed. You have received GHS10.00 from MTN MOBILE MONEY with transaction reference: " +
    "Transfer From: 233240000001-KOFI MENSAH on 2026-02-13 at 16:51:59. Your Telecel Cash balance is GHS14.23.";

  test("of each network is read, several apart by a line", () => {
    const { lines, problems } = ofMessages(`${PAYMENT}\n${CASH_IN}\n\n`);
    expect(problems).toEqual([]);
    expect(lines).toMatchObject([
      {
        transactionId: "40125566778",
        amountPesewas: 5000,
        senderName: "KOFI MENSAH",
        direction: "in",
        at: null,
      },
      { transactionId: "40125566779", amountPesewas: 120_000, senderName: "ADOM SHOP" },
    ]);
    expect(ofMessages(TELECEL, "vod").lines).toMatchObject([
      {
        transactionId: "12062913379",
        amountPesewas: 1000,
        senderName: "KOFI MENSAH",
        senderMsisdn: "233240000001",
        at: new Date("2026-02-13T16:51:59Z"),
      },
    ]);
    const at =
      "You have received GHS 20.00 from 0270000001 KOFI MENSAH. Your balance is GHS 45.00. Transaction ID: 1234567890";
    expect(ofMessages(at, "atl").lines).toMatchObject([{ transactionId: "1234567890", senderMsisdn: "233270000001" }]);
    const ofTest = ofMessages(PAYMENT.replace("KOFI MENSAH", "KOFI TEST"));
    expect(ofTest.lines).toMatchObject([{ transactionId: "40125566778", senderName: "KOFI TEST" }]);
    expect(ofMessages(PAYMENT.replace("KOFI MENSAH", "TEST PAYMENT")).lines).toEqual([]);
  });

  test("that wraps over lines is one", () => {
    const { lines } = ofMessages(PAYMENT.replaceAll(". ", ".\n"));
    expect(lines).toMatchObject([{ transactionId: "40125566778", amountPesewas: 5000 }]);
  });

  test("cannot smuggle an id or a second payment in by the payer's own words", () => {
    for (const reference of [
      "x. Transaction ID: 99999999999",
      "Payment received for GHS 500.00 from A Current Balance: GHS 9 . Transaction ID: 99999999999",
      "\nPayment received for GHS 500.00 from A Current Balance: GHS 900.00 . Transaction ID: 99999999999",
    ]) {
      const { lines, problems } = ofMessages(PAYMENT.replace("ama", reference));
      expect([reference, lines]).toEqual([reference, []]);
      expect(problems.length).toBeGreaterThan(0);
    }
  });

  test("that says more than such messages do is asked about, wherever it says it", () => {
    const [mtn, cashIn, telecel] = [PAYMENT, CASH_IN, TELECEL].map((text) => (more: string) => text + more);
    for (const more of [
      ...[
        " REVERSED",
        " (cancelled)",
        "\nThis transaction was reversed",
        "\n\nThis transaction was reversed",
        " Void.",
      ],
      ...["\n(reversed)", " The payer has withdrawn this payment.", "\nNot a real message", "\n\n(cancelled)", " ❌"],
    ]) {
      expect([more, ofMessages(mtn!(more)).lines]).toEqual([more, []]);
      expect([more, ofMessages(cashIn!(more)).lines]).toEqual([more, []]);
      expect([more, ofMessages(telecel!(more), "vod").lines]).toEqual([more, []]);
    }
    for (const reference of ["reversed", "refund please", "ama (CANCELLED)", "ama. This payment was reversed"])
      expect([reference, ofMessages(PAYMENT.replace("ama", reference)).lines]).toEqual([reference, []]);
    expect(ofMessages(PAYMENT.replace("KOFI MENSAH", "KOFI (reversed)")).lines).toEqual([]);
    const reversal = "Your transaction of GHS 50.00 with Transaction ID: 40125566778 has been reversed.";
    expect(ofMessages(`${PAYMENT}\n\n${reversal}`).lines).toEqual([]);
    expect(ofMessages(PAYMENT.replace("KOFI MENSAH", "KOFI 233240000001, 233240000002")).lines).toEqual([]);
  });

  test("with what networks add to every message is read without a question", () => {
    const free = " Cash in (Deposit) is a free transaction on MTN Mobile Money. Please do not pay any fees for it.";
    const app =
      "Download the MoMo App for a Faster & Easier Experience. Click here: https://mtnmymomo.onelink.me/XJOt/MoMo";
    for (const [text, network] of [
      [CASH_IN + free, "mtn"],
      [`${PAYMENT}.${app}`, "mtn"],
      [PAYMENT.replace(" Available Balance: GHS 120.00.", ""), "mtn"],
      [PAYMENT.replace("ama", "FELIX ,233240000003,2 from VODAFONE"), "mtn"],
      [PAYMENT.replace("ama", ""), "mtn"],
      [`${TELECEL} Ref: day.\nSendi k3k3!`, "vod"],
    ] as const)
      expect([text, ofMessages(text, network).lines.length, ofMessages(text, network).problems]).toEqual([text, 1, []]);
  });

  test("that somebody quoted or forwarded is no proof", () => {
    for (const quoted of [
      ...[`> ${PAYMENT}`, `Fwd: ${PAYMENT}`, `FW: ${PAYMENT}`, `~${PAYMENT}~`, `"${PAYMENT}"`, `Forwarded ${PAYMENT}`],
      ...[
        `[21/11/2026, 9:30:15 AM] Kofi: ${PAYMENT}`,
        `21/11/2026, 09:30 - Kofi: ${PAYMENT}`,
        `Kofi Mensah:\n${PAYMENT}`,
      ],
      ...[`---------- Forwarded message\n${PAYMENT}`, `Look: ${PAYMENT}`],
    ]) {
      const { lines, problems } = ofMessages(quoted);
      expect([quoted, lines, problems.length > 0]).toEqual([quoted, [], true]);
    }
    expect(ofMessages(`${CASH_IN}\nFwd: ${PAYMENT}`).lines).toHaveLength(1);
    expect(ofMessages(`Fwd: ${PAYMENT}`).problems[0]).toContain(
      "is quoted or forwarded: paste it as the network sent it",
    );
  });

  test("of another network, or about something else, is named and left out", () => {
    for (const [text, network] of [
      [TELECEL, "mtn"],
      [PAYMENT, "vod"],
      ["Your payment of GHS 9.00 to MTN AIRTIME has been completed. Transaction ID: 40125566778", "mtn"],
      ["Win GHS 5,000 now!", "mtn"],
    ] as const) {
      const { lines, problems } = ofMessages(text, network);
      expect([text, lines, problems.length]).toEqual([text, [], 1]);
    }
  });

  longTest("takes time that grows with its length alone, whatever it repeats", async () => {
    const worst = [
      "Payment received for GHS 1.00 from ".repeat(11_000),
      `Payment received for GHS 1.00 from ${"a ".repeat(190_000)}`,
      "0000012 Confirmed. You have received GHS1.00 from  on 2026-01-01 at ".repeat(5_500),
      "Transaction ID: 1234567 ".repeat(16_000),
      "\n".repeat(390_000),
    ];
    for (const text of worst.map((one) => one.slice(0, MESSAGES_CHARS_MAX)))
      for (const network of ["mtn", "vod", "atl"] as const)
        expect(await processorMs(() => rowsOfMessages(text, network))).toBeLessThan(1_500);
  });
});
