// Cash for those who keep it, by forms alone: brought to the bank by one, found on its statement by another.
import { expect, test } from "bun:test";
import * as unpaidOrders from "../../src/core/buying/unpaid-orders.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import * as cashBank from "../../src/core/payments/cash/cash-bank.ts";
import { staff } from "../support/approvals.ts";
import { fillSafe } from "../support/cash.ts";
import { longTest } from "../support/long.ts";
import { openApp, openWorld } from "../support/world.ts";
import { visitorAs } from "./visitor.ts";

const world = await openWorld({ isGuarded: true });
const client = openApp(world);
const bundle = await world.product("MTN", "100GB", "300.00");
const buyer = await world.person("buyer");
const keeper = await staff(world, "ACCOUNTS");

test("cash that was handed in waits on Today, is in the sums, and says why it was sent back", async () => {
  const clerk = await staff(world, "DESK");
  const { db } = world;
  const line = { productId: bundle.id, msisdn: "0241110000", quantity: 1 };
  const unpaid = { by: buyer.by(), key: null, line, allowDuplicate: true };
  const { id: orderId } = (await unpaidOrders.create(db, unpaid)).answer;
  const paid = { by: clerk.by("admin"), key: null, orderId, to: "COMPLETED", paidInCash: true } as const;
  await statusChanges.moveOne(db, paid);
  const own = await visitorAs(client, clerk);
  const handedIn = await own.press(await own.open("/admin/cash/mine"), "Hand in", {
    ...{ counted: "299", reason: "Gave too much change", to: String(keeper.id) },
  });
  expect(handedIn.text).toContain("Handed in");
  const colleague = await visitorAs(client, keeper);
  expect((await colleague.open("/admin")).text).toContain("1 cash hand-in to count");
  const page = await colleague.open("/admin/cash");
  expect(page.text).toContain("Handed inGH₵ 300.00until a colleague accepts it");
  const early = await colleague.press(page, "Book it", { amount: "1", slip: "0041" });
  expect(early.text).toContain("The safe holds GH₵ 0.00. Accept the cash that was handed in first.");
  await colleague.press(page, "Send back", { reason: "There were GH₵ 300.00" });
  expect((await colleague.open("/admin")).text).not.toContain("of cash to count");
  const back = await own.open("/admin/cash/mine");
  expect(back.text).toContain("sent your cash back: “There were GH₵ 300.00” Count it again, and hand it in again.");
  await own.press(back, "Hand in", { counted: "300", to: String(keeper.id) });
  expect((await own.open("/admin/cash/mine")).text).not.toContain("sent your cash back");
  await colleague.press(await colleague.open("/admin/cash"), "I have counted GH₵ 300.00");
  const tooMuch = await colleague.press(page, "Book it", { amount: "301", slip: "0041" });
  expect(tooMuch.text).toContain("The safe holds GH₵ 300.00, and nobody has handed in more.");
});

test("cash at the bank is booked, waits for a colleague, and is ticked off with what the statement shows", async () => {
  await fillSafe(world, buyer, bundle);
  const own = await visitorAs(client, keeper);
  const booked = await own.press(await own.open("/admin/cash"), "Book it", { amount: "120", slip: "0042" });
  expect(booked.text).toContain("GH₵ 120.00 is booked at the bank. A colleague finds it on its statement.");
  expect(booked.text).toContain("A colleague has to find yours.");
  expect(booked.text).toContain("Not seen yet");
  const other = await visitorAs(client, world.yaw);
  const page = await other.open("/admin/cash");
  const wrong = await other.press(page, "Book the difference", { seen: "110", reason: "" });
  expect(wrong.text).toContain("Say why the bank shows another amount");
  // What was typed is still there.
  expect(wrong.document.querySelector("details[open] input[name=seen]")?.getAttribute("value")).toBe("110");
  const done = await other.press(wrong, "Book the difference", { reason: "A note was refused" });
  expect(done.text).toContain("Ticked off: GH₵ 110.00 is at the bank.");
  expect(done.text).toContain("“A note was refused”");
  expect(await cashBank.list(world.db, { unseenOnly: true }, 10)).toEqual([]);
});

longTest("more than one person may book alone is asked for, and what was seen is ticked off by one press", async () => {
  await fillSafe(world, buyer, bundle);
  const own = await visitorAs(client, keeper);
  const needed = await own.press(await own.open("/admin/cash"), "Book it", {
    amount: "200.01",
    slip: "0043",
  });
  expect(needed.text).toContain("somebody else must agree");
  const small = await own.press(await own.open("/admin/cash"), "Book it", { amount: "1", slip: "0044" });
  expect(small.text).toContain("GH₵ 1.00 is booked");
  const other = await visitorAs(client, world.yaw);
  const done = await other.press(await other.open("/admin/cash"), "I have seen GH₵ 1.00");
  expect(done.text).toContain("Ticked off: GH₵ 1.00 is at the bank.");
});
