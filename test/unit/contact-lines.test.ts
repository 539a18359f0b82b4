// Reading of customers from a pasted list, a table with headings and the contacts of a phone: number and name in any
// order and notation, nothing left out without its reason, in a time that grows with the text.
import { expect, test } from "bun:test";
import { localMsisdn } from "../../src/shared/phones/msisdn.ts";
import { textOfFile } from "../../src/web/upload/bulk-file.ts";
import { CONTACT_LINES_MAX, parseContacts } from "../../src/web/upload/contacts/contact-lines.ts";
import { REASONS } from "../../src/web/upload/contacts/contact-values.ts";
import { processorMs } from "../support/processor.ts";

const KWAME = { msisdn: "233241234567", name: "Kwame" };

test("a line has a name and a number in any order, with any separator", () => {
  for (const line of [
    "Kwame, 0241234567",
    "0241234567,Kwame",
    "0241234567\tKwame\tAccra",
    "Kwame;+233 24 123 4567",
    "Kwame: 024-123-4567",
    '"Kwame","0241234567"',
    "  Kwame   024 123 4567 ",
    "1\tKwame\t0241234567",
    "\u200eKwame \u2013 0241234567\u202c",
  ])
    expect([line, parseContacts(line)]).toEqual([line, { people: [KWAME], unreadable: [], numberless: [] }]);
});

test("names keep their accents, spaces and apostrophes, and are cut to what fits", () => {
  const text = `Nana Akua O'Brien, 0241234567\nKɔfi Ŋ. 0201234567\n${"x".repeat(80)} 0261234567`;
  expect(parseContacts(text)?.people.map(({ name }) => name)).toEqual(["Nana Akua O'Brien", "Kɔfi Ŋ", "x".repeat(60)]);
});

test("no name ends in half a character or holds a NUL, wherever it is cut", () => {
  const [person] = parseContacts(`${"x".repeat(59)}\u{1f600}\u{1f600} 0241234567`)!.people;
  expect(person!.name).toBe(`${"x".repeat(59)}\u{1f600}`);
  for (let pad = 250; pad < 310; pad++) {
    const text = `0241234567,${" ".repeat(pad)}K\0wame${"\u{1f600}".repeat(40)}`;
    for (const { name } of parseContacts(text)!.people)
      expect([name.isWellFormed(), name.includes("\0")]).toEqual([true, false]);
  }
});

test("a line without a name or without a Ghanaian number is counted, a heading is not", () => {
  expect(parseContacts("Name, Phone\n0241234567\nKwame 12345\n\nKwame,0241234567\r\n")).toEqual({
    people: [KWAME],
    unreadable: [
      { text: "0241234567", reason: REASONS.noName },
      { text: "Kwame 12345", reason: REASONS.noNumber },
    ],
    numberless: [],
  });
});

/** What is read: "0241234567 Kofi", "? Kofi 12345: noNumber" for what is left out, "- Kofi" without a number. */
function readFrom(text: string): string[] {
  const { people, unreadable, numberless } = parseContacts(text)!;
  const reasonOf = (reason: string) => Object.entries(REASONS).find(([, text]) => text === reason)?.[0] ?? reason;
  return [
    ...people.map(({ msisdn, name }) => `${localMsisdn(msisdn)} ${name}`),
    ...unreadable.map(({ text, reason }) => `? ${text.replaceAll("\t", " ")}: ${reasonOf(reason)}`),
    ...numberless.map((text) => `- ${text}`),
  ];
}

const KOFI = "0241234567 Kofi";
const KOFI_MENSAH = "0241234567 Kofi Mensah";

/** Google Contacts, Outlook and others export many more columns; these are the ones that mislead. */
const GOOGLE = "First Name,Middle Name,Last Name,Phonetic First Name,Organization Name,Labels,E-mail 1 - Value";
const GOOGLE_PHONES = "Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value";
const OLD_GOOGLE = "Name,Given Name,Family Name,Group Membership,Phone 1 - Type,Phone 1 - Value,Organization 1 - Name";
const OUTLOOK =
  "First Name,Last Name,Title,Business Fax,Mobile Phone,Other Phone,Assistant's Phone,Manager's Name,Notes";

