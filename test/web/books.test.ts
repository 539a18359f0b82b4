// An agent's books in a browser without scripts: customers, debts, selling prices, the public price list, the daily
// closing, and their files.
import { describe, expect, test } from "bun:test";
import * as orders from "../../src/core/buying/buy.ts";
import * as contacts from "../../src/core/identity/contacts.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { cellsOfFile } from "../../src/web/upload/bulk-file.ts";
import { REASONS } from "../../src/web/upload/contacts/contact-values.ts";
import { longTest } from "../support/long.ts";
import { pauseProduct } from "../support/pausing.ts";
import { openApp, openWorld, type Person, testApp } from "../support/world.ts";
import { workbook } from "../support/xlsx.ts";
import { type Seen, visitor, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const mtn = await world.product("MTN", "1GB", "3.90");
const telecel = await world.product("TELECEL", "2GB", "7.00");
const today = new Date().toISOString().slice(0, 10);

let people = 0;
const agent = async () => {
  const person = await world.person(`seller${++people}`, "GH₵ 100.00");
  return { person, visit: await visitorAs(client, person) };
};
async function bought(person: Person, msisdn: string, product = mtn): Promise<number> {
  const line = { productId: product.id, msisdn, quantity: 1 };
  const ask = { by: person.by("web"), key: null, line, allowDuplicate: true };
  return (await orders.buy(world.db, ask)).answer.order.id;
}
const rowsOn = (seen: Seen) =>
  [...seen.document.querySelectorAll(".row-list > li")].map((row) => row.textContent!.replace(/\s+/g, " ").trim());
const linkOn = (seen: Seen, text: string) =>
  [...seen.document.querySelectorAll("main a")].find((a) => a.textContent!.includes(text))?.getAttribute("href");
const sheetAt = async (person: Person, path: string) => {
  const response = await client.browse(person, path);
  expect(response.headers.get("content-type")).toContain("spreadsheetml.sheet");
  return { response, rows: (await cellsOfFile(await response.bytes())).read };
};

describe("customers", () => {
  test("are added, found, renamed, removed and brought back", async () => {
    const { visit } = await agent();
    const empty = await visit.open("/customers");
    expect(empty.text).toContain("Save a number once");
    const added = await visit.press(empty, "Save customer", {
      name: "Kwame",
      msisdn: "+233 24 100 0001",
      note: "Fridays",
    });
    expect([added.path, rowsOn(added)]).toEqual(["/customers", ["Kwame024 100 0001"]]);
    expect(added.text).toContain("Kwame is saved for 024 100 0001.");

    const found = await visit.press(added, "Search", { search: "wam" });
    expect(rowsOn(found)).toHaveLength(1);
    expect((await visit.press(found, "Search", { search: "Esi" })).text).toContain("Nobody called “Esi”.");

    const one = await visit.open(linkOn(found, "Kwame")!);
    expect(one.path).toBe("/customer?number=0241000001");
    expect(linkOn(one, "Buy for")).toBe("/buy?msisdn=0241000001");
    const renamed = await visit.press(one, "Save", { name: "Kwame Mensah" });
    expect(renamed.document.querySelector("h1")!.textContent).toBe("Kwame Mensah");

    const removed = await visit.press(renamed, "Remove customer");
    expect(rowsOn(removed)).toEqual([]);
    const back = await visit.press(removed, "Undo");
    expect(rowsOn(back)).toEqual(["Kwame Mensah024 100 0001"]);
  });

  test("are refused without a name or a number, with what was typed and the message beside the field", async () => {
    const { visit } = await agent();
    const page = await visit.open("/customers");
    const refused = await visit.press(page, "Save customer", { name: "", msisdn: "12345", note: "kept" });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("Enter a name");
    expect(refused.document.querySelector("[name=note]")!.getAttribute("value")).toBe("kept");
    const number = await visit.press(refused, "Save customer", { name: "Kwame", msisdn: "12345" });
    expect(number.text).toContain("Enter a valid Ghana number");
    expect(number.document.querySelector("[name=msisdn]")!.getAttribute("aria-invalid")).toBe("true");
    const long = await visit.press(number, "Save customer", { name: "x".repeat(61), msisdn: "0241000001" });
    expect(long.text).toContain("At most 60 characters");
  });

  test("come from a pasted list, a text file or a workbook, and each is reported", async () => {
    const { visit, person } = await agent();
    const page = await visit.open("/customers");
    const list = "Kwame, 0241000001\nEsi 0241000002\nno number here 77";
    const pasted = await visit.press(page, "Add customers", { people: list });
    expect(pasted.text).toContain("2 customers added, 1 line without a name or a number left out.");
    const file = new File(["Name,Phone\nKwame Mensah,0241000001\nYaa,0201234567\n"], "people.csv");
    const csv = await visit.press(await visit.open("/customers"), "Add customers", {}, { file });
    expect(csv.text).toContain("1 customer added, 1 customer renamed.");
    const sheet = workbook([
      ["Name", "Phone"],
      ["Adwoa", "0241000009"],
    ]);
    const xlsx = await visit.press(
      await visit.open("/customers"),
      "Add customers",
      {},
      {
        file: new File([sheet as BlobPart], "people.xlsx"),
      },
    );
    expect(xlsx.text).toContain("1 customer added.");
    const names = (await contacts.list(world.db, person.id, { limit: 10 })).map(({ name }) => name);
    expect(names).toEqual(["Adwoa", "Esi", "Kwame Mensah", "Yaa"]);

    for (const [people, message] of [
      ["hello", "There is no line with both a name and a number."],
      ["Kwame 0241000001\n".repeat(2_001), "At most 2,000 lines at once"],
    ] as const) {
      const refused = await visit.press(await visit.open("/customers"), "Add customers", { people });
      expect([refused.status, refused.text.includes(message)]).toEqual([422, true]);
    }
  });

  test("that cannot be read are named with the reason, and stand in the list to be corrected", async () => {
    const { visit, person } = await agent();
    const cards =
      "BEGIN:VCARD\nFN:Ama MTN 0551234567\nTEL:0201234567\nTEL;FAX:0241000003\nEND:VCARD\n" +
      "BEGIN:VCARD\nFN:Nobody\nEMAIL:n@example.com\nEND:VCARD\n";
    const people = "Number,Network,Name\n0241000001,MTN,Kofi Mensah\n#N/A,MTN,Yaw";
    const sent = { file: new File([cards], "phone.vcf") };
    const seen = await visit.press(await visit.open("/customers"), "Add customers", { people }, sent);
    expect(seen.text).toContain("2 customers added, 2 lines left out. Without any number, so left out: “Nobody”.");
    expect([...seen.document.querySelectorAll(".left-out li")].map((it) => it.textContent)).toEqual([
      `Yaw #N/A: ${REASONS.noValue}`,
      `Ama MTN 0551234567 0241000003: ${REASONS.fax}`,
    ]);
    expect(rowsOn(seen)).toEqual(["Ama MTN 0551234567020 123 4567", "Kofi Mensah024 100 0001"]);
    const left = seen.document.querySelector("[name=people]")!.textContent!;
    expect(left).toBe("Yaw\t#N/A\nAma MTN 0551234567\t0241000003");

    const corrected = await visit.press(seen, "Add customers", { people: "Yaw\t0241000002" });
    expect(corrected.text).toContain("1 customer added.");
    expect(await contacts.list(world.db, person.id, { limit: 10 })).toHaveLength(3);
    const none = await visit.press(corrected, "Add customers", { people: "#N/A\t0241000004" });
    expect([none.status, none.text.includes(`“#N/A 0241000004”: ${REASONS.noValue}`)]).toEqual([422, true]);
  });

  test("are listed page by page, all of them once", async () => {
    const { visit, person } = await agent();
    const many = Array.from({ length: 60 }, (_, i) => ({
      msisdn: `2335500000${10 + i}`,
      name: `Customer ${10 + i}`,
    }));
    await contacts.saveAll(world.db, { by: person.by(), people: many });
    const first = await visit.open("/customers");
    const second = await visit.open(linkOn(first, "More customers")!);
    expect([rowsOn(first).length, rowsOn(second).length, linkOn(second, "More customers")]).toEqual([
      50,
      10,
      undefined,
    ]);
    expect(new Set([...rowsOn(first), ...rowsOn(second)]).size).toBe(60);
  });

  test("have no page without a number, and somebody else's name is nowhere", async () => {
    const [ama, kofi] = [await agent(), await agent()];
    await contacts.save(world.db, {
      by: ama.person.by(),
      msisdn: "0241000001",
      name: "Kwame",
      note: "a secret",
    });
    for (const number of ["", "12345", "%00", "x".repeat(5_000)])
      expect((await kofi.visit.open(`/customer?number=${number}`)).status).toBe(404);
    const seen = await kofi.visit.open("/customer?number=0241000001");
    expect(seen.status).toBe(200);
    expect(seen.html).not.toMatch(/Kwame|a secret/);
    expect((await kofi.visit.open("/customers?search=Kwame&after=0241000000")).text).not.toContain("0241000001");
    // An address alone tells nobody that something was done.
    expect((await kofi.visit.open("/customers?removed=0241000001")).text).not.toContain("was removed");
    const id = await bought(ama.person, "0241000001");
    const paid = await kofi.visit.open(`/customer?number=0241000001&paid=${id}`);
    expect(paid.text).not.toContain("marked as paid");
    expect((await visitor(client.app).open("/customers")).path).toStartWith("/login");
  });
});

describe("a debt", () => {
  test("is marked from the customer's page, totalled in the list, paid, and undone", async () => {
    const { visit, person } = await agent();
    await contacts.save(world.db, { by: person.by(), msisdn: "0241000001", name: "Kwame", note: "" });
    await bought(person, "0241000001");
    const page = await visit.open("/customer?number=0241000001");
    const owing = await visit.press(page, "Mark as owing");
    expect(owing.path).toBe("/customer?number=0241000001");
    expect(owing.text).toContain("Owes you GH₵ 3.90");
    expect(linkOn(owing, "Remind on WhatsApp")).toStartWith("https://wa.me/233241000001?text=Hello");
    const list = await visit.open("/customers");
    expect(rowsOn(list)).toEqual(["Kwame024 100 0001GH₵ 3.90Owes"]);
    expect(rowsOn(await visit.open("/customers?owing=1"))).toHaveLength(1);
    const paid = await visit.press(owing, "Mark as paid");
    expect(paid.text).not.toContain("Owes you");
    const undone = await visit.press(paid, "Undo");
    expect(undone.text).toContain("Owes you GH₵ 3.90");
    expect(await world.balanceOf(person)).toBe(10_000 - 390);
  });

  test("has any amount on the order's notes, where it can be forgotten, and of nobody else's order", async () => {
    const [{ visit, person }, other] = [await agent(), await agent()];
    const id = await bought(person, "0241000002");
    const notes = await visit.open(`/orders/${id}/notebook`);
    expect(notes.text).toContain("They move no money in your wallet");
    for (const amount of ["", "0", "-1", "abc", "99999999999"]) {
      const refused = await visit.press(notes, "Mark as owing", { amount });
      expect([amount, refused.status, refused.text.includes("Enter an amount above zero")]).toEqual([
        amount,
        422,
        true,
      ]);
    }
    const owing = await visit.press(notes, "Mark as owing", { amount: "5.50" });
    expect(owing.text).toContain("The customer owes you GH₵ 5.50 for this order.");
    // A number without a name owes, too.
    expect(rowsOn(await visit.open("/customers?owing=1"))).toEqual(["024 100 0002No name yetGH₵ 5.50Owes"]);
    const paid = await visit.press(owing, "Mark as paid");
    expect(paid.text).toContain("The customer has paid you GH₵ 5.50.");
    const again = await visit.press(paid, "Mark as owing");
    expect((await visit.press(again, "Not owing")).text).toContain("The note is removed.");
    expect((await other.visit.open(`/orders/${id}/notebook`)).status).toBe(404);
    for (const action of ["owe", "paid", "unpaid", "forget"])
      expect((await client.browse(other.person, `/orders/${id}/notebook`, { action })).status).toBe(404);
    // Nor do admins, who can open the order itself.
    const admin = await visitorAs(client, world.yaw);
    expect((await admin.open(`/orders/${id}`)).status).toBe(200);
    expect((await admin.open(`/orders/${id}/notebook`)).status).toBe(404);
  });

  test("leads back to pages of this shop only", async () => {
    const { person } = await agent();
    const id = await bought(person, "0241000003");
    for (const back of ["https://evil.example/", "//evil.example", "/\\evil.example"]) {
      const response = await client.browse(person, `/orders/${id}/notebook`, { action: "owe", back });
      expect(response.headers.get("location")).toBe(`/orders/${id}/notebook`);
    }
  });

  test("of a refunded order cannot be marked", async () => {
    const { visit, person } = await agent();
    const id = await bought(person, "0241000004");
    await statusChanges.moveOne(world.db, { by: world.yaw.by("admin"), key: null, orderId: id, to: "FAILED" });
    expect((await visit.open(`/orders/${id}/notebook`)).text).not.toContain("Mark as owing");
    expect((await client.browse(person, `/orders/${id}/notebook`, { action: "owe" })).status).toBe(422);
  });
});

describe("selling prices", () => {
  const field = (product: { id: number }) => `price.${product.id}`;

  test("are filled in by a margin, saved in one form, and warned about below the cost", async () => {
    const { visit } = await agent();
    const page = await visit.open("/prices");
    const filled = await visit.press(page, "Fill in", { margin: "10" });
    const fieldValue = (seen: Seen, product: { id: number }) =>
      seen.document.querySelector(`[name="${field(product)}"]`)!.getAttribute("value");
    expect([fieldValue(filled, mtn), fieldValue(filled, telecel)]).toEqual(["4.30", "7.70"]);
    expect(filled.text).toContain("Nothing is saved yet.");
    const saved = await visit.press(filled, "Save prices", { [field(telecel)]: "6.50" });
    expect(saved.text).toContain("2 prices saved. Below what you pay: Telecel 2GB.");
    expect([fieldValue(saved, mtn), fieldValue(saved, telecel)]).toEqual(["4.30", "6.50"]);
    expect(saved.text).toContain("+GH₵ 0.40");
    expect(saved.text).toContain("−GH₵ 0.50");
    expect((await visit.press(saved, "Save prices", { [field(telecel)]: "" })).text).toContain("1 price saved.");
  });

  test("that are no amounts are refused in their field, and nothing is saved", async () => {
    const { visit } = await agent();
    const page = await visit.open("/prices");
    const wrong = { [field(mtn)]: "4.50", [field(telecel)]: "lots" };
    const refused = await visit.press(page, "Save prices", wrong);
    expect(refused.status).toBe(422);
    const input = refused.document.querySelector(`[name="${field(telecel)}"]`)!;
    expect([input.getAttribute("value"), input.getAttribute("aria-invalid"), input.hasAttribute("autofocus")]).toEqual([
      "lots",
      "true",
      true,
    ]);
    expect(refused.document.querySelector(`[name="${field(mtn)}"]`)!.getAttribute("value")).toBe("4.50");
    expect((await visit.open("/prices/share")).text).toContain("Set your prices first");
    const { status } = await visit.press(page, "Save prices", { "price.99999999": "1.00", [field(mtn)]: "" });
    expect(status).toBe(200);
  });

  longTest("make profit on the order's notes and in the sales history, and its files", async () => {
    const { visit, person } = await agent();
    expect((await visit.open("/statistics")).text).toContain("Set your prices to see your profit here.");
    await visit.press(await visit.open("/prices"), "Save prices", { [field(mtn)]: "4.50" });
    const id = await bought(person, "0241000005");
    await bought(person, "0201000006", telecel);
    expect((await visit.open(`/orders/${id}/notebook`)).text).toContain("ProfitGH₵ 0.60");
    const history = await visit.open("/statistics?range=7");
    expect(history.text).toContain("GH₵ 0.60from 1 sale");
    const csv = await visit.open(linkOn(history, "Download CSV")!);
    expect(csv.html.split("\r\n")[0]).toBe("Day,Amount,Orders,GB,Profit");
    expect(csv.html.trim().split("\r\n").at(-1)).toBe(`${today},10.90,2,3,0.60`);
    const { rows } = await sheetAt(person, linkOn(history, "Excel")!);
    expect([rows[0], rows.at(-1)!.slice(1)]).toEqual([
      ["Day", "Amount", "Orders", "GB", "Profit"],
      ["10.90", "2", "3", "0.60"],
    ]);
    expect((await visit.open("/statistics?range=365")).text).toContain("Figures by month");
  });
});

describe("a price list", () => {
  const priced = async () => {
    const one = await agent();
    const prices = { [`price.${mtn.id}`]: "4.50", [`price.${telecel.id}`]: "" };
    await one.visit.press(await one.visit.open("/prices"), "Save prices", prices);
    return one;
  };
  const pathOf = (seen: Seen) => new URL(linkOn(seen, "/p/")!).pathname;

  test("is a message for WhatsApp with the agent's prices and none of the costs", async () => {
    const { visit } = await priced();
    const message = decodeURIComponent(linkOn(await visit.open("/prices/share"), "Share on WhatsApp")!);
    expect(message).toBe("https://wa.me/?text=Data bundle prices\n\n*MTN*\n1GB – GH₵ 4.50");
  });

  test("is a page for customers: prices and what the agent chose, no cost, balance, name or login", async () => {
    const { visit, person } = await priced();
    const off = await visit.open("/prices/share");
    const on = await visit.press(off, "Switch on", { heading: "Ama's data", msisdn: "" });
    const customer = visitor(client.app);
    const page = await customer.open(pathOf(on));
    expect([page.status, page.headers.get("x-robots-tag")]).toEqual([200, "noindex"]);
    expect(page.html).toContain('<meta name="robots" content="noindex"/>');
    expect(page.text).toBe("Ama's dataM MTN1GBGH₵ 4.50");
    expect(page.html).not.toMatch(new RegExp(`3\\.90|100\\.00|${person.username}|054|/signup|/login`));
    const withNumber = await visit.press(on, "Save", { msisdn: "0541234567" });
    const shown = await customer.open(pathOf(withNumber));
    expect(shown.text).toContain("Call 054 123 4567");
    expect(linkOn(shown, "Order on WhatsApp")).toStartWith("https://wa.me/233541234567?text=");
  });

  test("leaves out what is paused, and its link is in no log", async () => {
    const { visit } = await priced();
    const on = await visit.press(await visit.open("/prices/share"), "Switch on");
    const by = world.yaw.by("admin");
    const pause = (message: string | null) => pauseProduct(world.db, { by, productId: mtn.id, message, until: null });
    const lines: string[] = [];
    const app = testApp(world.db, { log: createLog("info", { write: (line) => void lines.push(line) }) });
    const open = async () => (await app.fetch(new Request(`http://localhost${pathOf(on)}`))).text();
    expect(await open()).toContain("4.50");
    await pause("Late at MTN");
    expect(await open()).not.toContain("4.50");
    await pause(null);
    expect(lines.join()).toContain('"path":"/p/[redacted]"');
    expect(lines.join()).not.toContain(pathOf(on).slice(3));
  });

  test("has a new link on demand, and none once it is switched off", async () => {
    const { visit } = await priced();
    const on = await visit.press(await visit.open("/prices/share"), "Switch on");
    const customer = visitor(client.app);
    const renewed = await visit.press(on, "New link");
    expect((await customer.open(pathOf(on))).status).toBe(404);
    expect((await customer.open(pathOf(renewed))).status).toBe(200);
    const off = await visit.press(renewed, "Switch off");
    expect(off.text).toContain("Its link no longer works.");
    expect((await customer.open(pathOf(renewed))).status).toBe(404);
    // Also by an agent who has no prices any more.
    await visit.press(off, "Switch on");
    await visit.press(await visit.open("/prices"), "Save prices", { [`price.${mtn.id}`]: "" });
    const bare = await visit.open("/prices/share");
    expect(bare.text).toContain("Set your prices first");
    expect((await visit.press(bare, "Switch off")).text).toContain("Its link no longer works.");
    for (const token of ["x", "a".repeat(22), "%00".repeat(22), "a".repeat(5_000), "%27%20or%201=1--xxxxxxxx"])
      expect((await customer.open(`/p/${token}`)).status).toBe(404);
  });
});

describe("the daily closing", () => {
  test("has the wallet's day, the profit and what is owed, and can be shared", async () => {
    const { visit, person } = await agent();
    await visit.press(await visit.open("/prices"), "Save prices", { [`price.${mtn.id}`]: "4.50" });
    const id = await bought(person, "0241000007");
    const failed = await bought(person, "0201000008", telecel);
    await statusChanges.moveOne(world.db, {
      by: world.yaw.by("admin"),
      key: null,
      orderId: failed,
      to: "FAILED",
    });
    await client.browse(person, `/orders/${id}/notebook`, { action: "owe" });
    const seen = await visit.open("/closing");
    for (const text of [
      "Opening balanceGH₵ 0.00",
      "Orders (2)−GH₵ 10.90",
      "Refunds (1)+GH₵ 7.00",
      "Corrections (1)+GH₵ 100.00",
      "Balance nowGH₵ 96.10",
      "ProfitGH₵ 0.60from 1 sale",
      "Owed for this dayGH₵ 4.50",
    ])
      expect(seen.text).toContain(text);
    const message = decodeURIComponent(linkOn(seen, "Share on WhatsApp")!);
    expect(message).toContain("Closing balance: GH₵ 96.10\nProfit on 1 order: GH₵ 0.60\nOwed to me: GH₵ 4.50");
    const { rows } = await sheetAt(person, linkOn(seen, "Excel")!);
    expect(rows).toHaveLength(32);
    expect(rows.at(-1)!.slice(1)).toEqual(["0", "0", "-10.90", "7", "100", "0", "96.10", "2", "0.60"]);
    const csv = await visit.open(linkOn(seen, "CSV")!);
    expect(csv.html.trim().split("\r\n").at(-1)).toBe(`${today},0.00,0.00,-10.90,7.00,100.00,0.00,96.10,2,0.60`);
  });

  test("is today's for a day that is none or still to come, and any day's before", async () => {
    const { visit } = await agent();
    for (const day of ["", "2026-02-30", "2999-01-01", "2099-12-31", "'><script>", "x".repeat(5_000)]) {
      const seen = await visit.open(`/closing?day=${encodeURIComponent(day)}`);
      expect([day, seen.status, seen.text.includes("Balance now")]).toEqual([day, 200, true]);
    }
    const old = await visit.open("/closing?day=2020-02-29");
    expect(old.text).toContain("29 Feb 2020");
    expect(linkOn(old, "Day before")).toBe("/closing?day=2020-02-28");
    expect(linkOn(old, "Day after")).toBe("/closing?day=2020-03-01");
  });
});

describe("files for Excel", () => {
  test("of orders keep the zero of numbers, and have amounts and dates as numbers", async () => {
    const { person } = await agent();
    const id = await bought(person, "0241000009");
    const { response, rows } = await sheetAt(person, "/orders/export?kind=all&format=xlsx");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="orders.xlsx"');
    expect(rows[0]).toEqual([
      "Order ID",
      "Number",
      "Status",
      "Operator",
      "Product",
      "Quantity",
      "Amount",
      "Date",
      "Reference",
      "Own data",
    ]);
    expect(rows[1]!.slice(0, 7)).toEqual([String(id), "0241000009", "PENDING", "MTN", "MTN 1GB 1GB", "1", "3.90"]);
    expect(rows[1]![7]).toStartWith(today);
    const fresh = await sheetAt(person, "/orders/export?kind=new&format=xlsx");
    expect(fresh.rows).toEqual([
      ["OPERATOR", "NUMBER", "GIGs"],
      ["MTN", "0241000009", "1"],
    ]);
    const all = await sheetAt(world.yaw, `/orders/export?kind=all&user=${person.id}&format=xlsx`);
    expect([all.rows[0]![1], all.rows[1]![1]]).toEqual(["User ID", String(person.id)]);
  });

  test("of a wallet's statement begin and end with its balances, for the agent and for admins", async () => {
    const { person } = await agent();
    await bought(person, "0241000010");
    const days = `from=${today}&to=${today}&format=xlsx`;
    for (const [as, path] of [
      [person, "/wallet/statement/export"],
      [world.yaw, `/admin/users/${person.id}/statement/export`],
    ] as const) {
      const { rows } = await sheetAt(as, `${path}?${days}`);
      expect(rows.map((row) => row.slice(1))).toEqual([
        ["Type", "Description", "Order ID", "Amount", "Balance"],
        ["OPENING", "Opening balance", "", "", "0"],
        ["ADJUST", "premise", "", "100", "100"],
        ["SPEND", expect.stringContaining("MTN 1GB for 0241000010"), expect.any(String), "-3.90", "96.10"],
        ["CLOSING", "Closing balance", "", "", "96.10"],
      ]);
    }
  });
});
