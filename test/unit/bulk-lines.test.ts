// Tests of pasted bulk orders: numbers and quantities in any notation, and nothing guessed.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { headingIn } from "../../src/shared/lists/bulk-headings.ts";
import { parseBulkLines, readBulk } from "../../src/shared/lists/bulk-lines.ts";
import { visibleText } from "../../src/shared/phones/msisdn.ts";
import { longTest } from "../support/long.ts";
import { processorMs } from "../support/processor.ts";

/** "0241234567×2 5000MB MTN figure 3" for each order, or the problem's code. */
const read = (text: string) =>
  parseBulkLines(text).map(({ msisdn, quantity, sizeMb, network, family, figure, problem }) =>
    problem
      ? problem
      : [`0${msisdn!.slice(3)}×${quantity}`, sizeMb && `${sizeMb}MB`, family ?? network, figure && `figure ${figure}`]
          .filter(Boolean)
          .join(" "),
  );

describe("a number with its quantity is read", () => {
  test.each([
    ["0241234567", "0241234567×1"],
    ["0241234567,3", "0241234567×3"],
    ["+233 20 123 4567 , 2", "0201234567×2"],
    ["0241234567,,", "0241234567×1"],
    ['"0241234567","2"', "0241234567×2"],
    ["Kofi 0241234567", "0241234567×1"],
    ["0241234567, Ama Mensah", "0241234567×1"],
    ["0241234567 x2", "0241234567×2"],
    ["0241234567 2x", "0241234567×2"],
    ["2 x 0241234567", "0241234567×2"],
    ["0241234567 qty 3", "0241234567×3"],
    ["241234567", "0241234567×1"],
    ["241234567.0,2.0", "0241234567×2"],
    ["233241234567", "0241234567×1"],
    ["+233 (0)24 123 4567", "0241234567×1"],
    ["00233241234567", "0241234567×1"],
    ["(024) 123-4567", "0241234567×1"],
    ["• 0241234567", "0241234567×1"],
    ["- Kofi: 0241234567", "0241234567×1"],
    ["1. 0241234567", "0241234567×1"],
    ["\u200e+233\u00a024\u00a0123\u00a04567\u202c", "0241234567×1"],
    ["21/11/2026, 09:30 - Kofi: 0241234567", "0241234567×1"],
  ])("%j", (text, order) => expect(read(text)).toEqual([order]));
});

describe("a figure after a number, without a comma, stays undecided between GB and bundles", () => {
  test.each([
    ["0241234567 5", "0241234567×1 figure 5"],
    ["0241234567 1.5", "0241234567×1 figure 1.5"],
    ["0241234567,2\t19.5", "0241234567×2 figure 19.5"],
    ["0241234567 5 x2", "0241234567×2 figure 5"],
    ["0241234567\t2", "0241234567×1 figure 2"],
    ["0241234567;3;;", "0241234567×1 figure 3"],
    ["0241234567 - Ama 2", "0241234567×1 figure 2"],
    ["024 123 4567 / 3", "0241234567×1 figure 3"],
    ["0241234567-2", "0241234567×1 figure 2"],
    ["0241234567: 4", "0241234567×1 figure 4"],
    ["0241234567 (3)", "0241234567×1 figure 3"],
    ["12) Kofi 0241234567 3", "0241234567×1 figure 3"],
    ["[09:30, 21/11/2026] +233 20 999 4567: 0241234567 2", "0241234567×1 figure 2"],
  ])("%j", (text, order) => expect(read(text)).toEqual([order]));

  test("even beside a size, as it may be a price", () =>
    expect(read("0241234567 5GB 20")).toEqual(["0241234567×1 5000MB figure 20"]));
});

