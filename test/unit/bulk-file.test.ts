// Tests of files of numbers: the right column is found, long numbers are exact, and unreadable files are refused
// clearly.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { AppError } from "../../src/shared/errors/app-error.ts";
import { parseBulkLines } from "../../src/shared/lists/bulk-lines.ts";
import { sizeText } from "../../src/shared/lists/bulk-names.ts";
import { linesOfFile } from "../../src/web/upload/bulk-file.ts";
import { longTest } from "../support/long.ts";
import { processorMs } from "../support/processor.ts";
import { NAMESPACE, workbook, workbookParts, zip } from "../support/xlsx.ts";

const read = (content: string | Uint8Array) =>
  linesOfFile(new Uint8Array(Buffer.from(content))).then((file) => file.read);
const refusal = (content: string | Uint8Array) =>
  read(content).then(
    (lines) => `read: ${lines}`,
    (error: unknown) => {
      if (error instanceof AppError) return error.details!.fields!.file!;
      throw error;
    },
  );

const sheetOf = (cells: string) => `<worksheet xmlns="${NAMESPACE}"><sheetData>${cells}</sheetData></worksheet>`;

/** The orders of a file, as "0241234567 x 2 5GB MTN"; one that is asked about as "?". */
const ordersOf = async (rows: (string | number | null)[][]) =>
  parseBulkLines(await read(workbook(rows))).map(({ msisdn, quantity, sizeMb, network, figure, problem }) =>
    problem || figure !== null
      ? "?"
      : [`0${msisdn!.slice(3)}`, quantity > 1 && `x ${quantity}`, sizeMb && sizeText(sizeMb), network]
          .filter(Boolean)
          .join(" "),
  );

describe("a column whose heading says nothing of the order", () => {
  test.each([
    ["Which bundle do you want?", "5GB MTN bundle", "0241234567 5GB MTN"],
    ["Which bundle do you want?", "5GB (GHS 22)", "0241234567 5GB"],
    ["Bundle & Price", "5GB - GHS 22", "0241234567 5GB"],
    ["Package Name", "5GB", "0241234567 5GB"],
    ["Total GB", "5", "?"],
    ["Name", "Kofi 5GB x2", "0241234567 x 2 5GB"],
    ["Telecel", "5GB", "0241234567 5GB TELECEL"],
    ["Network", "YELLO", "?"],
    ["Name", "Kofi - CANCELLED", "?"],
    ["Validity (days)", "90", "0241234567"],
    ["Description", "MTN 5GB", "0241234567 5GB MTN"],
    ["Forfait", "1.5 Go", "0241234567 1.5GB"],
    ["Notes", "5GB please", "0241234567 5GB"],
    ["Notes", "2 bundles", "0241234567 x 2"],
    ["Remarks", "x2", "0241234567 x 2"],
    ["Remarks", "five gb", "?"],
    ["Request", "5 please", "?"],
    ["Service", "Telecel", "0241234567 TELECEL"],
    ["Comment", "for my sister", "0241234567"],
    ["Hostel", "Block A2", "0241234567"],
    ["Room", "Room 12", "0241234567"],
    ["Group", "Form 2", "0241234567"],
    ["Request", "Buy 5", "?"],
  ])("is read, or asked about, where it says something: %s, %s", async (title, cell, wanted) => {
    expect(
      await ordersOf([
        ["Name", "Phone number", title],
        ["Kofi", "0241234567", cell],
      ]),
    ).toEqual([wanted]);
  });
});