test.each<[about: string, text: string, ...expected: string[]]>([
  ["a network before the name", "Number,Network,Name\n0241234567,MTN,Kofi Mensah", KOFI_MENSAH],
  ["semicolons", "Phone No.;Network;Customer's Name\n0241234567;Glo;Kofi Mensah", KOFI_MENSAH],
  ["a town and a remark", "Town,Status,Number,Customer\nAccra,Paid,0241234567,Kofi", KOFI],
  ["a count of rows", "No,Name,Number\n1,Kofi,0241234567\n2,Esi,0551234567", KOFI, "0551234567 Esi"],
  ["a number that counts rows", "Number,Name,Line\n1,Kofi,0241234567\n2,Esi,0551234567", KOFI, "0551234567 Esi"],
  ["Contact for the name", "Contact,Phone\nKofi,0241234567", KOFI],
  ["Contact for the number", "Name,Contact\nKofi,0241234567", KOFI],
  ["a name in parts", "Surname,Other names,Phone\nMensah,Kofi,0241234567", KOFI_MENSAH],
  ["parts without the word", "First,Last,Phone\nKofi,Mensah,0241234567", KOFI_MENSAH],
  ["a shop and its owner", "Shop Name,Owner,Phone\nAdom,Kofi,0241234567", KOFI],
  ["a shop and somebody", "Shop Name,In charge,Phone\nAdom,Kofi,0241234567", KOFI],
  ["a shop", "Shop Name,Network,Phone\nAdom,MTN,0241234567", "0241234567 Adom"],
  ["TRUE for a name", "Name,Phone\nTRUE,0241234567", "? TRUE 0241234567: noName"],
  ["a surname of its own", "Name,Surname,Phone\nKofi,Mensah,0241234567", KOFI_MENSAH],
  ["a name that we do not know", "Phone,Network,Whoever\n0241234567,MTN,Kofi", KOFI],
  ["two of them", "Phone,Network,Whoever,Else\n0241234567,MTN,Kofi,Osu", "? 0241234567 MTN Kofi Osu: whichName"],
  ["two names", "Name,Customer,Phone\nKofi,Esi,0241234567", "? Kofi Esi 0241234567: twoColumns"],
  ["a number in the name", "Name,Phone\nKofi 0551234567,0241234567", "0241234567 Kofi 0551234567"],
  ["no name", "Name,Network,Phone\n,MTN,0241234567", "? 0241234567: noName"],
  ["a figure for a name", "Name,Phone\n007,0241234567", "? 007 0241234567: noName"],
  ["a picture for a name", "Name,Phone\n😍,0241234567", "0241234567 😍"],
  ["no number", "Name,Phone\nKofi,\nEsi,-\nYaw,n/a", "- Kofi", "- Esi", "- Yaw"],
  ["a word for a number", "Name,Phone\nKofi,pending", "? Kofi pending: noNumber"],
  ["a number elsewhere", "Name,Phone,Town\nKofi,Osu,0241234567", "? Kofi Osu 0241234567: elsewhere"],
  ["more cells than headings", "Name,Phone\nKofi,Mensah,0241234567", "? Kofi Mensah 0241234567: tooWide"],
  ["a line that has no columns", "Name,Phone\nKofi 0241234567", KOFI],
  ["quotes inside a cell", 'Phone,Network,Name\n0241234567,MTN,"Kofi" Mensah', '0241234567 "Kofi" Mensah'],
  ["a line break in a cell", 'Name,Phone,Note\nKofi,0241234567,"a\nb 0551234567"', KOFI],
  [
    "titles above",
    "Customers of Ama 0551234567\nName,Phone\nKofi,0241234567",
    KOFI,
    "? Customers of Ama 0551234567: above",
  ],
  ["headings again", "Name,Phone\nKofi,0241234567\nPhone,Name\n0551234567,Esi", KOFI, "0551234567 Esi"],
  ["line ends of old Macs", "Number,Network,Name\r0241234567,MTN,Kofi\r0551234567,MTN,Esi", KOFI, "0551234567 Esi"],
  ["zeros of a program", "Name,Phone\nKofi,241234567.0", KOFI],
  ["digits lost", "Name,Phone\nKofi,2.41235E+11", "? Kofi 2.41235E+11: rounded"],
  ["two numbers in a cell", "Name,Phone\nKofi,0241234567 / 0551234567", KOFI, "0551234567 Kofi"],
  ["half a number", "Name,Phone\nKofi,0241234567/8", KOFI, "? Kofi 8: half"],
  ["a landline beside", "Name,Phone\nKofi,0302770000 or 0241234567", KOFI, "? Kofi 0302770000: noNumber"],
  [
    "Google's two",
    `${GOOGLE},${GOOGLE_PHONES}\nKofi,,Mensah,,Shop,* mine,k@x.com,Cell,+233 24 123 4567 ::: 0551234567,Job,0201234567`,
    KOFI_MENSAH,
    "0551234567 Kofi Mensah",
    "0201234567 Kofi Mensah",
  ],
  [
    "Google's second",
    `${GOOGLE},${GOOGLE_PHONES}\nKofi,K.,Mensah,,,,,Mobile,0241234567,Home,030 277 0000`,
    "0241234567 Kofi K. Mensah",
    "? Kofi K. Mensah 030 277 0000: noNumber",
  ],
  ["Google's firm", `${GOOGLE},${GOOGLE_PHONES}\n,,,,Kofi,,,Mobile,0241234567,,`, KOFI],
  ["Google's contact without a number", `${GOOGLE},${GOOGLE_PHONES}\nKofi,,,,,,k@x.com,,,,`, "- Kofi"],
  [
    "Google's label alone",
    `${GOOGLE},${GOOGLE_PHONES}\nEsi,,,,,,,Mobile,,,\nKofi,,,,,,,Mobile,0241234567,,`,
    KOFI,
    "- Esi",
  ],
  ["old Google", `${OLD_GOOGLE}\nKofi Mensah,Kofi,Mensah,* mine,Mobile,0241234567,Shop`, KOFI_MENSAH],
  [
    "Outlook",
    `${OUTLOOK}\nKofi,Mensah,Mr,0302770000,0241234567,,0551234567,Esi Boss,"a, b"`,
    KOFI_MENSAH,
    "? Kofi Mensah 0302770000: fax",
  ],
] as [string, string, ...string[]][])("the headings of a table decide: %s", (_, text, ...expected) => {
  expect(readFrom(text)).toEqual(expected);
});

