// Bundles as people type and paste them: network, size, cost and price, one on each line, and nothing guessed.
import { expect, test } from "bun:test";
import { readNewBundles } from "../../src/web/upload/new-bundles.ts";

const read = (text: string, operator: string | null = null) => readNewBundles(text, [], operator);
const brief = ({ bundles }: ReturnType<typeof read>) =>
  bundles.map(({ family, name, size, costPesewas, pricePesewas }) =>
    [family, name, size, costPesewas ?? "–", pricePesewas].join(" "),
  );

test.each([
  ["MTN 1GB 3.70 3.90", "MTN MTN 1GB 370 390"],
  ["mtn\t1gb\t3.70\t3.90", "MTN MTN 1GB 370 390"],
  ["MTN;1,5GB;5,70;5,90", "MTN MTN 1.5GB 570 590"],
  ["MTN, 500MB, GH₵ 2.00, GH₵ 2.20", "MTN MTN 500MB 200 220"],
  ["MTN,1GB,3.70,3.90", "MTN MTN 1GB 370 390"],
  ["MTN UP2U 2 GB = 8.40", "MTN MTN UP2U 2GB – 840"],
  ["AT Big Time 15GB 55 57.5", "AT_BIGTIME AT BigTime 15GB 5500 5750"],
  ["Vodafone 5GB 20", "TELECEL Telecel 5GB – 2000"],
  ["AirtelTigo BigTime 15GB 55 57.5", "AT_BIGTIME AT BigTime 15GB 5500 5750"],
  ["AT iShare 4G 2GB 8", "AT_ISHARE AT iShare 4G 2GB – 800"],
  ["MTN no expiry 1GB 4.20", "MTN MTN no expiry 1GB – 420"],
  ["1. MTN 1GB 4.20", "MTN MTN 1GB – 420"],
  ["(2) MTN 1GB 4.20", "MTN MTN 1GB – 420"],
  ["3️⃣ MTN 1GB 4.20", "MTN MTN 1GB – 420"],
  ["• MTN 1GB @ 4.20", "MTN MTN 1GB – 420"],
  ["🔥MTN 1GB = 4.20 ✅", "MTN MTN 1GB – 420"],
  ["*MTN 1GB* 4.20", "MTN MTN 1GB – 420"],
  ["*_MTN 1GB - 4.20_*", "MTN MTN 1GB – 420"],
  ["MTN 1gig 4.20", "MTN MTN 1GB – 420"],
  ["MTN 2 gigs 8", "MTN MTN 2GB – 800"],
  ["MTN 500 megabytes 2", "MTN MTN 500MB – 200"],
  ["MTN 100GB 1,150.00", "MTN MTN 100GB – 115000"],
  ["MTN 100GB 1,100.00 1,150.00", "MTN MTN 100GB 110000 115000"],
  ["MTN 100GB GHS1,150.00", "MTN MTN 100GB – 115000"],
  ['"MTN","100GB","1,100.00","1,150.00"', "MTN MTN 100GB 110000 115000"],
  ["MTN 8GB 30 31.50", "MTN MTN 8GB 3000 3150"],
  ["MTN;1GB;4,30;7,50", "MTN MTN 1GB 430 750"],
  ["MTN 100GB 420 430", "MTN MTN 100GB 42000 43000"],
])("%s", (line, wanted) => {
  expect([brief(read(line)), read(line).problems]).toEqual([[wanted], []]);
});

test("a heading and empty lines say nothing, and a line without a network is of the chosen one", () => {
  expect(brief(read("Network,Size,Cost,Price\n\n1GB 3.70 3.90", "MTN"))).toEqual(["MTN MTN 1GB 370 390"]);
});

const HIGH_COST = "has a cost above its price: swap them, or put the line “Network Size Cost Price” above the list";
const TWO_AMOUNTS = "may have one amount or two: put a space or a tab between them";

