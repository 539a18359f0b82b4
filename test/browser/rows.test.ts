// The rows of lists in a real browser, by the keys that mail programs have: j and k, x, and Enter.
import { afterAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Page } from "playwright-core";
import { startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import * as orders from "../../src/core/buying/buy.ts";
import * as desk from "../../src/core/fulfilment/desk/desk.ts";
import * as results from "../../src/core/fulfilment/desk/desk-results.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import { DESK as BY_HAND } from "../../src/shared/domain.ts";
import { applyResults } from "../support/desk.ts";
import { longTest } from "../support/long.ts";
import { dispatchNow, fillShop, PAGES } from "../support/pages.ts";
import { openWorld } from "../support/world.ts";
import { objectionsTo } from "./axe.ts";
import { DESK, describeInBrowser, openBrowser } from "./browser.ts";

const world = await openWorld();
const efua = await world.person("efua", "GH₵ 1,000.00");
const oneGb = await world.product("MTN", "1GB", "3.90");
const msisdnOf = (n: number) => `024100${String(n).padStart(4, "0")}`;
const ids: number[] = [];
/** More than one screen shows. */
for (let n = 0; n < 40; n++) {
  const line = { productId: oneGb.id, msisdn: msisdnOf(n), quantity: 1 };
  ids.unshift((await orders.buy(world.db, { by: efua.by(), key: null, line })).answer.order.id);
}
const by = world.yaw.by("admin");

/** Opens a page whose keys work, because it names them. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByText("next and previous row").waitFor();
}
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);
async function press(page: Page, keys: string): Promise<string | null | undefined> {
  for (const key of keys) await page.keyboard.press(key);
  return focused(page);
}
const boxOf = (page: Page, id: number) => page.getByRole("checkbox", { name: `Select order ${id}` });

describeInBrowser("in a browser, the rows", () => {
  const { visit } = openBrowser(world);

  test("of orders are walked, ticked and opened by keys, and the way back leads to the same row", () =>
    visit(
      world.yaw,
      async (page) => {
        await open(page, "/orders");
        expect([await press(page, "j"), await press(page, "jj"), await press(page, "k")]).toEqual(
          [ids[0], ids[2], ids[1]].map((id) => `#${id}`),
        );
        await press(page, "x");
        expect([await boxOf(page, ids[1]!).isChecked(), await boxOf(page, ids[0]!).isChecked()]).toEqual([true, false]);
        const all = page.getByRole("checkbox", { name: "Select all on this page" });
        expect(await all.evaluate((box: HTMLInputElement) => box.indeterminate)).toBe(true);
        expect(await press(page, "xj")).toBe(`#${ids[2]}`);
        expect(await boxOf(page, ids[1]!).isChecked()).toBe(false);
        await page.keyboard.press("Enter");
        await page.waitForURL(`**/orders/${ids[2]}`);
        await page.goBack();
        await page.locator(`a[href="/orders/${ids[2]}"]:focus`).waitFor();
        expect(await press(page, "j")).toBe(`#${ids[3]}`);
      },
      { viewport: DESK },
    ));

  test("show which one has the focus, and are in view, from the first to the last", () =>
    visit(
      world.yaw,
      async (page) => {
        await open(page, "/orders");
        const beyond: unknown[] = [];
        for (const id of ids) {
          expect(await press(page, "j")).toBe(`#${id}`);
          const [rings, { top, bottom }] = await page.evaluate(() => {
            const link = document.activeElement!;
            const row = link.closest("tr")!;
            const ring = (one: Element) => getComputedStyle(one).outline.replace(/^rgb\([\d, ]+\) /, "");
            return [[link, row].map(ring), row.getBoundingClientRect().toJSON() as DOMRect];
          });
          expect(rings).toEqual(["solid 3px", "solid 3px"]);
          if (top < 0 || bottom > DESK.height) beyond.push([id, top, bottom]);
        }
        expect(beyond).toEqual([]);
        expect(await press(page, "jj")).toBe(`#${ids.at(-1)}`);
        expect(await objectionsTo(page)).toEqual([]);
        expect(await press(page, "k")).toBe(`#${ids.at(-2)}`);
      },
      { viewport: DESK },
    ));

  test("stay where they are while somebody types, or something is open over the page", () =>
    visit(
      world.yaw,
      async (page) => {
        await open(page, "/orders");
        await page.waitForSelector("is-land[ready] .finder", { state: "attached" });
        await press(page, "j");
        await page.keyboard.press("Control+k");
        const palette = page.getByRole("combobox", { name: "Search everything" });
        await palette.waitFor();
        await press(page, "jx");
        expect(await palette.inputValue()).toBe("jx");
        await page.keyboard.press("Escape");
        expect(await focused(page)).toBe(`#${ids[0]}`);
        await page.getByRole("button", { name: `Process … order ${ids[5]}` }).click();
        await page.getByRole("menu").waitFor();
        await press(page, "jx");
        expect(await page.getByRole("menu").isVisible()).toBe(true);
        await page.keyboard.press("Escape");
        await page.getByRole("menu").waitFor({ state: "detached" });
        await press(page, "/");
        expect(await press(page, "jxk")).toBe("");
        expect(await page.getByRole("searchbox").inputValue()).toBe("jxk");
        expect(await page.locator("[data-rows] :checked").count()).toBe(0);
      },
      { viewport: DESK },
    ));

  test("keep the focus when their list shows something newer by itself", async () => {
    const [first, second, third] = [ids[0]!, ids[1]!, ids[2]!];
    await dispatchNow(world, [first, second, third], BY_HAND);
    const { batchId } = (await desk.take(world.db, { by, key: null, operator: "MTN", countMax: 3 })).answer;
    const line = { line: 1, msisdn: "233241000039", volumeMb: null, outcome: "delivered" as const, message: null };
    await results.report(world.db, { by, key: null, batchId, lines: [line] });
    // Not before the page has been opened, however long that takes.
    await world.db.execute(sql`update jobs set run_at = now() + interval '1 hour' where kind = 'apply_desk_result'`);
    await visit(
      world.yaw,
      async (page) => {
        await page.clock.install();
        await open(page, `/admin/desk/${batchId}`);
        await page.getByText("Updates by itself").waitFor();
        await page.getByText("Orders (3)").click();
        const link = page.locator(`[data-live=batch-orders] a[href="/orders/${second}"]`);
        const isFocused = () => link.evaluate((one) => one === document.activeElement);
        for (let n = 0; n < 10 && !(await isFocused()); n++) await press(page, "j");
        await applyResults(world.db);
        await page.clock.fastForward(5_000);
        await page
          .getByRole("row", { name: `#${first}` })
          .getByText("DELIVERED")
          .waitFor();
        expect(await isFocused()).toBe(true);
      },
      { viewport: DESK },
    );
  });

  test("lead from the page of one order to the older and the newer one by j and k", () =>
    visit(
      world.yaw,
      async (page) => {
        await page.goto(`/orders/${ids[20]}`);
        await page.getByText("older and newer order").waitFor();
        await page.keyboard.press("j");
        await page.waitForURL(`**/orders/${ids[21]}`);
        await page.getByText("older and newer order").waitFor();
        await page.keyboard.press("k");
        await page.waitForURL(`**/orders/${ids[20]}`);
        await page.getByText("older and newer order").waitFor();
        await page.getByText("Add a note").click();
        await page.getByLabel("Note", { exact: true }).fill("Not sent yet");
        await page.getByLabel("Note", { exact: true }).blur();
        await page.keyboard.press("j");
        expect(await page.getByLabel("Note", { exact: true }).inputValue()).toBe("Not sent yet");
      },
      { viewport: DESK },
    ));

  test("of an agent's own orders are walked and opened, while their states change", () =>
    visit(
      efua,
      async (page) => {
        const last = ids[10]!;
        await page.clock.install();
        await open(page, "/orders?all=1");
        await page.locator("is-land[src*=orders-watch][ready]").waitFor({ state: "attached" });
        const link = page.locator(`.row-link[href="/orders/${last}"]`);
        for (const _ of ids.slice(0, 11)) await press(page, "j");
        await statusChanges.move(world.db, { by, key: null, ids: [last], to: "COMPLETED" });
        await page.clock.fastForward(5_000);
        await link.getByText("COMPLETED").waitFor();
        expect(await link.evaluate((one) => one === document.activeElement)).toBe(true);
        await page.keyboard.press("Enter");
        await page.waitForURL(`**/orders/${last}`);
      },
      { viewport: DESK },
    ));

  longTest("of every list of staff are walked, as are those without a link, and x ticks those with a box", async () => {
    const paystack = await startPaystack();
    afterAll(() => paystack.stop());
    const used = await fillShop(world, paystack);
    const addresses = PAGES.filter(({ as }) => as === "admin").flatMap((page) => page.addresses(used).slice(0, 1));
    const missed: string[] = [];
    let [walked, ticked] = [0, 0];
    await visit(
      world.yaw,
      async (page) => {
        for (const path of addresses) {
          await page.goto(path);
          await page.locator(".keys kbd").first().waitFor();
          // On the page of an order, j leads to the older one.
          if ((await page.locator(".beside").count()) > 0) continue;
          const rows = await page.locator(ROWS).filter({ visible: true }).count();
          const seen = new Set<number>();
          for (let at = await rowAfterJ(page); at >= 0 && !seen.has(at); at = await rowAfterJ(page)) seen.add(at);
          if (seen.size !== rows) missed.push(`${path}: ${seen.size} of ${rows}`);
          walked += seen.size;
        }
        await open(page, "/admin/afa?all=1");
        await press(page, "jx");
        ticked = await page.locator("[data-rows] :checked").count();
      },
      { viewport: DESK },
    );
    expect([missed, ticked]).toEqual([[], 1]);
    expect(walked).toBeGreaterThan(200);
  });
});

/** The rows of all lists, as their looks say that they are; headings of a table are none. */
const ROWS = ":is(.cards tbody:not(.group), .row-list, .requests, .waits, .found, [data-rows]) > :is(tr, li, label)";

/** Which of them has the focus after the key for the next one. */
async function rowAfterJ(page: Page): Promise<number> {
  await page.keyboard.press("j");
  return page.evaluate(
    (rows) => [...document.querySelectorAll(rows)].findIndex((row) => row.contains(document.activeElement)),
    ROWS,
  );
}