describe("a figure behind a comma is no quantity below a heading that names sizes", () => {
  test.each([
    ["Phone,Size\n0241234567,5", "0241234567×1 figure 5"],
    ["number, gig\n0241234567, 5", "0241234567×1 figure 5"],
    ["Network,Phone,Bundle\nMTN,0241234567,5", "0241234567×1 MTN figure 5"],
    ["Data in GB:\n024 123 4567,1.5", "0241234567×1 figure 1.5"],
    ["Phone,Size\n0241234567 1,5GB", "bulk.line_unclear"],
    [`Phone,Size\n"0241234567","5"`, "0241234567×1 figure 5"],
    ["Phone,Size\n0241234567,5GB", "0241234567×1 5000MB"],
    ["Phone,Quantity\n0241234567,5", "0241234567×5"],
    ["Phone,Size,Qty\n0241234567,5GB,2", "0241234567×1 5000MB figure 2"],
    ["For Kofi\n0241234567,5", "0241234567×5"],
    ["Phone,Size\nOthers:\n0241234567,5", "0241234567×5"],
    ["21/11/2026, 09:29 - Ama: Phone,Size\n21/11/2026, 09:30 - Ama: 0241234567,5", "0241234567×1 figure 5"],
    ["21/11/2026, 09:29 - Ama: which GB?\n21/11/2026, 09:30 - Kofi: 0241234567,5", "0241234567×5"],
    ["21/11/2026, 09:29 - Ama: which GB?\n21/11/2026, 09:30 - Ama: 0241234567 5GB", "0241234567×1 5000MB"],
  ])("%j", (text, order) => expect(read(text)).toEqual([order]));
});

describe("a line can name its own size and network", () => {
  test.each([
    ["0241234567 5GB", "0241234567×1 5000MB"],
    ["0241234567 1.5 gb", "0241234567×1 1500MB"],
    ["5 gigs 0241234567,3", "0241234567×3 5000MB"],
    ["0241234567 500MB x2", "0241234567×2 500MB"],
    // Sheets that count in multiples of 1,024.
    ["0241234567 5120 MB", "0241234567×1 5000MB"],
    ["0241234567 5GB AT", "0241234567×1 5000MB AIRTELTIGO"],
    ["0241234567 5gb at", "0241234567×1 5000MB AIRTELTIGO"],
    ["0271234567 15GB AT Big-time", "0271234567×1 15000MB AT_BIGTIME"],
    ["AT iShare 0271234567 15GB", "0271234567×1 15000MB AT_ISHARE"],
    // English, and no family.
    ["I share with Kofi, a big time friend: 0241234567 5GB", "0241234567×1 5000MB"],
    ["Airtel Tigo 0271234567", "0271234567×1 AIRTELTIGO"],
    ["0201234567 Vodafone 2gb", "0201234567×1 2000MB TELECEL"],
    ["mtn 0241234567 Kofi", "0241234567×1 MTN"],
    // An ordinary word, not the network.
    ["Ama at Kasoa 0241234567", "0241234567×1"],
  ])("%j", (text, order) => expect(read(text)).toEqual([order]));

  test("and so can each number of a line, or the line for all of them", () => {
    expect(read("0241234567 5gb, 0201234567 2gb")).toEqual(["0241234567×1 5000MB", "0201234567×1 2000MB"]);
    expect(read("2gb MTN: 0241234567, 0541234567")).toEqual(["0241234567×1 2000MB MTN", "0541234567×1 2000MB MTN"]);
  });

  test.each(["0241234567 5gb 2gb", "0241234567 MTN Telecel", "0241234567 5gb, 0201234567"])(
    "but not two of them: %j",
    (text) => expect(read(text)).toEqual(["bulk.line_unclear"]),
  );
});

describe("several numbers on one line", () => {
  test("are an order each", () =>
    expect(read("0241234567, 0201234567 & Yaw 0261234567")).toEqual(["0241234567×1", "0201234567×1", "0261234567×1"]));
  test("can each have a quantity", () =>
    expect(read("0241234567 2, 0201234567 3")).toEqual(["0241234567×1 figure 2", "0201234567×1 figure 3"]));
  test("keep their own texts, and share the line's place", () =>
    expect(parseBulkLines("\nKofi 0241234567, Ama 0201234567 (home)").map((it) => [it.line, it.text])).toEqual([
      [2, "Kofi 0241234567"],
      [2, "Ama 0201234567 (home)"],
    ]));
  test.each([
    "0241234567 2, 0201234567",
    "2 0241234567 3 0201234567",
    "0241234567/0201234567",
    "0241234567 or 0201234567",
  ])("of which one cannot tell whose the quantity is, or which is meant, are unclear: %j", (text) =>
    expect(read(text)).toEqual(["bulk.line_unclear"]),
  );
});

