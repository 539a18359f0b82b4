// The accountant's page with the files of months, and an order's numbered receipt.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as buy from "../../src/core/buying/buy.ts";
import * as cancelling from "../../src/core/orders/cancelling.ts";
import * as deposits from "../../src/core/payments/deposits/deposits.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { openApp, openWorld } from "../support/world.ts";
import { visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const { db, yaw } = world;
const ama = await world.person("ama", "GH₵ 50.00");
const bundle = await world.product("MTN", "1GB", "3.90");
const line = { productId: bundle.id, msisdn: "233541234567", quantity: 1 };
const { order } = (await buy.buy(db, { by: ama.by(), key: null, line })).answer;

test("each month offers its files, and wallets are downloaded as of a day", async () => {
  const visit = await visitorAs(client, yaw);
  const page = await visit.open("/admin/accounting");
  const links = [...page.document.querySelectorAll("tbody a")].map((link) => link.getAttribute("href")!);
  expect(links.length).toBe(8);
  for (const link of links) {
    const file = await client.browse(yaw, link);
    expect([link, file.status, file.headers.get("content-type")]).toEqual([link, 200, expect.stringContaining("csv")]);
  }
  const day = new Date().toISOString().slice(0, 10);
  const wallets = await client.browse(yaw, `/admin/accounting/wallets?day=${day}`);
  expect(await wallets.text()).toContain("ama,ACTIVE,46.10");
  for (const odd of ["file?month=2026-13&file=sales", "file?month=2026-01&file=toString", "wallets?day=x"])
    expect((await client.browse(yaw, `/admin/accounting/${odd}`)).status).toBe(404);
});

test("the current month cannot be closed", async () => {
  const form = { action: "close", month: new Date().toISOString().slice(0, 7) };
  const refused = await client.browse(yaw, "/admin/accounting", form);
  expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining("not over yet")]);
});

test("before a month is closed its sums are shown, and what began in it and waits", async () => {
  const clerk = await world.person("abena", undefined, ["ACCOUNTS"]);
  // Last month cannot be closed in the first minutes of this one.
  const passed = sql`date_trunc('month', now()) - interval '1 month 3 days'`;
  await db.execute(sql`alter table transfers disable trigger transfers_append_only`);
  await db.execute(sql`update transfers set created_at = ${passed}`);
  await db.execute(sql`alter table transfers enable trigger transfers_append_only`);
  await deposits.file(db, { by: ama.by(), transactionId: "40125560009", amountPesewas: 2_500 });
  await db.execute(sql`update deposits set created_at = ${passed}`);
  const visit = await visitorAs(client, clerk);
  const page = await visit.open("/admin/accounting");
  const row = page.document.querySelectorAll("tbody tr")[2]!.textContent!;
  expect(row).toContain("GH₵ 3.90GH₵ 0.00");
  expect(row).toContain("This cannot be undone.");
  expect(row).toContain("1 deposit to decide, the oldest of ");
  expect((await visit.press(page, "Close ")).text).toContain("is being closed: its files are kept in a moment.");
  // Who may see the books and not close them is not asked.
  const manager = await visitorAs(client, await world.person("mansa", undefined, ["MANAGER"]));
  expect((await manager.open("/admin/accounting")).text).not.toContain("This cannot be undone.");
});

test("an order's receipt is offered once the shop has a legal name, issued once, and printable", async () => {
  const visit = await visitorAs(client, ama);
  const path = `/orders/${order.id}/receipt`;
  expect((await visit.open(path)).text).toContain("does not issue numbered receipts yet");
  const values = { legal_name: "Data Fie Ltd", legal_tin: "C0001234567" };
  await settings.change(db, { by: yaw.by(), values });
  const page = await visit.open(path);
  const issued = await visit.press(page, "Issue receipt");
  for (const part of ["Receipt 000001", "Data Fie Ltd", "TIN C0001234567", "GH₵ 3.90", "Not a VAT invoice"])
    expect(issued.text).toContain(part);
  expect((await visit.press(page, "Issue receipt")).text).toContain("Receipt 000001");
  const other = await visitorAs(client, await world.person("esi"));
  expect((await other.open(path)).status).toBe(404);
});

test("a refunded order has no receipt to issue, and one that was issued before says that it is cancelled", async () => {
  await settings.change(db, { by: yaw.by(), values: { legal_name: "Data Fie Ltd", vat_rate: 2_000 } });
  const visit = await visitorAs(client, ama);
  for (const isIssued of [true, false]) {
    const sold = (await buy.buy(db, { by: ama.by(), key: null, line, allowDuplicate: true })).answer.order;
    const path = `/orders/${sold.id}/receipt`;
    const page = await visit.open(path);
    if (isIssued) await visit.press(page, "Issue receipt");
    await cancelling.cancel(db, { by: ama.by(), key: null, orderId: sold.id });
    const { text } = await visit.open(path);
    const texts = isIssued
      ? ["Cancelled: Receipt 000002", "refunded in full", "GH₵ 0.65", "no longer valid"]
      : ["This order was refunded, so there is no receipt", "statement shows the payment and the refund"];
    for (const part of texts) expect(text).toContain(part);
    expect(text).not.toContain("Issue receipt");
    if (!isIssued) expect((await visit.press(page, "Issue receipt")).text).toContain("there is no receipt");
  }
});
