// Bulk orders in a browser without scripts: paste a list or choose a file, check it, place the good lines, keep the
// rest as a draft, see the result.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as drafts from "../../src/core/buying/bulk-drafts.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as spendingLimits from "../../src/core/identity/spending-limits.ts";
import * as orderQueries from "../../src/core/orders/queries.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import { holdWallet } from "../support/asking.ts";
import { longTest } from "../support/long.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { workbook } from "../support/xlsx.ts";
import { filledIn, type Seen, sheetText, type Visitor, visitor, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const small = await world.product("MTN", "1GB", "3.90");

const five = await world.product("MTN", "5GB", "20.90");
await world.product("TELECEL", "5GB", "19.90");

const ordersOf = (person: Person) => orderQueries.list(world.db, { userId: person.id }, { limit: 50 });
const draftsOf = (person: Person) => drafts.list(world.db, person.by());
const linesOf = async (person: Person) =>
  Promise.all((await draftsOf(person)).map(async ({ id }) => (await drafts.get(world.db, person.by(), id)).lines));
const packageOf = (product: typeof small) => `${product.id}@${product.pricePesewas}`;
let people = 0;
const agent = async (balance = "GH₵ 20.00") => {
  const person = await world.person(`bulkagent${++people}`, balance);
  return { person, visit: await visitorAs(client, person) };
};
const lines = "0541234567\n0241234567,2\n12345\n0541234567\n";
const CHECK = "Check list";
const check = async (visit: Visitor, typed: string, files = {}) =>
  visit.press(await visit.open("/bulk?operator=MTN"), CHECK, { productId: packageOf(small), lines: typed }, files);
const textarea = (seen: Seen) => seen.document.querySelector("textarea")!.textContent!.replaceAll("\r", "");
const file = (content: BlobPart, name = "numbers.csv") => ({ file: new File([content], name) });

describe("a bulk order", () => {
  longTest("is checked first, line by line, with nothing placed; then the good lines are placed as shown", async () => {
    const { person, visit } = await agent("GH₵ 100.00");
    const seen = await visit.press(await visit.open("/bulk?operator=MTN"), CHECK, {
      productId: packageOf(small),
      lines,
    });
    expect(seen.text).toContain("The same number as in line 1");
    expect(seen.text).toContain("12345");
    expect(seen.text).toContain("GH₵ 11.70");
    expect(await ordersOf(person)).toEqual([]);
    const placed = await visit.press(seen, "Place Bulk Orders (2)");
    expect(placed.text).toContain("Created 2 orders");
    expect((await ordersOf(person)).map((order) => [order.msisdn, order.quantity])).toEqual([
      ["233241234567", 2],
      ["233541234567", 1],
    ]);
    expect(await world.balanceOf(person)).toBe(10_000 - 1170);
    // A second press of the button changes nothing.
    expect((await visit.press(seen, "Place Bulk Orders (2)")).text).toContain("Created 2 orders");
    expect((await ordersOf(person)).length).toBe(2);
  });
  test("that costs more than the wallet holds states what is missing, and offers what is affordable", async () => {
    const { person, visit } = await agent("GH₵ 5.00");
    const two = "0541234567\n0241234567";
    const seen = await visit.press(await visit.open("/bulk?operator=MTN"), CHECK, {
      productId: packageOf(small),
      lines: two,
    });
    expect(seen.text).toContain("You need GH₵ 2.80 more");
    await visit.press(seen, "Place the first 1 order");
    expect((await ordersOf(person)).length).toBe(1);
    expect(await world.balanceOf(person)).toBe(110);
  });
  test("without lines, without a package, or with too many lines is refused with the specified messages", async () => {
    const { visit } = await agent();
    const page = await visit.open("/bulk?operator=MTN");
    const none = await visit.press(page, CHECK, { productId: packageOf(small), lines: " \n " });
    expect(none.text).toContain("Add at least one number");
    const nothing = await visit.press(page, CHECK, { lines });
    expect(nothing.document.querySelector("#bulk-product-error")?.textContent).toBe("Select a package");
    expect(nothing.document.querySelector("textarea")?.textContent?.replaceAll("\r", "")).toBe(lines);
    const many = "0541234567\n".repeat(10_001);
    const tooMany = await visit.press(page, CHECK, { productId: packageOf(small), lines: many });
    expect(tooMany.text).toContain("At most 10,000 lines at once");
  });

  test("is read from free text, and lines that cannot be read say why", async () => {
    const { visit } = await agent("GH₵ 100.00");
    const typed =
      "Please send:\n1. Kofi 024 123 4567\n0241234568 7gb\n2.33241E+11\n" +
      "0261234567 / 0271234567\n\u200e+233\u00a055 123 4567 x2";
    const seen = await check(visit, typed);
    for (const text of [
      "Good lines2",
      "Lines to fix3",
      "No bundle of this size is on sale",
      "has rounded this number",
      "read in two ways",
    ])
      expect(seen.text).toContain(text);
    expect(seen.text).toContain("You payGH₵ 11.70");
  });
});

describe("a list that is checked", () => {
  const AGAIN = "Check again";
  const numbersOf = async (person: Person) =>
    (await ordersOf(person)).map(({ msisdn, productSize, operator, quantity }) =>
      [msisdn.slice(3), operator, productSize, quantity].join(" "),
    );

  test("has an address that Back and a reload show again, and that nobody else can open", async () => {
    const { visit } = await agent("GH₵ 100.00");
    const seen = await check(visit, lines);
    expect(seen.path).toMatch(/^\/bulk\/check\/\d+$/);
    expect((await visit.open(seen.path)).text).toContain("Place Bulk Orders (2)");
    const other = await agent();
    for (const somebody of [other.visit, await visitorAs(client, world.yaw)])
      expect((await somebody.open(seen.path)).status).toBe(404);
    const { path, body } = filledIn(seen, AGAIN);
    const theirs = await client.browse(other.person, path, Object.fromEntries(new URLSearchParams(body)));
    expect(theirs.status).toBe(404);
  });

  longTest("links to its orders once it is placed, and is placed once from two pages", async () => {
    const { person, visit } = await agent("GH₵ 100.00");
    const [one, two] = [await check(visit, lines), await visit.open((await check(visit, "0551234567")).path)];
    const again = await visit.open(one.path);
    const placed = await visit.press(one, "Place Bulk Orders (2)");
    // Back from the orders opens the list's address, without a form to send again.
    const back = await visit.open(one.path);
    expect([back.path, back.text.includes("This list has been placed. These are its orders.")]).toEqual([
      placed.path,
      true,
    ]);
    expect((await visit.press(again, "Place Bulk Orders (2)")).path).toBe(placed.path);
    expect((await visit.press(again, AGAIN)).path).toBe(placed.path);
    expect((await ordersOf(person)).length).toBe(2);
    await visit.press(two, "Place Bulk Orders (1)");
    expect((await ordersOf(person)).length).toBe(3);
  });

  test("that is sent twice at the same moment is one bulk order, to which both requests lead", async () => {
    const { person, visit } = await agent("GH₵ 100.00");
    const seen = await check(visit, lines);
    const both = await Promise.all([1, 2].map(() => visit.press(seen, "Place Bulk Orders (2)")));
    expect(new Set(both.map(({ path }) => path)).size).toBe(1);
    expect([(await ordersOf(person)).length, (await draftsOf(person)).length]).toEqual([2, 1]);
  });

  test("is not placed when it has changed since it was shown, perhaps in another tab", async () => {
    const { person, visit } = await agent("GH₵ 100.00");
    const seen = await check(visit, "0541234567\n12345");
    await visit.press(seen, AGAIN, { "fix.1": "0241234567" });
    const refused = await visit.press(seen, "Place Bulk Orders (1)");
    expect([refused.status, await ordersOf(person)]).toEqual([409, []]);
    expect(refused.text).toContain("The list or a price has changed since you looked");
    await visit.press(refused, "Place Bulk Orders (2)");
    expect((await ordersOf(person)).length).toBe(2);
  });

  test("is not placed as another number of orders than was shown, nor at another price", async () => {
    const { person, visit } = await agent("GH₵ 100.00");
    const seen = await check(visit, "0541234567\n0241234567");
    const forged = [
      ["count", "1"],
      ["count", "3"],
      ["totalPesewas", "390"],
      ["totalPesewas", "0"],
    ] as const;
    for (const [field, value] of forged)
      expect((await visit.press(seen, "Place Bulk Orders (2)", { [field]: value })).status).toBe(409);
    expect(await ordersOf(person)).toEqual([]);
  });

  longTest("is not placed when a line or a price changes while it is being placed", async () => {
    const { person, visit } = await agent("GH₵ 100.00");
    const ten = await world.product("MTN", "10GB", "40.00");
    const seen = await check(visit, "0541234567 10GB\n12345");
    const setPrice = (pricePesewas: number) =>
      products.edit(world.db, { by: world.yaw.by("admin"), productId: ten.id, pricePesewas });
    const repair = () => visit.press(seen, AGAIN, { "fix.1": "0241234567 10GB" });
    for (const [change, status] of [[() => setPrice(4500), 422] as const, [repair, 409] as const]) {
      const wallet = await holdWallet(world.db, person.id);
      const placing = visit.press(seen, "Place Bulk Orders (1)");
      await wallet.waiting(1);
      await change();
      await wallet.release();
      expect([(await placing).status, await ordersOf(person)]).toEqual([status, []]);
      await setPrice(4000);
    }
    expect((await visit.open(seen.path)).text).toContain("Place Bulk Orders (2)");
  });

  test("corrects as many rows at once as a page shows, whatever a form sends", async () => {
    const { person, visit } = await agent("GH₵ 1,000.00");
    const rows = Array.from({ length: 55 }, (_, i) => i);
    const seen = await check(visit, rows.map((i) => `12345${i}`).join("\n"));
    const { path, body } = filledIn(seen, AGAIN);
    const fixes = rows.map((i) => [`fix.${i}`, `05412345${10 + i}`] as const);
    await client.browse(person, path, Object.fromEntries([...new URLSearchParams(body), ...fixes]));
    expect((await visit.open(path)).text).toContain("Good lines50Lines to fix5");
  });

  test("asks once what its figures mean, and never buys by a guess", async () => {
    const { person, visit } = await agent("GH₵ 100.00");
    const typed = "0541234567 5\n0241234567 1\n0551234567,2\n0591234567";
    const seen = await check(visit, typed);
    expect(seen.text).toContain('What does the 5 in "0541234567 5" mean?');
    expect(seen.text).toContain("2 lines have such a figure.");
    expect(seen.text).toContain("Good lines2Lines to fix0Waiting for your answer2");
    // The total is of the good lines: 2 bundles for one number, and 1 for another.
    expect(seen.text).toContain("You payGH₵ 11.70");
    const sized = await visit.press(seen, AGAIN, { figures: "size" });
    expect(sized.text).toContain("Place Bulk Orders (4)");
    const counted = await visit.press(sized, AGAIN, { figures: "quantity" });
    expect(counted.text).toContain("GH₵ 35.10");
    await visit.press(await visit.press(counted, AGAIN, { figures: "size" }), "Place Bulk Orders (4)");
    expect((await numbersOf(person)).sort()).toEqual([
      "241234567 MTN 1GB 1",
      "541234567 MTN 5GB 1",
      "551234567 MTN 1GB 2",
      "591234567 MTN 1GB 1",
    ]);
  });

  test("may name sizes and networks, each line with its bundle", async () => {
    const { person, visit } = await agent("GH₵ 200.00");
    const page = await visit.open("/bulk?operator=MTN");
    const typed = "0541234567 5GB\n0201234567 5GB Telecel\n0241234567 5gb, 0591234567 1gb\n0551234567";
    const seen = await visit.press(page, CHECK, { productId: "each", lines: typed });
    expect(seen.text).toContain("Which size? Write it like 0241234567 5GB");
    await visit.press(seen, "Place Bulk Orders (4), keep 1 as a draft");
    expect((await numbersOf(person)).sort()).toEqual([
      "201234567 TELECEL 5GB 1",
      "241234567 MTN 5GB 1",
      "541234567 MTN 5GB 1",
      "591234567 MTN 1GB 1",
    ]);
  });

  test("may mix networks and sizes without any package, each number with its own network's bundle", async () => {
    const { person, visit } = await agent("GH₵ 100.00");
    const typed = "0541234567 5GB\n0201234567 5GB\n0201234568 5GB MTN\n0201234569 1GB\n0211234567 5GB\n0241234567,2";
    const seen = await visit.press(await visit.open("/bulk"), CHECK, { lines: typed });
    expect(seen.text).toContain("Good lines3Lines to fix3");
    for (const problem of [
      "No bundle of this size is on sale for this network",
      "Which network? Write it like 0241234567 5GB MTN",
      "Which size?",
    ])
      expect(seen.text).toContain(problem);
    await visit.press(seen, "Place Bulk Orders (3), keep 3 as a draft");
    expect((await numbersOf(person)).sort()).toEqual([
      "201234567 TELECEL 5GB 1",
      "201234568 MTN 5GB 1",
      "541234567 MTN 5GB 1",
    ]);
  });

  test("needs a package if no line names a size, and remembers it", async () => {
    const { visit } = await agent("GH₵ 100.00");
    const page = await visit.open("/bulk?operator=TELECEL");
    const first = page.document.querySelector("#bulk-product optgroup")!;
    expect(first.getAttribute("label")).toBe("Telecel");
    const refused = await visit.press(page, CHECK, { lines: "0541234567" });
    expect(refused.document.querySelector("#bulk-product-error")!.textContent).toBe("Select a package");
    const seen = await visit.press(refused, CHECK, { productId: packageOf(small) });
    const again = await visit.press(seen, "Change the list");
    const chosen = again.document.querySelector("#bulk-product option[selected]")!;
    expect(chosen.getAttribute("value")).toBe(packageOf(small));
  });

  test("is repaired in its rows: a bundle is chosen, a number corrected, a line removed", async () => {
    const { person, visit } = await agent("GH₵ 100.00");
    const typed = "Kofi 0541234567 7GB\n0201234567 1GB\n12345\n0241234567\n0551234567 1GB";
    const seen = await visit.press(await visit.open("/bulk"), CHECK, { lines: typed });
    const offered = [...seen.document.querySelectorAll("[name='bundle.1'] option")];
    expect(offered.map((option) => option.textContent)).toEqual(["Choose a bundle", "5GB – GH₵ 19.90"]);
    const gone = await visit.press(seen, "Remove line 3", { "bundle.0": String(five.id) });
    expect(gone.text).toContain("Good lines2Lines to fix2");
    const fixed = await visit.press(gone, AGAIN, {
      "bundle.1": offered[1]!.getAttribute("value")!,
      "fix.2": "0241234568 1GB",
    });
    const text = await visit.press(fixed, "Change the list");
    expect(textarea(text)).toBe("Kofi 0541234567 5GB MTN\n0201234567 5GB Telecel\n0241234568 1GB\n0551234567 1GB");
    await visit.press(await visit.open(fixed.path), "Place Bulk Orders (4)");
    expect((await ordersOf(person)).length).toBe(4);
  });

  test("loses no correction: with one that is not in the total, the button for placing only stores it", async () => {
    const { person, visit } = await agent("GH₵ 100.00");
    const seen = await check(visit, "0541234567\n12345");
    const stored = await visit.press(seen, "Place Bulk Orders (1)", { "fix.1": "0241234567" });
    expect([stored.path, await ordersOf(person)]).toEqual([seen.path, []]);
    expect(stored.text).toContain("Your corrections are in. Check the total, then place the list.");
    await visit.press(stored, "Place Bulk Orders (2)");
    expect((await ordersOf(person)).length).toBe(2);
    const other = await check(visit, "0541234568\n12345");
    const text = await visit.press(other, "Change the list", { "fix.1": "0241234568" });
    expect(textarea(text)).toBe("0541234568\n0241234568");
  });

  test("keeps what was typed in its rows when an answer is refused", async () => {
    const { visit } = await agent("GH₵ 100.00");
    const seen = await check(visit, "12345\n678");
    const refused = await visit.press(seen, AGAIN, { "fix.0": "", "fix.1": "" });
    expect(refused.text).toContain("Add at least one number");
    expect(refused.document.querySelector("#fix-0")!.getAttribute("value")).toBe("");
    expect(textarea(await visit.press(await visit.open(seen.path), "Change the list"))).toBe("12345\n678");
  });

  test("asks once about numbers with another network's prefix", async () => {
    const { person, visit } = await agent("GH₵ 100.00");
    const seen = await check(visit, "0541234567\n0201234567\n0501234567");
    expect(seen.text).toContain("2 numbers look like another network");
    expect(seen.text).toContain("Place Bulk Orders (1), keep 2 as a draft");
    const moved = await visit.press(seen, AGAIN, { otherNetworks: "moved" });
    await visit.press(moved, "Place Bulk Orders (3)");
    expect((await ordersOf(person)).every(({ operator }) => operator === "MTN")).toBe(true);
  });

  test("counts lines to fix apart from repeated ones, and either kind can be removed in one step", async () => {
    const { visit } = await agent("GH₵ 100.00");
    const seen = await check(visit, "0541234567\n12345\n0541234567\n0241234567,0\n\nKofi 0551234567");
    expect(seen.text).toContain("Good lines2Lines to fix2Repeated1");
    // Each heading counts the rows below it, and agrees with the figure above.
    const headings = [...seen.document.querySelectorAll(".card h2 + .fixes")].map((rows) => [
      rows.previousElementSibling!.textContent,
      rows.children.length,
    ]);
    expect(headings).toEqual([
      ["Lines to fix (2)", 2],
      ["Repeated (1)", 1],
    ]);
    const fixed = await visit.press(seen, AGAIN, { "fix.1": "0241234568", "fix.3": "" });
    expect(fixed.text).toContain("Good lines3Lines to fix0Repeated1");
    const wanted = await visit.press(fixed, AGAIN, { allowDuplicate: "yes" });
    expect(wanted.text).toContain("Place Bulk Orders (4)");
    const other = await check(visit, "0541234567\n12345\n0541234567\n0241234567");
    expect((await visit.press(other, "Remove these 2")).text).toContain("Place Bulk Orders (2)");
  });

  test("that costs too much leads to a top-up of what is missing, and back", async () => {
    const { visit } = await agent("GH₵ 5.00");
    const seen = await check(visit, "0541234567\n0241234567");
    const way = seen.document.querySelector("a[href^='/wallet/top-up']")!.getAttribute("href")!;
    const query = new URLSearchParams(way.split("?")[1]);
    expect([query.get("amount"), query.get("back")]).toEqual(["2.80", seen.path]);
  });

  test("can be saved for later as it is", async () => {
    const { person, visit } = await agent("GH₵ 100.00");
    const seen = await check(visit, lines);
    expect(await draftsOf(person)).toEqual([]);
    const saved = await visit.press(seen, "Save for later");
    expect(saved.text).toContain("Saved for later. Nothing has been placed or paid.");
    expect(saved.path).toBe(seen.path);
    expect(textarea(await visit.press(saved, "Change the list"))).toBe(lines);
    expect((await draftsOf(person)).length).toBe(1);
  });

  test("can be found by its form's key, by its owner alone", async () => {
    const { person, visit } = await agent();
    const other = await agent();
    const page = await visit.open("/bulk?operator=MTN");
    const key = new URLSearchParams(filledIn(page, CHECK).body).get("key")!;
    const known = async (asker: Person) => (await client.browse(asker, "/bulk/known", { key })).json();
    expect(await known(person)).toEqual({ isKnown: false });
    await visit.press(page, CHECK, { productId: packageOf(small), lines });
    expect([await known(person), await known(other.person)]).toEqual([{ isKnown: true }, { isKnown: false }]);
  });
});

describe("a file", () => {
  test("is sent with the form, and its lines are added below those that were typed", async () => {
    const { visit } = await agent("GH₵ 100.00");
    const sheet = workbook([
      ["Name", "Phone", "Qty"],
      ["Kofi", 241234567, 2],
      ["Ama", 241234568, null],
    ]);
    const seen = await check(visit, "0541234567", file(sheet as BlobPart, "numbers.xlsx"));
    expect(seen.text).toContain("Good lines3");
    expect(seen.text).toContain("You payGH₵ 15.60");
    expect(textarea(await visit.press(seen, "Change the list"))).toBe("0541234567\n241234567,2\n241234568");
  });

  test("that cannot be read is refused beside its field, and keeps what was typed", async () => {
    const { visit } = await agent();
    for (const [content, message] of [
      [workbook([[1]], { isLocked: true }), "protected by a password"],
      ["x".repeat(2_200_000), "too large"],
      ["no digits", "no numbers in this file"],
    ] as const) {
      const seen = await check(visit, "0541234567", file(content as BlobPart));
      expect(seen.status).toBe(422);
      expect(seen.document.getElementById("bulk-file-error")!.textContent).toContain(message);
      expect(textarea(seen)).toBe("0541234567");
    }
  });

  test("is read for the open page, with its lines or the reason as the answer", async () => {
    const { person } = await agent();
    const read = async (parts: Record<string, File>, headers: Record<string, string> = {}) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(parts)) body.set(name, value);
      const cookie = `session=${await client.tokenOf(person)}`;
      const sent = new Request("http://localhost/bulk/read", {
        method: "POST",
        body,
        headers: { cookie, ...headers },
      });
      return client.app.fetch(sent);
    };
    expect(await (await read(file("0541234567,2"))).json()).toEqual({ lines: "0541234567,2", note: "" });
    expect(await (await read(file("%PDF-1"))).json()).toMatchObject({
      problem: expect.stringContaining("Choose an Excel"),
    });
    expect(await (await read({})).json()).toEqual({ problem: "Choose a file." });
    expect((await read(file("0541234567"), { origin: "https://evil.example" })).status).toBe(403);
  });

  test("may name people, who are shown and saved as customers if wanted, and never renamed", async () => {
    const { visit } = await agent("GH₵ 100.00");
    await visit.press(await visit.open("/customers"), "Save customer", { name: "Esi", msisdn: "0541230012" });
    const checked = await check(visit, "Kofi Mensah 0541230011 1GB\nSomebody 0541230012 1GB");
    expect(checked.text).toContain("Kofi Mensah");
    expect(checked.text).toContain("Save 1 new name among my customers");
    const placed = await visit.press(checked, "Place Bulk Orders (2)", { saveNames: "yes" });
    expect(placed.text).toContain("Saved: 1 name");
    const customers = await visit.open("/customers");
    expect([customers.text.includes("Kofi Mensah"), customers.text.includes("Somebody")]).toEqual([true, false]);
    expect(customers.text).toContain("Esi");
  });

  test("says what of it was hidden, and is checked without that", async () => {
    const { visit } = await agent("GH₵ 100.00");
    const html =
      "<table><tr><td>Phone number</td><td>Data (GB)</td></tr><tr><td>0541230001</td><td>1</td></tr>" +
      '<tr style="display:none"><td>0541230002</td><td>1</td></tr></table>';
    const checked = await check(visit, "", file(html));
    expect(checked.text).toContain("What is hidden in this table was left out.");
    expect(checked.text).toContain("Good lines1");
  });

  test("has a sample, which is read as it promises", async () => {
    const { visit } = await agent("GH₵ 100.00");
    const sample = await (await client.app.fetch(new Request("http://localhost/bulk-sample.csv"))).text();
    expect((await check(visit, "", file(sample))).text).toContain("Good lines3");
  });
});