describe("an error that has to be fixed", () => {
  test.each([
    ["12345", "msisdn.invalid"],
    ["02412345678", "msisdn.invalid"],
    ["024123456", "msisdn.invalid"],
    ["20.11.2026 9", "msisdn.invalid"],
    ["25 10 15 20 2", "msisdn.invalid"],
    ["2.33241E+11", "bulk.number_rounded"],
    ["2,33241E+11;2", "bulk.number_rounded"],
    ["0241234567,0", "order.quantity_invalid"],
    ["0241234567,101", "order.quantity_invalid"],
    ["0241234567,1.5", "order.quantity_invalid"],
    ["0241234567,-1", "order.quantity_invalid"],
    ["0241234567 -2", "order.quantity_invalid"],
    ["0241234567,x", "order.quantity_invalid"],
    ["2 0241234567", "bulk.line_unclear"],
    ["0241234567, 1, 2", "bulk.line_unclear"],
    ["Kofi2 0241234567", "bulk.line_unclear"],
    ["0241234567 GHS 20", "bulk.line_unclear"],
    ["0241234567 20 cedis", "bulk.line_unclear"],
    ["0241234567 two", "bulk.line_unclear"],
    ["0241234567x AT - 0201234567 AT", "bulk.line_unclear"],
    ["0241234567x AT \u00000201234567 AT", "bulk.line_unclear"],
    ["0241234567x2telecel0201234567 qty 4", "bulk.line_unclear"],
    ["0241234567 x2telecel", "bulk.line_unclear"],
    ["0241234567 ٢", "bulk.line_unclear"],
    ["0241234567 ½", "bulk.line_unclear"],
  ] as const)("%j", (text, problem) => expect(read(text)).toEqual([problem]));
});

describe("text around a number that may be no order is a question", () => {
  test.each([
    "+233 24 111 2222 joined using this group’s invite link",
    "[21/11/2026, 9:42:00 AM] Yaw: please call 0244000000 if there is any problem",
    "0241234567 5gb cancelled",
    "0241234567 5GB ✅",
    "~0241234567 5gb~",
    "> 0241234567 5gb",
    "Fwd: 0241234567 5gb",
    "not 0241234567 5gb",
    "Regards, Ama 0241234567",
  ])("%j", (text) => expect(read(text)).toEqual(["bulk.remark_unclear"]));
});

describe("a cell of a sheet without a value is never left out", () => {
  test.each(["0241234567,#N/A", "0241234567 #no result 5GB", "0241234567\t#2 or 1.5", "Err:502 0241234567 1GB"])(
    "%j",
    (text) => expect(read(text)).toEqual(["bulk.cell_without_value"]),
  );
});

test("lines without a digit are skipped, and the others keep their place", () => {
  const text = "Phone,Quantity\r\n\r\n0241234567\rGood morning\n   \n\t\n0201234567\n";
  expect(parseBulkLines(text).map(({ line }) => line)).toEqual([3, 7]);
});

test.each(["5gb 5gb 0241234567", "5gb MTN 5gb 0241234567 0551234567", "0241234567 5gb 5gb, 0551234567 2gb"])(
  "a size that is given twice is a problem, with one number or several: %s",
  (text) => {
    for (const { problem } of parseBulkLines(text)) expect(problem).toBe("bulk.line_unclear");
  },
);