test.each<[text: string, ...expected: string[]]>([
  ["0241234567,MTN,Kofi Mensah", KOFI_MENSAH],
  ["0241234567 MTN Kofi Mensah", KOFI_MENSAH],
  ["Kofi (MTN) 0241234567", KOFI],
  ["5GB;0241234567;Kofi", KOFI],
  ["0241234567 5GB for Kofi", KOFI],
  ["0241234567,MTN", "? 0241234567,MTN: noName"],
  ["0241234567 Mobile", "? 0241234567 Mobile: noName"],
  ["kofi@x.com, Kofi, 0241234567", KOFI],
  ["Name: Kofi, Tel: 0241234567", KOFI],
  ["Name - Kofi, Number - 0241234567", KOFI],
  ["Telecel Cash,0241234567,Kofi", KOFI],
  ["GHS 50, 12 Nov 2026, Accra, Kofi, 0241234567", KOFI],
  ["Friday 0241234567", "0241234567 Friday"],
  ["Kofi <0241234567>", KOFI],
  ["Kofi 50 cedis 0241234567", "? Kofi 50 cedis 0241234567: unclear"],
  ["0241234567 is Kofi", "? 0241234567 is Kofi: unclear"],
  ["Kofi Mensah Tel. 0241234567", KOFI_MENSAH],
  ["Name: Kofi\nPhone: 0241234567", "? Phone: 0241234567: noName", "- Name: Kofi"],
  ["Name Phone\nKofi 0241234567", KOFI],
  ["My customers\nKofi 0241234567", KOFI, "- My customers"],
  ["1. Kofi 0241234567", KOFI],
  ["2) 241234567 Kofi", KOFI],
  ["• Kofi 0241234567", KOFI],
  ["Kofi 0241234567 0551234567", KOFI, "0551234567 Kofi"],
  ["Kofi 0241234567 (MTN) / 0201234567 (Telecel)", KOFI, "0201234567 Kofi"],
  ["Kofi 0241234567 Esi 0551234567", "? Kofi 0241234567 Esi 0551234567: several"],
  ["Kofi, 0241234567, 0551234567, Esi", "? Kofi, 0241234567, 0551234567, Esi: several"],
  ["Kofi 0551234567\t0241234567", "? Kofi 0551234567 0241234567: several"],
  ["Kofi 5 241234567", "? Kofi 5 241234567: noNumber"],
  ["5\t241234567\tKofi", KOFI],
  ["Kofi, 0302770000, 0241234567", KOFI, "? Kofi 0302770000: noNumber"],
  ["Kofi +44 7911 123456", "? Kofi +44 7911 123456: noNumber"],
  ["Kofi, +225 0241234567", "? Kofi, +225 0241234567: noNumber"],
  ["Kofi, +1 (024) 123 4567", "? Kofi, +1 (024) 123 4567: noNumber"],
  ["Kofi, 00225 0241234567", "? Kofi, 00225 0241234567: noNumber"],
  ["Kofi 0241234567\rEsi 0551234567", KOFI, "0551234567 Esi"],
  ["Kofi ０２４１２３４５６７\nEsi ٠٥٥١٢٣٤٥٦٧", KOFI, "0551234567 Esi"],
  ["Esi 😀 0241234567", "0241234567 Esi 😀"],
  ["Yaw\t#N/A", "? Yaw #N/A: noValue"],
  ["#N/A\t0241234567", "? #N/A 0241234567: noValue"],
  ["#struck out: Kofi\t0241234567", "? #struck out: Kofi 0241234567: struck"],
  ["K̶o̶f̶i̶ 0241234567", "? K̶o̶f̶i̶ 0241234567: struck"],
  ["Kofi 2.41235E+11", "? Kofi 2.41235E+11: rounded"],
  ["Kofi old number 0241234567", "? Kofi old number 0241234567: against"],
  ["please send to Kofi 0241234567", "? please send to Kofi 0241234567: unclear"],
  ["[09:30, 21/11/2026] Esi: Kofi 0241234567", "? [09:30, 21/11/2026] Esi: Kofi 0241234567: unclear"],
  ["Glo,Kofi,0241234567\nGlo,Esi,0551234567", "? Glo,Kofi,0241234567: whichName", "? Glo,Esi,0551234567: whichName"],
  ["Kofi,0241234567,Accra\nEsi,0551234567,Accra", KOFI, "0551234567 Esi"],
  ["Kofi,Accra,0241234567", KOFI],
  [
    "Form 2\tKofi\t0241234567\nForm 3\tAma\t0551234567",
    "? Form 2 Kofi 0241234567: whichName",
    "? Form 3 Ama 0551234567: whichName",
  ],
  ["Teacher\tKofi\t0241234567", "? Teacher Kofi 0241234567: whichName"],
  ["Hostel,Kofi,0241234567", "? Hostel,Kofi,0241234567: whichName"],
  ["Kofi (MTN Agent) 0241234567", "0241234567 Kofi (MTN Agent)"],
  ["0241234567 (MTN Agent) Kofi", "0241234567 (MTN Agent) Kofi"],
  ["(Kofi) 0241234567", KOFI],
  ["Kofi (Agent) 0241234567", "0241234567 Kofi (Agent)"],
  ["My Love ❤️ 0241234567", "0241234567 My Love ❤️"],
  ["My wife Ama 0241234567", "0241234567 My wife Ama"],
  ["My new line 0241234567", "? My new line 0241234567: noName"],
  ["my friend says use 0241234567", "? my friend says use 0241234567: unclear"],
  ["Kofi\n0241234567\n\nAma Serwaa\n055 123 4567", KOFI, "0551234567 Ama Serwaa"],
  ["Name: Kofi\nTel: 0241234567\nName: Ama\nTel: 0551234567", KOFI, "0551234567 Ama"],
  ["1. Kofi\n0241234567\n2. Ama\n0551234567", KOFI, "0551234567 Ama"],
  ["Kofi\n0241234567", "? 0241234567: noName", "- Kofi"],
  [
    "Kofi\n0241234567\nAma\n0551234567\nEsi",
    "? 0241234567: noName",
    "? 0551234567: noName",
    "- Kofi",
    "- Ama",
    "- Esi",
  ],
  ["0241234567\nKofi\n0551234567\nAma", "? 0241234567: noName", "? 0551234567: noName", "- Kofi", "- Ama"],
  ["Accra\n0241234567\nKumasi\n0551234567", "? 0241234567: noName", "? 0551234567: noName", "- Accra", "- Kumasi"],
  ["Form\n0241234567\nForm\n0551234567", "? 0241234567: noName", "? 0551234567: noName", "- Form", "- Form"],
  ["Customers\n0241234567\nKofi\n0551234567", "? 0241234567: noName", "? 0551234567: noName", "- Customers", "- Kofi"],
  ["Kofi\n0241234567\nAma\n0551234567 Esi", "0551234567 Esi", "? 0241234567: noName", "- Kofi", "- Ama"],
  ["Kofi\n0241234567\nAma\nnot 0551234567", "? 0241234567: noName", "? not 0551234567: against", "- Kofi", "- Ama"],
  ["Kofi 0241234567\nKOFI 024 123 4567", KOFI, "0241234567 KOFI"],
  [
    "Kofi 0241234567\nEsi 0241234567",
    "? Kofi 0241234567: 024 123 4567 stands under several names. Keep the line with the right one.",
    "? Esi 0241234567: 024 123 4567 stands under several names. Keep the line with the right one.",
  ],
] as [string, ...string[]][])(
  "what a line without headings says is no name unless it can be one: %j",
  (text, ...expected) => {
    expect(readFrom(text)).toEqual(expected);
  },
);

