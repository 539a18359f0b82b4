// Mobile money statements and messages as networks write them: which column is what, what each row says, and texts that
// try to say more than they may.
import { describe, expect, test } from "bun:test";
import { MESSAGES_CHARS_MAX, rowsOfMessages } from "../../src/web/upload/momo-messages.ts";
import { missingIn, readLines, recognise } from "../../src/web/upload/statement-columns.ts";
import { processorMs } from "../support/processor.ts";

const read = (cells: string[][], isAllIn = false) => {
  const { headingRow, mapping } = recognise(cells);
  return readLines(cells, headingRow, mapping, { isAllIn });
};
const ofMessages = (text: string, network: "mtn" | "vod" | "atl" = "mtn") =>
  read(rowsOfMessages(text, network));

describe("a file", () => {
  const MTN =
    "TRANSACTION DATE,FROM ACCT,FROM NAME,FROM NO.,TRANS. TYPE,AMOUNT,FEES,E-LEVY,BAL BEFORE,BAL AFTER,F_ID";
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
    expect(lines.map(({ transactionId }) => transactionId)).toEqual(["40125566780", "12062913379"]);
    expect(problems).toEqual([
      "Row 2: “4.01E+10” is no transaction ID",
      "Row 3: “fifty” is no amount",
      "Row 4: 40125566779 does not say whether its money came in or went out",
      "Row 6: 40125566780 is there twice",
    ]);
    expect(read(cells, true).lines).toHaveLength(3);
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
    expect(ofMessages(at, "atl").lines).toMatchObject([
      { transactionId: "1234567890", senderMsisdn: "233270000001" },
    ]);
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

  test("takes time that grows with its length alone, whatever it repeats", async () => {
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