test.each([
  ["1GB 3.90", "names no network"],
  ["Glo 1GB 3.90", "names no network that you sell"],
  ["MTN one GB 3.90", "has no size such as 1GB"],
  ["MTN 1TB 900", "has no size such as 1GB"],
  ["MTN 0GB 3.90", "has no size such as 1GB"],
  ["MTN 1GB", "has no price"],
  ["MTN 1GB soon", "has something that is no price"],
  ["MTN 1GB 3 4 5", "has something that is no price"],
  ["MTN 1GB 3.70 0", "has something that is no price"],
  ["MTN 1GB 4.50 4.20", HIGH_COST],
  ["MTN\t1GB\t90\t4.20", HIGH_COST],
  ["MTN,100GB,1,150.00", TWO_AMOUNTS],
  ["MTN 100GB 1,150", TWO_AMOUNTS],
  ["MTN 100GB 1,234,567", TWO_AMOUNTS],
  ["MTN 100GB 1 150.00", "may have one amount or two: write “1 150.00” as one, or both with pesewas"],
  ["MTN 1GB 4 20", "may have one amount or two: write “4 20” as one, or both with pesewas"],
  ["MTN 1,500MB 6", "has the size “1,500MB”, which may be two things: write it without the comma"],
  ["1,50GB,180", "has the size “1,50GB”, which may be two things: write it without the comma"],
  ["MTN .5GB 2", "has no size such as 1GB"],
  ["MTN 1 500MB 2", "says “1” before its size: leave that out, or leave the line out"],
  ["MTN 4.20 1GB", "says “4.20” before its size: leave that out, or leave the line out"],
  ["MTN 2x 1GB 8", "says “2x” before its size: leave that out, or leave the line out"],
  ["MTN sold out 1GB 4.20", "says “sold” before its size: leave that out, or leave the line out"],
  ["MTN not 1GB 4.20", "says “not” before its size: leave that out, or leave the line out"],
  ["MTN ❌ 1GB 4.20", "says “❌” before its size: leave that out, or leave the line out"],
  ["MTN 1GB 4.20 ❌", "has something that is no price"],
  ["MTN 1GB 4.20*", "has something that is no price"],
  ["MTN Telecel 1GB 4.20", "names two networks"],
  ["AT iShare Big Time 15GB 57", "names two kinds of bundles"],
  ["❌ 1GB 4.20", "begins with “❌”: leave that out"],
  ["~1GB 4.20~", "begins with “~”: leave that out"],
  ["1\t1GB\t4.20", "begins with “1”: leave that out"],
  ["MTN,1GB,4,5", "may have one amount or two: put a space or a tab between them"],
])("%s is a problem", (line, problem) => {
  expect(read(line)).toEqual({ bundles: [], problems: [`Line 1: ${line} ${problem}`] });
});

test.each([
  ["Network,Size,Price,Cost", "MTN,1GB,3.90,3.70"],
  ["Network,Size,Cost,Price", "MTN,1GB,3.70,3.90"],
  ["Bundle;Selling price;Cost price", "MTN 1GB;3,90;3,70"],
  ["Bundle\tSelling\tBuying", "MTN 1GB\t3.90\t3.70"],
  ["Network,Size,Validity (days),Cost,Price", "MTN,1GB,90,3.70,3.90"],
  ["S/N,Network,Size,Price,Cost,Notes", "1,MTN,1GB,3.90,3.70,new"],
  ["Price (GH₵),Cost (GH₵),Size,Network", "3.90,3.70,1GB,MTN"],
  ["Network,Size (GB),Cost price,Agent price", "MTN,1,3.70,3.90"],
  ["Cost | Price | Bundle", "3.70 | 3.90 | MTN 1GB"],
  ["Network Size Price Cost", "MTN 1GB 3.90 3.70"],
  ["Network Size Cost Price", "MTN 1GB 3.70 3.90"],
  ["Size Selling price Cost price", "MTN 1GB 3.90 3.70"],
  ["Network,Size,Price,Cost", "MTN 1GB 3.90 3.70"],
  ["Product name,Price,Cost", "MTN 1GB,3.90,3.70"],
])("below %s, %s is read by the headings", (headings, line) => {
  const { bundles, problems } = read(`${headings}\n${line}`);
  expect([brief({ bundles, problems }), problems]).toEqual([["MTN MTN 1GB 370 390"], []]);
});