describe("a line without a number", () => {
  test.each([
    ["5GB:\n0241234567\n0551234567", ["0241234567×1 5000MB", "0551234567×1 5000MB"]],
    ["*MTN 5GB each*\n0241234567\n0551234567,2", ["0241234567×1 5000MB MTN", "0551234567×2 5000MB MTN"]],
    ["5GB\n0241234567\n10GB\n0551234567", ["0241234567×1 5000MB", "0551234567×1 10000MB"]],
    ["MTN\n5GB\n0241234567\n10GB\n0551234567", ["0241234567×1 5000MB MTN", "0551234567×1 10000MB MTN"]],
    ["5GB\n1. 0241234567\n2. 0551234567 2GB", ["0241234567×1 5000MB", "0551234567×1 2000MB"]],
    ["AT Big Time\n0271234567 15GB", ["0271234567×1 15000MB AT_BIGTIME"]],
    ["MTN:\n0241234567 5GB\nTelecel:\n0201234567 5GB", ["0241234567×1 5000MB MTN", "0201234567×1 5000MB TELECEL"]],
    ["5GB\nMTN\n0241234567", ["0241234567×1 5000MB MTN"]],
    ["MTN 5GB NON EXPIRY\n0241234567", ["0241234567×1 5000MB MTN"]],
    ["Boss please send 5GB to the following numbers\n0241234567", ["0241234567×1 5000MB"]],
    ["5GB\n0241234567\nOthers:\n0551234567 2GB", ["0241234567×1 5000MB", "0551234567×1 2000MB"]],
    ["0241234567 5GB\nTotal: 5GB\n0551234567", ["0241234567×1 5000MB", "msisdn.invalid", "0551234567×1"]],
    ["5GB for the numbers below\n0241234567 0551234567", ["0241234567×1 5000MB", "0551234567×1 5000MB"]],
  ])("says what holds for those below it: %j", (text, wanted) => {
    expect(read(text)).toEqual(wanted);
  });

  test.each([
    ["0241234567\n5GB\n0551234567\n10GB", "sizes below their numbers, or above others"],
    ["0241234567\n0551234567\n5GB", "a size at the end"],
    ["5GB\n10GB\n0241234567", "two sizes"],
    ["Please send 5GB tonight\n0241234567", "a sentence with a size"],
    ["five gb each\n0241234567", "a size in words"],
    ["Telecel:\n0241234567", "a network that is not the number's"],
    ["[21/11/2026, 9:30 AM] Kofi: 5gb please\n[21/11/2026, 9:31 AM] Ama: 0241234567", "somebody else's size"],
  ])("asks where it is not clear for which: %j, %s", (text) => {
    const numbers = parseBulkLines(text).filter((line) => /\d{9}/.test(line.text));
    expect(numbers.length).toBeGreaterThan(0);
    for (const { problem } of numbers) expect(problem).toBe("bulk.cell_without_value");
  });

  test.each([
    "Already sent:\n0241234567 5GB",
    "Cancelled:\n0241234567 5GB\n0551234567 5GB",
    "Do not send these\n0241234567 5GB",
    "0241234567 5GB\nCancel",
    "0241234567 5GB\n0551234567 5GB\nignore the above",
    "0241234567 5GB\nDone ✅",
  ])("that speaks against those beside it makes them questions: %j", (text) => {
    expect(read(text)).toEqual(read(text).map(() => "bulk.remark_unclear"));
  });

  test("that speaks against those beside it ends with their part of the list", () => {
    const text = "Already sent:\n0241234567 5GB\n\nRemaining:\n0541234567 5GB";
    expect(read(text)).toEqual(["bulk.remark_unclear", "0541234567×1 5000MB"]);
  });

  test.each(["Kofi\n0241234567", "Good morning\n0241234567", "Orders for today\n0241234567"])(
    "is skipped where it says nothing: %j",
    (text) => expect(read(text)).toEqual(["0241234567×1"]),
  );
});