describe("a column that says what became of an order", () => {
  const FATES = ["Successful", "Processed", "Pending", "Processing", "Placed", "Rejected", "Fulfilled", "Delivered"];
  test.each([
    ...FATES.map((cell) => ["Status", cell]),
    ...["Yes", "TRUE", "✓", "x", "1"].map((cell) => ["Done", cell]),
    ["Sent?", "yes"],
    ["Delivered", "21/11/2026"],
    ["Cancelled", "Yes"],
    ["Order placed", "Yes"],
    ["Paid", "No"],
    ["Paid", "half"],
    ["Amount Paid", "0"],
    ["Payment Status", "Refunded"],
    ["Cancel", "Yes"],
    ["Active", "FALSE"],
    ["Served", "Yes"],
    ["Payment", "Not paid"],
  ])("makes it a question: %s, %s", async (title, cell) => {
    const rows = [
      ["Phone", "Data", title],
      ["0241234567", "5GB", cell],
      ["0551234567", "5GB", ""],
    ];
    expect(await ordersOf(rows as string[][])).toEqual(["?", "0551234567 5GB"]);
  });

  test.each([
    ["Status", "Paid"],
    ["Status", "to send"],
    ["Paid", "Yes"],
    ["Paid by", "MoMo"],
    ["Amount", "22.50"],
    ["Done", "No"],
    ["Cancelled", "FALSE"],
    ["Sent", "0"],
  ])("leaves one that waits: %s, %s", async (title, cell) => {
    expect(
      await ordersOf([
        ["Phone", "Data", title],
        ["0241234567", "5GB", cell],
      ]),
    ).toEqual(["0241234567 5GB"]);
  });
});

describe("a row is headings", () => {
  test("only where it has no figure, size or long number, and not below numbers", async () => {
    const rows = [
      ["Kofi", "Mobile", "0241234567"],
      ["Ama", "Mobile", "05512345678"],
      ["Yaw", "Mobile", "0541234567"],
    ];
    expect(await ordersOf(rows)).toEqual(["0241234567", "?", "0541234567"]);
    const sized = [
      ["0241234567", "Data", "5GB"],
      ["02412345", "Data", "5GB"],
    ];
    expect(await ordersOf(sized)).toEqual(["0241234567 5GB", "?"]);
    const total = [
      ["0241234567", "5GB"],
      ["Total", "Bundles"],
      ["0541234567", "5GB"],
    ];
    expect(await ordersOf(total)).toEqual(["0241234567 5GB", "0541234567 5GB"]);
  });

  test("also below other rows with numbers, which are read as they stand", async () => {
    const rows = [
      ["0201234567", "2GB"],
      ["Phone", "Data"],
      ["0241234567", "5GB"],
    ];
    expect(await ordersOf(rows)).toEqual(["0201234567 2GB", "0241234567 5GB"]);
  });

  test("and a second one begins a table with its own columns", async () => {
    const rows = [
      ["Phone", "Data"],
      ["0241234567", "5GB"],
      ["Phone", "Qty"],
      ["0551234567", "2"],
    ];
    expect(await ordersOf(rows)).toEqual(["0241234567 5GB", "0551234567 x 2"]);
  });

  test("with the units in it, as group shares have", async () => {
    const titles = [
      "Beneficiary Msisdn",
      "Beneficiary Name",
      "Voice(Minutes)",
      "Data (MB) (1024MB = 1GB)",
      "Sms(Unit)",
    ];
    expect(await ordersOf([titles, ["0241234567", "Kofi", "0", "5120", "0"]])).toEqual(["0241234567 5GB"]);
  });

  test("with a year in it", async () => {
    expect(
      await ordersOf([
        ["Phone", "Data (GB)", "Price 2026"],
        ["0241234567", "5", "20.50"],
      ]),
    ).toEqual(["0241234567 5GB"]);
  });

  test("with counts in it, as the contacts of Google have", async () => {
    const rows = [
      ["First Name", "Phone 1 - Label", "Phone 1 - Value"],
      ["Kofi", "Mobile", "024 123 4567"],
      ["Ama", "Mobile", "+233 55 123 4567"],
    ];
    expect(await ordersOf(rows)).toEqual(["0241234567", "0551234567"]);
  });
});

test.each(["MTN 5GB x2", "x2 MTN 5GB", "MTN 5GB (x2)", "MTN 5GB X2", "2 x MTN 5GB"])(
  "a quantity in the cell of a size is not lost: %s",
  async (cell) => {
    const [order] = await ordersOf([
      ["Phone", "Product"],
      ["0241234567", cell],
    ]);
    expect(["0241234567 x 2 5GB MTN", "?"]).toContain(order!);
  },
);

