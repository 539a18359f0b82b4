// A day at the desk, counted in presses: a vendor dies and its orders move on, a deposit is credited by the statement,
// a dispute is answered, a price goes up with its cost, cash is handed in and accepted, and the month goes to the
// accountant. With a mouse, without scripts, and by the keyboard alone.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Page } from "playwright-core";
import * as vendors from "../../src/core/fulfilment/vendors.ts";
import * as disputes from "../../src/core/orders/disputes.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import * as deposits from "../../src/core/payments/deposits/deposits.ts";
import { DESK as AT_DESK } from "../../src/shared/domain.ts";
import { deskTakes } from "../support/costs.ts";
import { dispatchNow } from "../support/pages.ts";
import type { Person } from "../support/world.ts";
import { DESK, describeInBrowser, openBrowser } from "./browser.ts";
import { counting, type Effort } from "./effort.ts";
import { button, download, field, type Hand, link, mouse, openMarket, reads } from "./journeys.ts";
import { keyboard } from "./keyboard.ts";

const market = await openMarket();
const { world } = market;
const { db, yaw } = world;
// The statement credits by itself only accounts of some age.
const oldEnough = (person: Person) =>
  db.execute(sql`update users set created_at = now() - interval '30 days' where id = ${person.id}`);

/** Who the day is about: an agent, and a colleague at the desk, who hands in cash once a day. */
type Cast = { ama: Person; clerk: Person };
type Scene = Cast & { page: Page; hand: Hand };
/** A step of the day, and what it may cost at most. */
type Step = {
  name: string;
  /** Yaw, unless the clerk does it. */
  as?: "clerk";
  atMost: Effort;
  /** What happened before it, apart from what staff do. */
  before?: (cast: Cast) => Promise<unknown>;
  walk: (scene: Scene) => Promise<void>;
};

const menu = (page: Page, label: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: new RegExp(`^${label}\\b`) });
const tab = (page: Page, section: string, label: string) =>
  page.getByRole("navigation", { name: section, exact: true }).getByRole("link", { name: label, exact: true });
const waiting = (page: Page, name: RegExp) => page.getByRole("main").getByRole("link", { name }).first();

/** Another number for each, so that no transaction is reported twice. */
let transactions = 40_125_566_000;
let people = 0;
let stuck: number[] = [];
let transactionId = "";

/** The orders that a dead vendor left are handed to the next in their route. */
async function moveOrders({ page, hand }: Scene): Promise<void> {
  await hand.press(waiting(page, /paused/));
  await hand.press(button(page, "Preview the move"));
  await hand.press(button(page, "Move 2 orders"));
  await reads(page, "2 orders moved");
  const rows = await db.execute<{ vendor: string }>(sql`
    select vendor from attempts where order_id = any(${sql.param(stuck)}::bigint[]) and state <> 'withdrawn'`);
  expect(rows.map(({ vendor }) => vendor)).toEqual([AT_DESK, AT_DESK]);
}