describe("what speaks against an order is a question", () => {
  const AROUND = [
    ..."✓ ❎ ⛔ 👎 ☒ ⏳ 🔄".split(" "),
    ...[
      "successful",
      "success",
      "processed",
      "processing",
      "pending",
      "rejected",
      "declined",
      "fulfilled",
      "submitted",
    ],
    ...["hasn't come", "didn’t enter", "don enter", "don land", "got it", "hold", "paused", "remove", "cxl"],
    ...["out of stock", "duplicate", "resend", "5gb?", "how much is 5gb", "if she pays", "example", "e.g.", "stopped"],
    ...["finished", "cleared", "has entered", "nope", "maybe", "repeated", "reprocess", "correction", "sorry"],
    ...["invalid", "blocked", "test", "cncl", "<s>"],
    ...["not paid", "unpaid", "double entry", "on its way", "tomorrow", "later", "first confirm", "expired"],
  ];
  test.each(AROUND)("0241234567 5GB %s", (text) => {
    for (const line of [`0241234567 5GB ${text}`, `${text} 0241234567 5GB`])
      expect([line, read(line)]).toEqual([line, ["bulk.remark_unclear"]]);
  });

  test("also a line whose letters are struck out one by one", () => {
    const struckOut = [..."0241234567 5GB"].map((letter) => `${letter}\u0336`).join("");
    expect(parseBulkLines(struckOut)[0]!.problem).not.toBeNull();
    expect(read("0241234567 5GB M\u0336T\u0336N\u0336")).toEqual(["bulk.remark_unclear"]);
  });

  test("also a no that is not a number's", () => {
    for (const line of ["0241234567 5GB no", "Abeg no send 0241234567 5GB", "no please 0241234567 5GB"])
      expect([line, read(line)]).toEqual([line, ["bulk.remark_unclear"]]);
  });

  test.each([
    "e enter",
    "aduru me ho",
    "next week",
    "once he pays",
    "i get am",
    "yet to come",
    "just now came through",
  ])("also a sentence behind the order, in any language: 0241234567 5GB %s", (text) =>
    expect(read(`0241234567 5GB ${text}`)).toEqual(["bulk.remark_unclear"]),
  );

  test.each([
    "Txn 241234567 5GB",
    "Trans ID: 0241234567",
    "Total 241234567",
    "x 0241234567 5GB",
    "Agent: 0241234567",
    "MoMo: 0241234567 (Ama Data Hub)",
    "Pay to 0241234567",
    "Sender: 0241234567",
    "This is 0241234567",
    "@0241234567 thank you",
    "0241234567 turned on disappearing messages",
    "Waiting for this message 0241234567",
    "0241234567.vcf (file attached)",
    "0241234567 airtime",
    "0241234567 AFA",
  ])("and so is a number that is there for another reason: %s", (text) => {
    expect(read(text)).toEqual(["bulk.remark_unclear"]);
  });

  test.each([
    "No. 1 0241234567 5GB",
    "Tel no: 0241234567 5GB",
    "Don Kofi 0241234567 5GB",
    "Nana 0241234567 5GB pls",
    "0241234567 5GB for my sister",
    "0241234567 5gb kofi mensah",
    "0241234567 - 5gb - to maame yaa",
    "0241234567 5gb mtn non expiry",
    "0241234567 5GB kofi",
    "0241234567 5GB Ama Mensah",
    "0241234567 5GB thank you boss",
    "0241234567 kofi mensah 5GB",
  ])("but not a name, a count or a courtesy: %s", (text) => expect(read(text)).not.toContain("bulk.remark_unclear"));
});

test.each([
  "send 5gb from 0241234567 to 0551234567",
  "0241234567 to 0551234567 5gb",
  "0241234567 pays for 0551234567 5gb",
  "momo 0241234567, data 0551234567 5gb",
  "0241234567 5gb paid by 0551234567",
  "my number 0241234567 send to 0551234567 5gb",
])("of two numbers, one of which may pay or send, neither is guessed: %s", (text) => {
  expect(parseBulkLines(text).every(({ problem }) => problem !== null)).toBe(true);
});

test.each([
  ...["fifteen gb", "twenty gb", "fifty", "hundred gb", "eleven", "half gig", "one and half gb", "one gb", "a pair"],
  ...["num gb", "gb enum", "a gig", "a couple", "thrice", "same", "ditto", "as above"],
])("a size or quantity in words is typed in digits: 0241234567 %s", (phrase) => {
  expect(read(`0241234567 ${phrase}`)).toEqual(["bulk.line_unclear"]);
});