describe("a workbook", () => {
  test("without headings is read like pasted cells", async () => {
    expect(
      await read(
        workbook([
          ["Kofi", "0241234567", 2],
          ["Ama", "0201234567", null],
        ]),
      ),
    ).toBe("Kofi\t0241234567\t2\nAma\t0201234567");
  });

  test("gives phone numbers that are stored as numbers exactly", async () => {
    expect(await read(workbook([[241234567], [233241234567], ["+233 24 123 4567"]]))).toBe(
      "241234567\n233241234567\n+233 24 123 4567",
    );
    const parts = workbookParts([[1]]);
    parts["xl/worksheets/sheet1.xml"] = sheetOf(
      "<row><c><v>2.33241234567E11</v></c></row><row><c><v>2.33241E+11</v></c></row>",
    );
    expect(await read(zip(parts))).toBe("233241234567\n2.33241e+11");
  });

  test("with headings gives the column of numbers, and a quantity only under its heading", async () => {
    const rows = [
      ["Orders of November"],
      ["No.", "Customer", "Phone Number", "Price", "Qty"],
      [1, "Kofi", 241234567, 19.5, 2],
      [2, "Ama", "020 123 4567", 39, null],
      [null, "Total", null, 58.5, 2],
      [3, "Yaw", 261234567, 19.5, "many"],
    ];
    expect(await read(workbook(rows))).toBe("241234567,2\n020 123 4567\nTotal\t\t58.5\t2\n261234567,x");
  });

  test("with a column of sizes keeps them, to be compared with the package", async () => {
    expect(
      await read(
        workbook([
          ["OPERATOR", "NUMBER", "GIGs"],
          ["MTN", "0241234567", 5],
          ["MTN", "0201234567", "10GB"],
        ]),
      ),
    ).toBe("0241234567 5GB MTN\n0201234567 10GB MTN");
  });

  test("with two columns of numbers is refused, not guessed", async () => {
    const rows = [
      ["Sender phone", "Receiver phone"],
      ["0241234567", "0201234567"],
    ];
    expect(await refusal(workbook(rows))).toContain('"Sender phone" and "Receiver phone" both hold phone numbers');
  });

  test("may be uncompressed, have other prefixes, inline text, or rich text", async () => {
    const parts = workbookParts([["x"]]);
    parts["xl/worksheets/sheet1.xml"] =
      `<x:worksheet xmlns:x="${NAMESPACE}"><x:sheetData>` +
      '<x:row r="1"><x:c t="inlineStr"><x:is><x:t>024</x:t></x:is></x:c><x:c t="s"><x:v>0</x:v></x:c>' +
      '<x:c t="str"><x:v>A &amp; &#66;</x:v></x:c></x:row></x:sheetData></x:worksheet>';
    parts["xl/sharedStrings.xml"] =
      `<sst xmlns="${NAMESPACE}"><si><r><t>12</t></r><r><t>34</t></r><rPh><t>no</t></rPh></si></sst>`;
    expect(await read(zip(parts, { isStored: true }))).toBe("024\t1234\tA & B");
  });
});

describe("a text file", () => {
  test("with headings, quotes and any separator gives number and quantity", async () => {
    expect(await read('\ufeffName;Mobile;Quantity\r\n"Kofi; Jr";0241234567;2\r\nAma;241234568;\r\n')).toBe(
      "0241234567,2\n241234568",
    );
  });
  test("without headings is read unchanged", async () => {
    expect(await read('"0241234567",2\nKofi 0201234567')).toBe("0241234567,2\nKofi 0201234567");
  });
  test("with contacts of a phone gives the number of each, and not one that a name holds", async () => {
    const card = "BEGIN:VCARD\nFN:Ama MTN 0551234567\nTEL:0201234567\nEND:VCARD\n";
    expect(await read(`${card}BEGIN:VCARD\nFN:Yaw\nTEL:0241112222`)).toBe("Ama MTN\t0201234567\nYaw\t0241112222");
  });

  test("is also read in UTF-16 or an old encoding", async () => {
    expect(await read(Buffer.from("\ufeff0241234567\t2\r\n", "utf16le"))).toBe("0241234567\t2");
    expect(await read(Buffer.from([0x41, 0x6d, 0xe9, 0xa0, ...Buffer.from("0241234567")]))).toBe("Amé\u00a00241234567");
  });
  test("with numbers that a sheet has rounded still reports that", async () => {
    expect(await read("Phone,Qty\n2.33241E+11,2\n2.33201E+11,1")).toBe("2.33241E+11,2\n2.33201E+11,1");
  });
});