test.each([
  ["Network,Size,Validity (days),Price\nMTN,1GB,90,4.20", "MTN MTN 1GB – 420"],
  ["Network;Kind;Size;Price\nAirtelTigo;BigTime;15GB;57", "AT_BIGTIME AT BigTime 15GB – 5700"],
  ['Network,Size,Cost,Price\nMTN,100GB,"1,100.00","1,150.00"', "MTN MTN 100GB 110000 115000"],
  ["Network,Size,Cost,Price\nMTN,1GB,4.50,4.20", "MTN MTN 1GB 450 420"],
  ["Network,Name,Size,Price\nMTN,Starter,1GB,4.20", "MTN Starter 1GB – 420"],
  ["Data prices\nSize,Price\nTELECEL,\n5GB,20", "TELECEL Telecel 5GB – 2000"],
])("%s", (text, wanted) => {
  expect([brief(read(text, "MTN")), read(text, "MTN").problems]).toEqual([[wanted], []]);
});

test.each([
  ["Network,Size,Gold,Price", "“Gold” is no column of this list: leave it out, or call it Cost or Price."],
  ["Network,Size,Price ($)", "“Price ($)” is no column of cedis: call it Price, and give its amounts in GH₵."],
  ["Network,Size,Cost %,Price", "“Cost %” is no column of cedis: call it Cost, and give its amounts in GH₵."],
  ["Network,Size,Price,Agent price", "“Price” and “Agent price” are columns for one thing: keep one."],
  [
    "Network,Size,Price (May 2026)",
    "“Price (May 2026)” is no column of this list: leave it out, or call it Cost or Price.",
  ],
  ["Net,Vol,Retail,Wholesale", "“Net” is no column of this list: leave it out, or call it Cost or Price."],
  ["Network,Size,Cost", "No column is called Price."],
  ["Network,Cost,Price", "No column is called Size."],
])("the headings %s are not read, nor the lines below them", (headings, problem) => {
  expect(read(`${headings}\nMTN,1GB,3.70,3.90\nMTN 2GB 8`)).toEqual({
    bundles: [],
    problems: [`Line 1: ${headings} cannot be read: ${problem} Its lines are left out`],
  });
});

test.each([
  [
    "Network,Size,Price,Cost\nMTN,1GB,3,90,3,70",
    "there are more cells than headings: an amount with a comma needs quotes",
  ],
  ["Network,Size,Validity,Price\nMTN,1GB,4.20", "has other amounts than its headings name"],
  ["Network Size Cost Price\nMTN 1GB 4.20", "has other amounts than its headings name"],
  ["Network,Size,Price\nMTN,Telecel 1GB,4.20", "names two networks"],
  ["Network,Size,Price\nMTN,1GB,free", "has something that is no price"],
  ["Network,Size,Cost,Price\nMTN,1GB,x,4.20", "has something that is no price"],
  ["Network,Size,Price\nMTN,1GB (30 days),4.20", "has something besides its size"],
])("%s is a problem", (text, problem) => {
  expect(read(text)).toEqual({ bundles: [], problems: [`Line 2: ${text.split("\n")[1]} ${problem}`] });
});

const NO_KIND = "names no kind: write AT iShare or AT BigTime";

test.each<[text: string, line: number]>([
  ["AT 15GB 50", 1],
  ["AirtelTigo 4G 2GB 8", 1],
  ["15GB AT 50", 1],
  ["AT\n100GB 300", 2],
  ["AirtelTigo prices\n50GB 150", 2],
  ["Network,Size,Price\nAT,15GB,50", 2],
])("a network of several kinds is no kind: %j asks which", (text, line) => {
  const { bundles, problems } = read(text, "MTN");
  expect([bundles, problems]).toEqual([[], [`Line ${line}: ${text.split("\n")[line - 1]} ${NO_KIND}`]]);
});

test("nor is one that is chosen for the lines that name none", () => {
  expect(read("15GB 50", "AIRTELTIGO")).toEqual({ bundles: [], problems: [`Line 1: 15GB 50 ${NO_KIND}`] });
});