describe("lines that were not placed", () => {
  const PLACE = "Place Bulk Orders (2), keep 2 as a draft";

  test("become a draft when the rest is placed, and can be continued", async () => {
    const { person, visit } = await agent("GH₵ 100.00");
    const seen = await check(visit, lines);
    expect(seen.text).toContain("You pay GH₵ 11.70. Balance after: GH₵ 88.30.");
    const placed = await visit.press(seen, PLACE);
    expect(placed.text).toContain("Created 2 orders. Kept as a draft: 2");
    expect(await linesOf(person)).toEqual(["12345\n0541234567"]);
    // Sent twice, this is one bulk order and one draft.
    await visit.press(seen, PLACE);
    expect([(await ordersOf(person)).length, (await draftsOf(person)).length]).toEqual([2, 1]);

    const list = await visit.open("/orders");
    expect(list.text).toContain("2 lines for MTN");
    const [draft] = await draftsOf(person);
    const again = await visit.open(`/bulk?draft=${draft!.id}`);
    expect(textarea(again)).toBe("12345\n0541234567");
    const fixed = await visit.press(again, CHECK, { lines: "0541234568" });
    expect((await visit.press(fixed, "Place Bulk Orders (1)")).text).toContain("Created 1 orders");
    expect(await draftsOf(person)).toEqual([]);
  });

  test("are all kept when nothing could be placed", async () => {
    const { person, visit } = await agent("GH₵ 100.00");
    const seen = await check(visit, lines);
    await world.db.execute(sql`update products set price_pesewas = 400 where id = ${small.id}`);
    const refused = await visit.press(seen, PLACE);
    await world.db.execute(sql`update products set price_pesewas = 390 where id = ${small.id}`);
    expect(refused.text).toContain("The list or a price has changed since you looked");
    expect(textarea(await visit.press(refused, "Change the list"))).toBe(lines);
    expect([await ordersOf(person), await draftsOf(person)]).toEqual([[], []]);
    expect(await world.balanceOf(person)).toBe(10_000);
  });

  test("are kept, too, when they exceed a limit, which the list names before it is refused", async () => {
    const { person, visit } = await agent("GH₵ 100.00");
    await spendingLimits.setOwn(world.db, {
      ...{ by: world.yaw.by("admin"), userId: person.id, reason: "new here", until: null },
      bounds: { ...spendingLimits.NO_BOUNDS, hourOrdersMax: 1 },
    });
    const seen = await check(visit, "0541234567\n0241234567");
    expect(seen.document.querySelector("#limit")!.textContent).toMatch(
      /^You can place 1 order an hour, and 1 is left until .* The first 1 order can be placed now\.$/,
    );
    expect(seen.text).not.toContain("Top up");
    const placed = await visit.press(seen, "Place the first 1 order, keep 1 as a draft");
    expect(placed.text).toContain("Created 1 orders. Kept as a draft: 1");
    const rest = await check(visit, "0241234567");
    expect(rest.document.querySelector("#limit")!.textContent).toContain("0 are left until");
    expect(rest.text).not.toContain("can be placed now");
  });

  test("are kept, too, when they exceed the balance", async () => {
    const { person, visit } = await agent("GH₵ 5.00");
    const seen = await check(visit, "0541234567\n0241234567\nx1");
    // One sum is called "You pay", and each button's sum stands with its own count.
    expect(seen.text).not.toContain("You pay");
    const bar = seen.document.querySelector(".pay-bar")!.textContent.replace(/\s+/g, " ");
    expect(bar).toContain("All 2: GH₵ 7.80 (GH₵ 2.80 short)");
    expect(bar).toContain("First 1: GH₵ 3.90, GH₵ 1.10 left. 2 lines stay in a draft.");
    const placed = await visit.press(seen, "Place the first 1 order, keep 2 as a draft");
    expect(placed.text).toContain("Created 1 orders. Kept as a draft: 2");
    expect(await linesOf(person)).toEqual(["0241234567\nx1"]);
  });
});

