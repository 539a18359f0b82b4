// A real browser and ten thousand lines: pasted, mended without a wait, placed under a bar that moves, and once.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import * as drafts from "../../src/core/drafts.ts";
import * as orderLists from "../../src/core/order-lists.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { workbook } from "../support/xlsx.ts";
import { describeInBrowser, openBrowser } from "./browser.ts";

const world = await openWorld();
await world.product("MTN", "1GB", "3.90");
const client = openApp(world);
const LINES = 10_000;

describeInBrowser("in a browser,", () => {
  const { visit } = openBrowser(world);
  /** The bundle page on a phone, with its islands awake and a package chosen. */
  const open = (person: Person, walk: (page: Page) => Promise<void>, options?: { refusedAt: string }) =>
    visit(
      person,
      async (page) => {
        await page.goto("/mtn-data");
        await page.locator("#bulk-lines").focus();
        await page.locator("is-land[src*=bulk-check][ready]").waitFor({ state: "attached" });
        await page.selectOption("#bulk-product", { index: 1 });
        await walk(page);
      },
      options,
    );
  /** As a paste arrives; a keyboard would take minutes. */
  const paste = (page: Page, text: string) =>
    page.locator("#bulk-lines").evaluate((area, pasted) => {
      (area as HTMLTextAreaElement).value = pasted;
      area.dispatchEvent(new Event("input", { bubbles: true }));
    }, text);

  test("ten thousand lines are pasted, mended in place and placed, and what is left over is a draft", async () => {
    const person = await world.person("whale", "GH₵ 40000.00");
    await open(person, async (page) => {
      const numbers = Array.from(
        { length: LINES },
        (_, i) => `Kofi 024 ${String(1_000_000 + i).slice(0, 3)} ${String(1_000_000 + i).slice(3)}`,
      );
      [numbers[20], numbers[5_000]] = ["12", "2.33241E+11"];
      await paste(page, numbers.join("\n"));
      await page.getByText("9,998 good lines").waitFor();
      expect(await page.locator(".window tr").count()).toBeLessThan(30);

      // The hand never waits for ten thousand lines: the best of a few tries, as other programs run here, too.
      const took: number[] = [];
      for (const number of ["1", "11", "111", "0541234567"]) {
        const startedAt = await page.evaluate(() => performance.now());
        await page.getByLabel("Line 21", { exact: true }).evaluate((field, value) => {
          (field as HTMLInputElement).value = value;
          field.dispatchEvent(
            new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }),
          );
          return new Promise((resolve) => setTimeout(resolve));
        }, number);
        took.push((await page.evaluate(() => performance.now())) - startedAt);
      }
      expect(Math.min(...took)).toBeLessThan(400);
      await page.getByText("9,999 good lines").waitFor();

      await page.getByRole("button", { name: "Check Bulk Order" }).click();
      const button = page.getByRole("button", { name: "Place Bulk Orders (9999), keep 1 as a draft" });
      await button.waitFor();
      await page.locator("is-land[src*=place-progress][ready]").waitFor({ state: "attached" });
      await button.evaluate((it) => {
        (it as HTMLButtonElement).click();
        (it as HTMLButtonElement).click();
      });
      await page.locator("progress#placing").waitFor();
      await page.waitForURL(/\/bulk\/\d+$/);
      await page.getByText("Created 9999 orders. Kept as a draft: 1").waitFor();
      await page.getByText("0 of 9,999 delivered").waitFor();
      const { ids } = await orderLists.idsMatching(world.db, { userId: person.id });
      expect(ids.length).toBe(9_999);
      const [draft] = await drafts.list(world.db, person.by());
      expect((await drafts.get(world.db, person.by(), draft!.id)).lines).toBe("2.33241E+11");
    });
  });

  test("a workbook's lines come into the page, and one that is none says why", async () => {
    await open(await world.person("ama", "GH₵ 20.00"), async (page) => {
      const buffer = Buffer.from(
        workbook([
          ["Phone", "Qty"],
          [241234567, 2],
          [201234567, null],
        ]),
      );
      const name = "numbers.xlsx";
      await page.setInputFiles("#bulk-file", { name, mimeType: "application/octet-stream", buffer });
      await page.getByText("2 good lines").waitFor();
      expect(await page.inputValue("#bulk-lines")).toBe("241234567,2\n201234567");
      expect(await page.inputValue("#bulk-file")).toBe("");
      await page.setInputFiles("#bulk-file", { name, mimeType: "text/plain", buffer: Buffer.from("none") });
      await page.getByText("There are no numbers in this file.").waitFor();
      expect(await page.inputValue("#bulk-lines")).toBe("241234567,2\n201234567");
    });
  });

  test("the rows are walked with the keyboard, to the last of them", async () => {
    await open(await world.person("walker"), async (page) => {
      await paste(page, Array.from({ length: 80 }, (_, i) => `024${1_000_000 + i}`).join("\n"));
      await page.getByLabel("Line 1", { exact: true }).focus();
      for (let i = 0; i < 79; i++) await page.keyboard.press("ArrowDown");
      await page.waitForFunction(() => document.activeElement?.id === "bulk-line-79");
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe(
        "Remove line 80",
      );
    });
  });

  test("a refusal while placing is the page that a browser without scripts would show", async () => {
    const person = await world.person("late", "GH₵ 20.00");
    const refuse = async (page: Page) => {
      await paste(page, "0241234567");
      await page.getByRole("button", { name: "Check Bulk Order" }).click();
      await page.locator("is-land[src*=place-progress][ready]").waitFor({ state: "attached" });
      // Somebody else orders the same meanwhile.
      const [product] = await world.db.query.products.findMany();
      await client.call(person, "POST", "/api/v1/orders", {
        productId: product!.id,
        msisdn: "0241234567",
        quantity: 1,
        pay: "wallet",
      });
      await page.getByRole("button", { name: "Place Bulk Orders (1)" }).click();
      await page.getByText("Nothing was placed").waitFor();
      expect(await page.inputValue("#bulk-lines")).toBe("0241234567,1");
    };
    await open(person, refuse, { refusedAt: "/bulk" });
  });
});