test.each<[text: string, ...wanted: string[]]>([
  ["AT\niShare 1GB 4\nBigTime 15GB 57", "AT_ISHARE AT iShare 1GB – 400", "AT_BIGTIME AT BigTime 15GB – 5700"],
  ["AT BigTime\nAT 15GB 57", "AT_BIGTIME AT BigTime 15GB – 5700"],
  ["Network,Size,Price\nAT BigTime,AT 15GB,57", "AT_BIGTIME AT BigTime 15GB – 5700"],
  ["15GB AT BigTime 57", "AT_BIGTIME AT BigTime 15GB – 5700"],
  ["AT 15GB (BigTime) 57", "AT_BIGTIME AT BigTime 15GB – 5700"],
] as [string, ...string[]][])("the kind stands on the line or above it: %j", (text, ...wanted) => {
  expect([brief(read(text)), read(text).problems]).toEqual([wanted, []]);
});

test("two cells that name different kinds are a problem, and so is a kind that the shop does not have", () => {
  expect(read("Network,Size,Price\nAT BigTime,iShare 15GB,57").problems).toEqual([
    "Line 2: AT BigTime,iShare 15GB,57 names two kinds of bundles",
  ]);
  expect(read("AT PREMIUM\n1GB 4.20", "MTN")).toEqual({
    bundles: [],
    problems: [
      `Line 1: AT PREMIUM ${NO_KIND}`,
      "Line 2: 1GB 4.20 stands below “AT PREMIUM”: write AT iShare or AT BigTime before it",
    ],
  });
});

test.each([
  ...["1GB -> ¢4.20", "1GB ---> 4.20", "1GB => 4.20", "1GB ➜ 4.20", "1GB➡️4.20", "1GB = 4.20gh", "1GB 4.20 gh"],
  ...["1GB GH 4.20", "1GB gh4.20", "1GB 4.20 Ghana cedis", "1GB(4.20)", "1GB - (¢4.20)", "1GB [4.20]"],
  ...["1GB for 4.20", "1GB at 4.20", "1GB for GHS 4.20", "1GB (Non-expiry) - 4.20", "1GB no expiry 4.20"],
  ...[
    "1GB 4.20 (non expiry)",
    "1GB 4.20 90 days",
    "1GB 90days 4.20",
    "1GB (30 Days) = 4.20",
    "1GB valid for 30 days 4.20",
  ],
  ...[
    "1GB/30days 4.20",
    "1GB 4.20/24hrs",
    "1GB 4.20 - 1 month validity",
    "1GB, 90 days, 4.20",
    "1GB,90 days,4.20",
    "Size Validity Price\n1GB 30 days 4.20",
    "1GB 7-day 4.20",
  ],
  ...["1GB MTN 4.20", "1GB (MTN) 4.20", "1GB 4.20 MTN", "MTN (90 days) 1GB 4.20", "MTN 1GB MTN 4.20"],
])("as agents write it, %s is the price 4.20", (line) => {
  expect([brief(read(line, "MTN")), read(line, "MTN").problems]).toEqual([["MTN MTN 1GB – 420"], []]);
});

test.each([
  ["1GB 90 days", "has no price"],
  ["1GB 4.20 90", "has “90”, which may be days: write “days” behind it, or both amounts with pesewas"],
  ["1GB,4.20,90", "has “90”, which may be days: write “days” behind it, or both amounts with pesewas"],
  ["1GB 1 4.20", "has “1”, which may be days: write “days” behind it, or both amounts with pesewas"],
  ["MTN retail 1GB 4.20", "says “retail” before its size: leave that out, or leave the line out"],
  ["1GB for 30 days", "has no price"],
  ["1GB (30)", "has “(30)”, which may be days or a price: write “30.00” or “30 days”"],
  ["1GB (3.70) 4.20", "has an amount in brackets beside another: leave one out"],
  ["1GB 4.20 (3.70)", "has an amount in brackets beside another: leave one out"],
  ["1GB 3.70 -> 4.20", "has something between its amounts: leave it out"],
  ["1GB 3.70 → 4.20", "has something between its amounts: leave it out"],
  ["1GB 2 for 8", "has something between its amounts: leave it out"],
  ["1GB 3.70 MTN 4.20", "has something between its amounts: leave it out"],
  ["1GB for 3.70 4.20", "has something that is no price"],
  ["1GB for Ama 4.20", "has something that is no price"],
  ["1GB 4.20 for", "has something that is no price"],
  ["1GB 4 cedis 5 pesewas", "has something that is no price"],
  ["1GB 4.20 days", "has something that is no price"],
  ["1GB sold out 4.20", "has something that is no price"],
  ["1GB Telecel 4.20 MTN", "names two networks"],
  ["MTN 1GB Telecel 4.20", "names two networks"],
])("%s is a problem where the line names no more than this", (line, problem) => {
  expect(read(line, "MTN")).toEqual({ bundles: [], problems: [`Line 1: ${line} ${problem}`] });
});