const card = (...lines: string[]) => ["BEGIN:VCARD", "VERSION:3.0", ...lines, "END:VCARD"].join("\r\n");
const PHOTO = `PHOTO;ENCODING=b;TYPE=JPEG:${"/9j/4AAQ0241234567\r\n ".repeat(2_000)}`;

test.each<[about: string, text: string, ...expected: string[]]>([
  ["the number of TEL", card("FN:Kofi MTN 0551234567", "TEL:0241234567"), "0241234567 Kofi MTN 0551234567"],
  ["no end", "BEGIN:VCARD\nFN:Kofi\nTEL:0241234567", KOFI],
  [
    "no end, and another",
    `BEGIN:VCARD\nFN:Kofi\nTEL:0241234567\n${card("FN:Esi", "TEL:0551234567")}`,
    KOFI,
    "0551234567 Esi",
  ],
  ["no end, and a line", "BEGIN:VCARD\nFN:Kofi\nTEL:0241234567\nEsi 0551234567", KOFI, "0551234567 Esi"],
  ["two in one TEL", card("FN:Kofi", "TEL:0241234567 / 0551234567"), KOFI, "0551234567 Kofi"],
  [
    "several of types",
    card("FN:Kofi", "TEL;CELL;PREF:0241234567", 'TEL;TYPE="voice,work":0551234567'),
    KOFI,
    "0551234567 Kofi",
  ],
  ["a fax", card("FN:Kofi", "TEL;TYPE=HOME,FAX:0241234567"), "? Kofi 0241234567: fax"],
  [
    "a fax by its label",
    card("FN:Kofi", "item1.TEL:0241234567", "item1.X-ABLabel:_$!<HomeFAX>!$_"),
    "? Kofi 0241234567: fax",
  ],
  ["a number abroad", card("FN:Kofi", "TEL:+44 7911 123456"), "? Kofi +44 7911 123456: noNumber"],
  ["wide digits", card("FN:Kofi", "TEL:０２４１２３４５６７"), KOFI],
  ["an address of 4.0", card("FN:Kofi", "item1.TEL;VALUE=uri:tel:+233-24-123-4567;phone-context=+233"), KOFI],
  [
    "iCloud",
    card(
      "N:Mensah;Kofi;;;",
      "FN:Kofi Mensah",
      "item1.TEL;type=pref:+233 24 123 4567",
      "item1.X-ABLabel:_$!<Mobile>!$_",
      PHOTO,
    ),
    KOFI_MENSAH,
  ],
  [
    "Samsung",
    card("N:Mensah;Kofi;;;", "TEL;X-CUSTOM(CHARSET=UTF-8,ENCODING=QUOTED-PRINTABLE,=4D=54=4E):0241234567"),
    KOFI_MENSAH,
  ],
  ["WhatsApp", card("FN:Kofi", "item1.TEL;waid=233241234567:+233 24 123 4567"), KOFI],
  [
    "a Western quoted name",
    card("FN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Ren=E9", "TEL:0241234567"),
    "0241234567 René",
  ],
  ["one that names no set", card("FN;ENCODING=QUOTED-PRINTABLE:Ren=E9", "TEL:0241234567"), "0241234567 René"],
  ["one that names a wrong set", card("FN;CHARSET=UTF-8;QUOTED-PRINTABLE:Ren=E9", "TEL:0241234567"), "0241234567 René"],
  ["a name in base64", card("FN;ENCODING=BASE64;CHARSET=UTF-8:S29maQ==", "TEL:0241234567"), KOFI],
  ["a quoted number", card("FN:Kofi", "TEL;CELL;ENCODING=QUOTED-PRINTABLE:=2B233241=\r\n234567"), KOFI],
  ["folds", card("FN:Ko\r\n fi", "TEL:024123\r\n 4567"), KOFI],
  ["an indent", card("FN:Kofi", "TEL:0241234567").replace(/^/gm, "  "), KOFI],
  ["line ends of old Macs", card("FN:Kofi", "TEL:0241234567").replaceAll("\r\n", "\r"), KOFI],
  [
    "marks of byte order",
    `\ufeff${card("FN:Kofi", "TEL:0241234567")}\n\ufeff${card("FN:Esi", "TEL:0551234567")}`,
    KOFI,
    "0551234567 Esi",
  ],
  ["no name", card("FN:", "TEL:0241234567"), "? 0241234567: noName"],
  ["a number for a name", card("FN:0241234567", "N:;Kofi", "TEL:0241234567"), KOFI],
  ["a picture for a name", card("FN:😍", "TEL:0241234567"), "0241234567 😍"],
  ["no number", card("FN:Kofi", "EMAIL:kofi@x.com"), "- Kofi"],
  [
    "a list behind",
    `${card("FN:Kofi", "TEL:0241234567")}\nNumber,Network,Name\n0551234567,MTN,Esi`,
    KOFI,
    "0551234567 Esi",
  ],
] as [string, string, ...string[]][])("a vCard says it all, or what it lacks: %s", (_, text, ...expected) => {
  expect(readFrom(text)).toEqual(expected);
});