describe("a draft", () => {
  test("is saved once, as it was typed, and saving again updates the same one", async () => {
    const { person, visit } = await agent();
    const page = await visit.open("/bulk?operator=MTN");
    const typed = { productId: packageOf(small), lines: "Kofi 0541234567\n12" };
    const saved = await visit.press(page, "Save as draft", typed);
    await visit.press(page, "Save as draft", typed);
    expect(saved.text).toContain("Saved as a draft. Nothing has been placed or paid.");
    expect(textarea(saved)).toBe(typed.lines);
    expect(saved.document.querySelector("option[selected]")!.getAttribute("value")).toBe(packageOf(small));
    await visit.press(saved, "Save as draft", { lines: "0541234568" });
    expect(await linesOf(person)).toEqual(["0541234568"]);
  });

  test("can come from a file, and needs a number", async () => {
    const { person, visit } = await agent();
    const page = await visit.open("/bulk?operator=MTN");
    const none = await visit.press(page, "Save as draft", { lines: "Hello" });
    expect([none.status, textarea(none)]).toEqual([422, "Hello"]);
    expect(none.text).toContain("Add at least one number");
    await visit.press(page, "Save as draft", {}, file("0541234567"));
    expect(await linesOf(person)).toEqual(["0541234567"]);
  });

  test("is deleted after a confirmation, by its owner alone", async () => {
    const { person, visit } = await agent();
    const other = await agent();
    const saved = await visit.press(await visit.open("/bulk?operator=MTN"), "Save as draft", {
      lines: "0541234567",
    });
    const [draft] = await draftsOf(person);
    expect((await other.visit.open(saved.path)).status).toBe(404);
    await client.browse(other.person, "/bulk/drafts/delete", { draft: String(draft!.id), back: "/orders" });
    expect((await draftsOf(person)).length).toBe(1);
    const page = await visit.open("/bulk?operator=MTN");
    const gone = await visit.press(page, "Delete for good");
    expect([gone.path, await draftsOf(person)]).toEqual(["/bulk", []]);
    expect((await visit.open(saved.path)).text).toContain("This list no longer exists");
  });

  longTest("is one of at most twenty; beyond that, nothing is placed or lost", async () => {
    const { person, visit } = await agent("GH₵ 100.00");
    for (let i = 0; i < 20; i++)
      await visit.press(await visit.open("/bulk?operator=MTN"), "Save as draft", {
        lines: `054123450${i % 10}`,
      });
    const page = await visit.open("/bulk?operator=MTN");
    const refused = await visit.press(page, "Save as draft", { lines: "0541234567" });
    expect([refused.status, textarea(refused)]).toEqual([409, "0541234567"]);
    expect(refused.text).toContain("You already have 20 drafts");
    const seen = await check(visit, lines);
    expect((await visit.press(seen, "Place Bulk Orders (2)")).text).toContain("You already have 20 drafts");
    expect([(await ordersOf(person)).length, (await draftsOf(person)).length]).toEqual([0, 20]);
  });
});