test.each([
  "Retail Price",
  "Dealer Price",
  "Size Retail Price Dealer Price",
  "WHOLESALE",
  "MTN dealer prices",
  "Cost price",
])("%s above lines may be what agents pay or not, so that the lines below it are left out", (line) => {
  expect(read(`${line}\nMTN 1GB 3.70\nMTN 2GB 7.70 8`)).toEqual({
    bundles: [],
    problems: [
      `Line 1: ${line} cannot be read: call what you pay Cost, and what agents pay Price. Its lines are left out`,
    ],
  });
});

test("a network on a line of its own is that of the lines below it, whatever was chosen", () => {
  for (const [line, wanted] of [
    ...[["TELECEL:", "TELECEL Telecel"] as const, ["*Vodafone bundles*", "TELECEL Telecel"] as const],
    ...[
      ["AT BigTime", "AT_BIGTIME AT BigTime"] as const,
      ["🔴 Tigo Big Time prices", "AT_BIGTIME AT BigTime"] as const,
    ],
    ...[["TELECEL (30 days)", "TELECEL Telecel"] as const, ["Telecel non-expiry", "TELECEL Telecel"] as const],
    ...[["TELECEL,,", "TELECEL Telecel"] as const, ["Our price list", "MTN MTN"] as const],
  ]) {
    const { bundles, problems } = read(`${line}\n\n5GB 20\n10GB 40`, "MTN");
    expect([line, brief({ bundles, problems }), problems]).toEqual([
      ...[line, [`${wanted} 5GB – 2000`, `${wanted} 10GB – 4000`], []],
    ]);
  }
  expect(brief(read("MTN\n1GB 4.20\nTELECEL\n5GB 20"))).toEqual(["MTN MTN 1GB – 420", "TELECEL Telecel 5GB – 2000"]);
});

test("below a line that nobody can read, a line has to name its network", () => {
  for (const line of ["Glo:", "Sold out", "MTN or Telecel", "MTN is sold out", "Telecel 2026 prices", "❌ Telecel"]) {
    const { bundles, problems } = read(`${line}\n5GB 20\nMTN 6GB 24`, "MTN");
    expect([line, brief({ bundles, problems }), problems.length]).toEqual([line, ["MTN MTN 6GB – 2400"], 2]);
    expect(problems[1]).toEndWith(`stands below “${line}”: name its network`);
  }
  const merged = read("Network,Size,Price\nTelecel,5GB,20\n,10GB,40", "MTN");
  expect([merged.bundles.length, merged.problems]).toEqual([1, ["Line 3: ,10GB,40 names no network"]]);
});

test("1.5GB is another size than 15GB", () => {
  expect(brief(read("MTN 1.50GB 5.90\nMTN 15GB 60"))).toEqual(["MTN MTN 1.5GB – 590", "MTN MTN 15GB – 6000"]);
});

test("a bundle comes once: neither twice in a list nor beside one that is on sale", () => {
  const onSale = [{ operator: "MTN", family: "MTN", size: "2GB" }] as never;
  const { bundles, problems } = readNewBundles("MTN 1GB 3.90\nMTN 1 GB 4.00\nMTN 2GB 8", onSale, null);
  expect(bundles.length).toBe(1);
  expect(problems).toEqual(["Line 2: MTN 1 GB 4.00 is in the list twice", "Line 3: MTN 2GB 8 is on sale already"]);
});

test("1000MB is the size 1GB, in a list and beside one that is on sale", () => {
  const onSale = [{ operator: "MTN", family: "MTN", size: "1500MB" }] as never;
  const { bundles, problems } = readNewBundles("MTN 1GB 3.90\nMTN 1000MB 4\nMTN 1.5GB 6", onSale, null);
  expect(bundles.length).toBe(1);
  expect(problems).toEqual(["Line 2: MTN 1000MB 4 is in the list twice", "Line 3: MTN 1.5GB 6 is on sale already"]);
});