test("a thousand cards with pictures are read, each", () => {
  const cards = Array.from({ length: 1_000 }, (_, i) =>
    card(`FN:Number ${i}`, `TEL:024100${String(i).padStart(4, "0")}`, PHOTO.slice(0, 1_500)),
  );
  expect(parseContacts(cards.join("\r\n"))).toMatchObject({
    people: { length: 1_000 },
    unreadable: [],
    numberless: [],
  });
});

test("a file of cards is read as its text is, in whatever encoding", async () => {
  const text = card("FN:René 0551234567", "TEL:0241234567");
  for (const bytes of [Buffer.from(text), Buffer.from(text, "latin1"), Buffer.from(`\ufeff${text}`, "utf16le")])
    expect(readFrom((await textOfFile(bytes)).read)).toEqual(["0241234567 René 0551234567"]);
});

test("each of several texts has its own headings, and a number under two names is asked about across them", () => {
  const { people, unreadable } = parseContacts(
    "Kofi 0241234567\nEsi 0551234567",
    "Number,Network,Name\n0551234567,MTN,Yaw",
  )!;
  expect([people, unreadable.map(({ text }) => text)]).toEqual([
    [{ msisdn: "233241234567", name: "Kofi" }],
    ["Esi\t0551234567", "Yaw\t0551234567"],
  ]);
});

test("more lines than one import may have are none", () => {
  const lines = (count: number) => Array.from({ length: count }, () => "Kwame 0241234567").join("\n");
  expect(parseContacts(lines(CONTACT_LINES_MAX))?.people).toHaveLength(CONTACT_LINES_MAX);
  expect(parseContacts(lines(CONTACT_LINES_MAX + 1))).toBeNull();
});

test("two megabytes of any kind are read in a moment", async () => {
  const size = 2_000_000;
  const units = ["0", "0 ", "0241234567", "(", "a", "0241234567\n", "-.-", "\n"];
  const tops = ["", "Name,Phone\n", "BEGIN:VCARD\nFN:"];
  for (const top of tops) {
    const tookMs = await processorMs(() => {
      for (const unit of units) parseContacts(top + unit.repeat(size / unit.length));
    });
    expect(tookMs).toBeLessThan(2_000);
  }
});

test.each(["Agent Kofi", "Ama MoMo", "Kojo Admin", "Info Desk"])("%s is a name", (name) => {
  expect(parseContacts(`${name}, 0241234567`)!.people).toEqual([{ msisdn: "233241234567", name }]);
});