test.each([
  ["0241234567 5Go", "0241234567×1 5000MB"],
  ["0241234567 1.5 Go", "0241234567×1 1500MB"],
  ["0241234567 500 Mo", "0241234567×1 500MB"],
  ["0241234567 5 gigabytes", "0241234567×1 5000MB"],
])("a size is read in the units of other languages: %s", (text, wanted) => {
  expect(read(text)).toEqual([wanted]);
});

test.each([
  ["Kofi,0241234567,5GB,22", "0241234567×1 5000MB figure 22"],
  ["0241234567;5GB;22", "0241234567×1 5000MB figure 22"],
  ["0241234567,2 5GB", "0241234567×2 5000MB"],
  ["0241234567 5GB x2", "0241234567×2 5000MB"],
])("a figure behind a size may be a price, one behind the number is the quantity: %s", (text, wanted) => {
  expect(read(text)).toEqual([wanted]);
});

test.each([
  ["0241234567 5GB GHS 22", ["0241234567×1 5000MB"]],
  ["0241234567 5gb 22 cedis", ["0241234567×1 5000MB"]],
  ["0241234567 22 cedis", ["bulk.line_unclear"]],
  ["*1. 0241234567 5gb*", ["0241234567×1 5000MB"]],
  ["*0241234567*\n0551234567*2", ["0241234567×1", "0551234567×2"]],
  ["0241234567, 0551234567 - 5gb each", ["0241234567×1 5000MB", "0551234567×1 5000MB"]],
  ["1- 0241234567\n2- 0551234567\n3- 0541234567", ["0241234567×1", "0551234567×1", "0541234567×1"]],
  [
    "1 Kofi 0241234567 5gb\n2 Ama 0551234567 5gb\n3 Yaw 0541234567 5gb",
    [1, 2, 3].map(() => expect.stringContaining("×1 5000MB")),
  ],
  ["2 0241234567\n2 0551234567\n3 0541234567", ["bulk.line_unclear", "bulk.line_unclear", "bulk.line_unclear"]],
])("what people add to a list does not change it: %j", (text, wanted) => {
  expect(read(text)).toEqual(wanted);
});

test.each([
  ...[
    "please check",
    "what about",
    "where is",
    "still expecting",
    "i ordered",
    "status of",
    "do you have",
    "price for",
  ],
  ...["send money to", "except", "without", "leave out"],
])("%s 0241234567 5GB is a question", (text) => {
  expect(read(`${text} 0241234567 5GB`)).toEqual(["bulk.remark_unclear"]);
});

test("unchanged lines are not parsed again", () => {
  const known = new Map();
  const first = readBulk("0241234567\n1", known);
  expect([...known.keys()]).toEqual(["0241234567", "1"]);
  expect(readBulk("0241234567\n1", known)).toEqual(first);
});

const number = fc.integer({ min: 0, max: 9_999_999 }).map((n) => `24${String(n).padStart(7, "0")}`);
const written = number.chain((n) =>
  fc.constantFrom(`0${n}`, n, `233${n}`, `+233 ${n}`, `0${n.slice(0, 2)} ${n.slice(2, 5)} ${n.slice(5)}`),
);
const piece = fc.oneof(
  { weight: 3, arbitrary: written },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 120 }).map(String) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(" ", ",", "\t", ";", "-", "/", ".", "\n", "x", "Ama", "\u200e", "(", ")"),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 4 }) },
);
const sized = fc.constantFrom("5gb", "2 GB", "500mb", " MTN ", " AT ", "telecel", "x2", ",3", " qty 4 ");
const anything = fc
  .array(fc.oneof({ weight: 6, arbitrary: piece }, sized), { maxLength: 12 })
  .map((parts) => parts.join(""));
const digitsOf = (text: string) => text.replace(/\D/g, "");