describe("the result", () => {
  const placed = async () => {
    const { person, visit } = await agent("GH₵ 100.00");
    const result = await visit.press(await check(visit, "0541234567\n0241234567,2"), "Place Bulk Orders (2)");
    return { person, visit, result };
  };

  test("shows what was placed and its progress, and can be downloaded", async () => {
    const { person, visit, result } = await placed();
    expect(result.path).toMatch(/^\/bulk\/\d+$/);
    for (const text of ["Created 2 orders", "0 of 2 delivered", "PENDING 2", "054 123 4567"])
      expect(result.text).toContain(text);
    const [second, first] = await ordersOf(person);
    await statusChanges.move(world.db, { by: world.yaw.by(), key: null, ids: [first!.id], to: "PROCESSING" });
    await statusChanges.move(world.db, { by: world.yaw.by(), key: null, ids: [first!.id], to: "DELIVERED" });
    await statusChanges.move(world.db, {
      by: world.yaw.by(),
      key: null,
      ids: [second!.id],
      to: "FAILED",
      reason: "=No such number",
    });
    const later = await visit.open(result.path);
    expect(later.text).toContain("1 of 2 delivered");
    expect(later.document.querySelector("progress")!.getAttribute("value")).toBe("1");
    const csv = await client.browse(person, `${result.path}/export`);
    expect(csv.headers.get("content-disposition")).toContain("attachment");
    expect(await sheetText(csv)).toBe(
      "Number,Quantity,Amount,Order ID,Status,Reason,Reference\r\n" +
        `054 123 4567,1,3.90,${first!.id},DELIVERED,,\r\n` +
        `024 123 4567,2,7.80,${second!.id},FAILED,'=No such number,\r\n`,
    );
  });

  test("links to its own orders only", async () => {
    const { visit, result } = await placed();
    await visit.press(await check(visit, "0541234568"), "Place Bulk Orders (1)");
    const path = result.document.querySelector("a[href^='/orders?bulk=']")!.getAttribute("href")!;
    const list = await visit.open(path);
    expect([list.text.includes("054 123 4567"), list.text.includes("054 123 4568")]).toEqual([true, false]);
  });

  test("is counted for the open page, and shared without prices", async () => {
    const { person, visit, result } = await placed();
    const counts = await client.browse(person, `${result.path}/counts`);
    expect(await counts.json()).toEqual({ PENDING: 2 });
    const share = result.document.querySelector("a[href^='https://wa.me/']")!.getAttribute("href")!;
    expect(new URL(share).searchParams.get("text")).toBe("2 numbers, 3GB in all: 2 on the way.");
    expect(result.text).toContain("2 orders · GH₵ 11.70");
    expect(result.text).toContain("3 × MTN 1GB");
    expect((await visit.open("/bulk")).document.querySelector("textarea")!.textContent).toBe("");
  });

  test("is visible to its owner and to admins only", async () => {
    const { person, result } = await placed();
    const other = await agent();
    for (const path of [result.path, `${result.path}/export`, `${result.path}/counts`]) {
      const seen = await other.visit.open(path);
      expect([seen.status, seen.html.includes("0541234567")]).toEqual([404, false]);
      expect((await client.browse(world.yaw, path)).status).toBe(200);
    }
    const seen = await (await visitorAs(client, world.yaw)).open(result.path);
    expect(seen.text).toContain(person.username);
    expect((await (await visitorAs(client, person)).open("/bulk/999999")).text).toContain("Bulk order not found");
  });

  test("is the page to which a script leads the browser, with its notice", async () => {
    const { person, visit } = await agent("GH₵ 100.00");
    const { path, body } = filledIn(await check(visit, "0541234567"), "Place Bulk Orders (1)");
    const form = Object.fromEntries(new URLSearchParams(body));
    const response = await client.browse(person, path, form, { accept: "application/json" });
    const { to } = (await response.json()) as { to: string };
    expect([response.status, to]).toEqual([200, expect.stringMatching(/^\/bulk\/\d+$/)]);
    expect(response.headers.getSetCookie().join()).toContain("Created%201%20orders");
    // Without a session it is the login, like any other page.
    const stranger = await client.browse(null, path, form, { accept: "application/json" });
    expect(stranger.status).toBe(303);
  });
});

test("a form without a session has no effect", async () => {
  const seen = await visitor(client.app).open("/bulk?draft=1");
  expect(seen.path).toBe("/login?next=%2Fbulk%3Fdraft%3D1");
});