const STEPS: Step[] = [
  {
    name: "a supplier dies: it is paused",
    atMost: { presses: 3, typed: 1 },
    before: () => vendors.setPause(db, { by: yaw.by("admin"), code: "hubnet", note: null }),
    walk: async ({ page, hand }) => {
      await hand.press(menu(page, "Suppliers"));
      await hand.press(link(page, "Hubnet"));
      await hand.fill(field(page, "Reason"), "Their portal is down");
      await hand.press(button(page, "Pause Hubnet"));
      await reads(page, "Paused. New orders go to the next in their route");
    },
  },
  {
    name: "its orders are moved to the next",
    atMost: { presses: 3, typed: 0 },
    before: async ({ ama }) => {
      stuck = [await market.order(ama), await market.order(ama)];
      await dispatchNow(world, stuck, "hubnet");
    },
    walk: moveOrders,
  },
  {
    name: "a deposit is matched by the imported statement",
    atMost: { presses: 4, typed: 1 },
    before: async ({ ama }) => {
      await oldEnough(ama);
      transactionId = String(++transactions);
      await deposits.file(db, { by: ama.by("web"), transactionId, amountPesewas: 5_000 });
    },
    walk: async ({ page, hand, ama }) => {
      const before = await world.balanceOf(ama);
      await hand.press(waiting(page, /deposit/));
      await hand.press(link(page, "Import the statement"));
      await hand.fill(
        field(page, "Or pasted messages"),
        `Payment received for GHS 50.00 from KOFI MENSAH Current Balance: GHS 120.00 . ` +
          `Available Balance: GHS 120.00. Reference: data. Transaction ID: ${transactionId}. TRANSACTION FEE: 0.00`,
      );
      await hand.press(button(page, "Check the lines"));
      await hand.press(button(page, "Import this line"));
      await reads(page, "1 deposit");
      expect(await world.balanceOf(ama)).toBe(before + 5_000);
    },
  },
  {
    name: "a dispute is answered",
    atMost: { presses: 3, typed: 1 },
    before: async ({ ama }) => {
      const orderId = await market.order(ama);
      for (const to of ["PROCESSING", "DELIVERED"] as const)
        await statusChanges.moveOne(db, { by: yaw.by("admin"), key: null, orderId, to });
      await disputes.open(db, { by: ama.by("web"), key: null, orderId, message: "Nothing came" });
    },
    walk: async ({ page, hand }) => {
      await hand.press(waiting(page, /reported as not received/));
      await hand.press(link(page, "Order #").first());
      await hand.fill(field(page, "Proof of delivery"), "MTN confirmed it at 12:04, number 88120");
      await hand.press(button(page, "Delivered, with proof"));
      await reads(page, "Delivered, with proof");
    },
  },
  {
    name: "a price goes up with its cost",
    atMost: { presses: 3, typed: 0 },
    before: async () => {
      const [row] = await db.execute<{ price: number }>(sql`
        select price_pesewas as price from products where id = ${market.oneGb.id}`);
      await deskTakes(db, market.oneGb.id, Number(row!.price) + 20);
    },
    walk: async ({ page, hand }) => {
      const before = await priceOfOneGb();
      await hand.press(waiting(page, /too low/));
      await hand.press(link(page, "Raise to").first());
      await hand.press(page.getByRole("button", { name: /^(Raise|Save) / }).first());
      await reads(page, "1 price is");
      expect(await priceOfOneGb()).toBeGreaterThan(before);
    },
  },
  {
    name: "cash is handed in",
    as: "clerk",
    atMost: { presses: 2, typed: 1 },
    before: async ({ ama, clerk }) => {
      const orderId = await market.order(ama, market.oneGb, null);
      await statusChanges.moveOne(db, {
        ...{ by: clerk.by("admin"), key: null, orderId, to: "COMPLETED", paidInCash: true },
      });
    },
    walk: async ({ page, hand }) => {
      await hand.press(menu(page, "Money"));
      const counted = field(page, "Counted in GH₵");
      const hint = (await page.getByText("was taken").first().textContent())!;
      await hand.fill(counted, /[\d.]+/.exec(hint.replace(",", ""))![0]);
      await hand.press(button(page, "Hand in"));
      await reads(page, "until a colleague accepts it");
    },
  },
  {
    name: "and accepted",
    atMost: { presses: 2, typed: 0 },
    walk: async ({ page, hand }) => {
      // The menu leads to where something waits.
      await hand.press(menu(page, "Money"));
      await hand.press(button(page, "I have counted").first());
      await reads(page, "is in the safe, and the day is closed.");
    },
  },
  {
    name: "the month goes to the accountant",
    atMost: { presses: 3, typed: 0 },
    walk: async ({ page, hand }) => {
      await hand.press(menu(page, "Money"));
      await hand.press(tab(page, "Money", "Month"));
      const { name, text } = await download(page, () => hand.press(link(page, "Sales and refunds").first()));
      expect(name).toMatch(/^\d{4}-\d\d-sales\.csv$/);
      expect(text.split("\n").length).toBeGreaterThan(5);
    },
  },
];

async function priceOfOneGb(): Promise<number> {
  const [row] = await db.execute<{ price: number }>(sql`
    select price_pesewas as price from products where id = ${market.oneGb.id}`);
  return Number(row!.price);
}

/** A line for each step: what it took, and what it may take. */
function tableOf(efforts: Effort[]): string {
  const rows = STEPS.map(({ name, atMost }, n) => {
    const { presses, typed } = efforts[n]!;
    return `| ${name.padEnd(48)} | ${presses} of ${atMost.presses} | ${typed} of ${atMost.typed} |`;
  });
  return ["", "| a day at the desk | presses | fields |", ...rows, ""].join("\n");
}

const HANDS = [
  { name: "with a mouse", hand: mouse, options: {} },
  { name: "without scripts", hand: { ...mouse, hasScripts: false }, options: { javaScriptEnabled: false } },
  { name: "by the keyboard alone", hand: keyboard, options: {} },
];

describeInBrowser("a day at the desk", () => {
  const { visit } = openBrowser(world, market.environment);

  test.each(HANDS)(
    "takes at most so many presses, $name",
    async ({ hand, options }) => {
      people += 1;
      const clerk = await world.person(`clerk${people}`, undefined, ["DESK"]);
      const cast = { ama: await market.agent(), clerk };
      const efforts: Effort[] = [];
      for (const { as, before, walk } of STEPS) {
        await before?.(cast);
        const own = counting(hand);
        const start = async (page: Page) => {
          await page.goto("/admin");
          await walk({ page, hand: own, ...cast });
        };
        await visit(as ? cast[as] : yaw, start, { viewport: DESK, ...options });
        efforts.push(own.effort());
      }
      process.stdout.write(tableOf(efforts));
      for (const [n, { name, atMost }] of STEPS.entries()) {
        const { presses, typed } = efforts[n]!;
        expect([name, presses <= atMost.presses, typed <= atMost.typed]).toEqual([name, true, true]);
      }
    },
    600_000,
  );
});