describe("for any pasted text,", () => {
  longTest("every line with a digit has a result, which is either a problem or an order", () => {
    fc.assert(
      fc.property(anything, (text) => {
        const lines = parseBulkLines(text);
        const withDigits = text.split(/\r\n|\r|\n/).flatMap((line, i) => (/\d/.test(line) ? [i + 1] : []));
        const answered = new Set(lines.map(({ line }) => line));
        // List numbers and headings of chat lines contain digits, too: only lines without any order are skipped, and
        // headings that are clear, whose size is said in each line below them.
        const rows = text.split(/\r\n|\r|\n/);
        const isHeading = (place: number) => headingIn(visibleText(rows[place - 1]!).trim())?.isUnclear === false;
        expect(withDigits.filter((place) => !answered.has(place) && !isHeading(place))).toEqual([]);
        for (const { msisdn, quantity, problem } of lines) {
          expect(Number.isInteger(quantity) && quantity >= 1 && quantity <= 100).toBe(true);
          if (problem === null) expect(msisdn).toMatch(/^233[25]\d{8}$/);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("no digit of a valid line is lost: each belongs to the number, the quantity or a list number", () => {
    fc.assert(
      fc.property(anything, (text) => {
        for (const { msisdn, quantity, figure, sizeMb, problem, text: own } of parseBulkLines(text)) {
          if (problem !== null || figure !== null || sizeMb !== null) continue;
          const national = msisdn!.slice(3);
          const inFull = own.replaceAll(/\.0+(?!\d)/g, "");
          const rests = [inFull, inFull.replace(/^[\s*•·▪>-]{0,8}\(?\d{1,5}[.)]/, "")].map(digitsOf);
          const numbers = ["", "0", "233", "00233", "2330"].map((prefix) => prefix + national);
          const amounts =
            quantity === 1 ? ["", "1", "01", "001"] : [1, 2, 3].map((n) => String(quantity).padStart(n, "0"));
          const readings = numbers.flatMap((n) => amounts.flatMap((amount) => [n + amount, amount + n]));
          expect(rests.some((rest) => readings.includes(rest))).toBe(true);
        }
      }),
      { numRuns: 3000 },
    );
  });

  test("the text of each order, read alone, gives that order, with its size, network and figure", () => {
    fc.assert(
      fc.property(anything, (text) => {
        const lines = parseBulkLines(text);
        const again = parseBulkLines(lines.map((line) => line.text).join("\n"));
        const short = (all: typeof lines) => all.map(({ line: _, text: __, ...understood }) => understood);
        expect(short(again)).toEqual(short(lines));
      }),
      { numRuns: 2000 },
    );
  });

  longTest.each([
    "0",
    "2",
    "5-",
    "a1",
    "0241234567,",
    "((",
    "0 2",
    "e+1",
    "0241234567 1x",
    "[1:11 ",
    "0241234567 -",
    "1gb ",
    "1.",
    "₵ ",
    "at ",
    "AT ",
    "MTN 1GB 4 ",
    "x ",
    ", ",
    "0241234567 5 ",
    "0241234567 5gb MTN ",
  ])("the time grows with the text and no faster: %j", async (unit) => {
    const text = unit.repeat(60_000);
    // In quadratic time this would take minutes.
    expect(await processorMs(() => parseBulkLines(text))).toBeLessThan(4_000);
  });

  longTest.each(["stop", "ignore the above"])(
    "remarks without end about what stands above take no longer: %j",
    async (remark) => {
      const text = `0241234567 5GB\n${`${remark}\n`.repeat(100_000)}`;
      // In quadratic time this would take more than eight seconds.
      expect(await processorMs(() => parseBulkLines(text))).toBeLessThan(4_000);
    },
  );

  longTest("ten thousand lines of two hundred letters are read in seconds", async () => {
    const line = "Kofi Mensah of Accra 0241234567 - 2 ".repeat(6).slice(0, 200);
    const text = Array.from({ length: 10_000 }, (_, i) => `${line} ${i}`).join("\n");
    expect(await processorMs(() => parseBulkLines(text))).toBeLessThan(4_000);
  });
});