describe("a file is refused with a message when it", () => {
  const locked = Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.from("EncryptedPackage", "utf16le")]);
  const bomb = (options = {}) =>
    zip({ ...workbookParts([[1]]), "xl/worksheets/sheet1.xml": Buffer.alloc(60_000_000, " ") }, options);
  test.each([
    ["is empty", "", "There are no numbers in this file"],
    ["has no digits", "Hello", "There are no numbers in this file"],
    ["is too large", "0".repeat(2_100_000), "too large: up to 2 MB"],
    ["is a part of an old workbook", Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1, 2]), "damaged"],
    ["is locked", locked, "protected by a password"],
    ["has locked parts", workbook([[1]], { isLocked: true }), "protected by a password"],
    ["is a picture", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]), "Choose an Excel"],
    ["is a PDF", "%PDF-1.7 123", "Choose an Excel"],
    ["is another office's sheet", zip({ mimetype: "x", "content.xml": "<a/>" }), "Save the sheet as .xlsx"],
    ["is a part of a workbook", workbook([[1]]).subarray(0, 300), "damaged"],
    ["lacks its sheet", zip({ "xl/workbook.xml": "<workbook/>" }), "damaged"],
    ["decompresses to far more than its size", bomb(), "This sheet is too large"],
    ["decompresses to more than it declares", bomb({ directoryBytes: 10 }), "This sheet is too large"],
  ])("%s", async (_, content, message) => {
    expect(await refusal(content)).toContain(message);
  });

  test("any file, whatever its bytes, is either read or refused with a message", async () => {
    const good = workbook([
      ["Phone", "Qty"],
      [241234567, 2],
    ]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        fc.nat(good.length),
        async (changes, length) => {
          const bytes = Uint8Array.from(good);
          for (const [at, byte] of changes) bytes[at] = byte;
          expect(typeof (await refusal(bytes.subarray(0, Math.max(4, length))))).toBe("string");
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("a column of figures is read by its heading", () => {
  const GB = "0248100001 5GB\n0248100002 2GB";
  test.each([
    ["Capacity", GB],
    ["Data (GB)", GB],
    ["Data Size", GB],
    ["Amount of data", GB],
    ["GB", GB],
    ["Package (GB)", GB],
    ["Volume", GB],
    ["Data (MB)", "0248100001 5MB\n0248100002 2MB"],
    ["Quantity", "0248100001,5\n0248100002,2"],
    ["Number of bundles", "0248100001,5\n0248100002,2"],
    ["Price", "0248100001\n0248100002"],
    ["Amount (GHS)", "0248100001\n0248100002"],
    ["S/N", "0248100001\n0248100002"],
    // An ambiguous figure stays with its number, for a question.
    ["Amount", "0248100001\t5\n0248100002\t2"],
    ["Order", "0248100001\t5\n0248100002\t2"],
    ["", "0248100001\t5\n0248100002\t2"],
  ])("%j", async (title, lines) => {
    expect(await read(`Phone,${title}\n0248100001,5\n0248100002,2`)).toBe(lines);
  });

  test("or by its own texts, and never dropped when it is filled with figures", async () => {
    expect(await read("Phone,Order\n0248100001,5GB\n0248100002,500 MB")).toBe("0248100001 5GB\n0248100002 500MB");
    expect(await read("Phone,Data Size\n0248100001,10GB\n0248100002,2gig")).toBe("0248100001 10GB\n0248100002 2GB");
  });

  test("as in the networks' own workbook for beneficiaries", async () => {
    const rows = [
      ["Beneficiary Msisdn", "Beneficiary Name", "Voice(Minutes)", "Data (MB)", "Sms(Unit)"],
      ["233241234567", "Kofi", 0, 5120, 0],
      ["233241234568", "Ama", 0, 10240, 0],
    ];
    expect(await read(workbook(rows))).toBe("233241234567 5GB\n233241234568 10GB");
  });

  test("with the network of each line beside it", async () => {
    expect(await read("Network,Phone,GB\nMTN,0248100001,5\nAirtelTigo,0271234567,2")).toBe(
      "0248100001 5GB MTN\n0271234567 2GB AirtelTigo",
    );
  });

  test("but not when there are two of the same kind", async () => {
    expect(await refusal("Phone,Amount,Order\n0248100001,5,7\n0248100002,2,9")).toContain(
      'the columns "Amount" and "Order" mean',
    );
  });

  test("and ignored when it counts the rows", async () => {
    expect(await read("List,Phone,GB\n1,0248100001,5\n2,0248100002,2\n3,0248100003,2")).toBe(
      "0248100001 5GB\n0248100002 2GB\n0248100003 2GB",
    );
  });
});

describe("limits apply before any pattern reads a text:", () => {
  const sheet = (cells: string) =>
    zip({
      ...workbookParts([["0541234567"]]),
      "xl/worksheets/sheet1.xml": sheetOf(cells),
    });
  test.each([
    ["a run of digits", `phone,size\n0541234567,${"1".repeat(60_000)}x\n`, "more than 200 characters"],
    ["a run of letters is cut", `phone,note\n0541234567,${"x".repeat(60_000)}\n`, "read: 0541234567"],
    ["many columns", `phone${",".repeat(200_000)}\n${"1\n".repeat(8_000)}`, "too large"],
    ["quotes", `phone\n${'"'.repeat(1_900_001)}`, "no numbers"],
    ["a quote without an end", `phone\n"${"1,".repeat(900_000)}`, ""],
    ["new lines", "\n".repeat(2_000_000), "no numbers"],
    ["commas", ",".repeat(2_000_000), "too large"],
    [
      "a cell of all that may come out",
      sheet(`<row><c t="str"><v>${"0541234567 ".repeat(1_400_000)}</v></c></row>`),
      "too large",
    ],
    [
      "a long cell",
      sheet(`<row><c t="str"><v>${"0541234567 ".repeat(300_000)}</v></c></row>`),
      "more than 200 characters",
    ],
    ["entities", sheet(`<row><c t="str"><v>${"&amp;".repeat(800_000)}</v></c></row>`), "no numbers"],
    ["cells", sheet(`<row>${"<c><v>1</v></c>".repeat(270_000)}</row>`), ""],
    [
      "one long string in every cell",
      (() => {
        const shared = `<si><t>${"0541234567 ".repeat(18)}</t></si>`;
        const row = `<row>${'<c t="s"><v>0</v></c>'.repeat(190)}</row>`;
        return zip({
          ...workbookParts([["x"]]),
          "xl/sharedStrings.xml": `<sst xmlns="${NAMESPACE}">${shared}</sst>`,
          "xl/worksheets/sheet1.xml": sheetOf(row.repeat(900)),
        });
      })(),
      "too large",
    ],
  ])("%s", async (_, content, message) => {
    const tookMs = await processorMs(async () => expect(await refusal(content)).toContain(message));
    // In quadratic time this would take minutes.
    expect(tookMs).toBeLessThan(10_000);
  });
});

longTest("ten thousand rows are read quickly, and no more are kept", async () => {
  const rows = Array.from({ length: 12_000 }, (_, i) => [`Customer ${i}`, 240_000_000 + i, 2]);
  const tookMs = await processorMs(async () =>
    expect((await read(workbook(rows))).split("\n").length).toBeWithin(10_001, 10_100),
  );
  expect(tookMs).toBeLessThan(3_000);
});
