// Bulk orders of ten thousand lines in a real browser: pasted, fixed without a delay, placed once with a progress bar.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import * as drafts from "../../src/core/buying/bulk-drafts.ts";
import * as orderQueries from "../../src/core/orders/queries.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { workbook } from "../support/xlsx.ts";
import { objectionsTo } from "./axe.ts";
import { DESK, describeInBrowser, openBrowser, PHONE } from "./browser.ts";

const world = await openWorld();
await world.product("MTN", "1GB", "3.90");
await world.product("MTN", "5GB", "20.90");
await world.product("TELECEL", "5GB", "19.90");
const client = openApp(world);
const LINES = 10_000;

/** What a thumb can press in the page's content, if it is lower than 44 px. */
const lowTargets = (page: Page) =>
  page
    .locator("main :is(a, button, summary, select, input[type=file]):not([aria-hidden], td a)")
    .filter({ visible: true })
    .evaluateAll((all) =>
      all
        .map((one) => [one.textContent, Math.round(one.getBoundingClientRect().height)] as const)
        .filter(([, height]) => height < 44)
        .map(([label, height]) => `${label}: ${height}`),
    );

describeInBrowser("in a browser,", () => {
  const { visit } = openBrowser(world);
  /** The bundle page on a phone, with its islands hydrated and a package chosen. */
  const open = (person: Person, walk: (page: Page) => Promise<void>) =>
    visit(person, async (page) => {
      await page.goto("/bulk?operator=MTN");
      await page.locator("#bulk-lines").focus();
      await page.locator("is-land[src*=bulk-check][ready]").waitFor({ state: "attached" });
      await page.selectOption("#bulk-product", { index: 1 });
      await walk(page);
    });
  /** Inserts text like a paste; typing it would take minutes. */
  const paste = (page: Page, text: string) =>
    page.locator("#bulk-lines").evaluate((area, pasted) => {
      (area as HTMLTextAreaElement).value = pasted;
      area.dispatchEvent(new Event("input", { bubbles: true }));
    }, text);

  test("ten thousand lines are pasted, fixed in place and placed, and the remaining ones become a draft", async () => {
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

      // Typing never waits for ten thousand lines; the best of a few attempts, as other programs run here, too.
      const took: number[] = [];
      for (const number of ["1", "11", "111", "0541234567"]) {
        const startedAt = await page.evaluate(() => performance.now());
        await page.getByLabel("Line 21", { exact: true }).evaluate((field, value) => {
          (field as HTMLInputElement).value = value;
          field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
          return new Promise((resolve) => setTimeout(resolve));
        }, number);
        took.push((await page.evaluate(() => performance.now())) - startedAt);
      }
      expect(Math.min(...took)).toBeLessThan(400);
      await page.getByText("9,999 good lines").waitFor();

      await page.getByRole("button", { name: "Check list" }).click();
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
      const { ids } = await orderQueries.idsMatching(world.db, { userId: person.id });
      expect(ids.length).toBe(9_999);
      const [draft] = await drafts.list(world.db, person.by());
      expect((await drafts.get(world.db, person.by(), draft!.id)).lines).toBe("2.33241E+11");
    });
  });

  test("a workbook's lines are added to the page, and a file that is no workbook says why", async () => {
    await open(await world.person("ama", "GH₵ 20.00"), async (page) => {
      const buffer = Buffer.from(
        workbook([
          ["Phone", "Qty"],
          [241234567, 2],
          [241234568, null],
        ]),
      );
      const name = "numbers.xlsx";
      await page.setInputFiles("#bulk-file", { name, mimeType: "application/octet-stream", buffer });
      await page.getByText("2 good lines").waitFor();
      expect(await page.inputValue("#bulk-lines")).toBe("241234567,2\n241234568");
      expect(await page.inputValue("#bulk-file")).toBe("");
      await page.setInputFiles("#bulk-file", { name, mimeType: "text/plain", buffer: Buffer.from("none") });
      await page.getByText("There are no numbers in this file.").waitFor();
      expect(await page.inputValue("#bulk-lines")).toBe("241234567,2\n241234568");
    });
  });

  test("a list that was placed leaves an empty form, and Back leads to its orders", async () => {
    await open(await world.person("back", "GH₵ 20.00"), async (page) => {
      await paste(page, "0241234567\n0241234568");
      await page.getByRole("button", { name: "Check list" }).click();
      await page.waitForURL(/\/bulk\/check\/\d+$/);
      const check = page.url();
      await page.reload();
      await page.locator("is-land[src*=place-progress][ready]").waitFor({ state: "attached" });
      await page.getByRole("button", { name: "Place Bulk Orders (2)" }).click();
      await page.waitForURL(/\/bulk\/\d+$/);
      const orders = page.url();
      // Back never asks to send the form again.
      await page.goBack();
      await page.getByText("This list has been placed").waitFor();
      expect(page.url()).toBe(orders);
      await page.goto("/telecel");
      const response = page.waitForResponse("**/bulk/known");
      await page.goto("/bulk?operator=MTN");
      await page.locator("is-land[src*=bulk-check][ready]").waitFor({ state: "attached" });
      await response;
      expect(await page.inputValue("#bulk-lines")).toBe("");
      expect(await page.getByText("Your last list is still here").count()).toBe(0);
      await page.goto(check);
      expect(page.url()).toBe(orders);
      await page.getByText("This list has been placed").waitFor();
    });
  });

  test("a list whose request was lost is looked for, and restored with its package", async () => {
    await open(await world.person("lost", "GH₵ 20.00"), async (page) => {
      await paste(page, "0241234567");
      await page.route("**/bulk/preview", (route) => route.abort());
      await page.getByRole("button", { name: "Check list" }).click();
      await page.unroute("**/bulk/preview");
      await page.goto("/bulk?operator=MTN");
      await page.locator("#bulk-lines").focus();
      await page.getByRole("button", { name: "Use it" }).click();
      expect(await page.inputValue("#bulk-lines")).toBe("0241234567");
      expect(await page.inputValue("#bulk-product")).not.toBe("");
      await page.getByText("1 good line").waitFor();
    });
  });

  test("a list of mixed sizes and networks fits on a phone's screen, and each question is asked once", async () => {
    await open(await world.person("mixed", "GH₵ 200.00"), async (page) => {
      await page.setViewportSize({ width: 360, height: 740 });
      await paste(page, "0241234567 5GB\n0201234567 5GB\n0241234568 5\n0244111205,400\n0241234569");
      await page.getByRole("button", { name: "Check list" }).click();
      await page.getByText("1 number looks like another network").waitFor();
      const overflow = () =>
        page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect(await overflow()).toBeLessThanOrEqual(0);
      await page.getByLabel("5 GB of data").check();
      await page.getByLabel("Change them: send Telecel bundles").check();
      await page.getByLabel("Line 4").fill("0244111205,4");
      await page.getByRole("button", { name: "Check again" }).click();
      await page.getByRole("button", { name: "Place Bulk Orders (5)" }).waitFor();
      const heights = await page
        .locator(".good-lines .number")
        .evaluateAll((cells) => cells.map((cell) => Math.round(cell.getClientRects()[0]!.height)));
      expect([heights.length, Math.max(...heights) < 40]).toEqual([5, true]);
      expect(await overflow()).toBeLessThanOrEqual(0);
    });
  });

  test("every step is accessible, and text of twice the size does not scroll sideways", async () => {
    await open(await world.person("reader", "GH₵ 200.00"), async (page) => {
      const findings: string[] = [];
      const look = async (step: string) => {
        for (const [size, colorScheme] of [
          [PHONE, "light"],
          [PHONE, "dark"],
          [DESK, "light"],
        ] as const) {
          await page.setViewportSize(size);
          await page.emulateMedia({ colorScheme });
          for (const objection of await objectionsTo(page)) findings.push(`${step}: ${objection}`);
        }
        await page.setViewportSize(PHONE);
        const isTooWide = await page.evaluate(() => {
          const root = document.documentElement;
          root.style.fontSize = "200%";
          const isWider = root.scrollWidth > root.clientWidth;
          root.style.fontSize = "";
          return isWider;
        });
        if (isTooWide) findings.push(`${step}: scrolls sideways`);
        findings.push(...(await lowTargets(page)).map((target) => `${step}: ${target} px high`));
      };
      await paste(page, "0241234567 5GB\n0201234567 5GB\n0241234568 5\n0211234567 7GB\n0241234569\n12345");
      // Whether the second is on Telecel, and what the third one's 5 means.
      await page.getByText("2 to ask you about").waitFor();
      await look("the form");
      await page.getByRole("button", { name: "Check list" }).click();
      await page.locator("is-land[src*=bulk-fix][ready]").waitFor({ state: "attached" });
      await page.getByLabel("Line 6").fill("0241234560");
      await page.getByText("1 line changed").waitFor();
      await look("the check");
      await page.getByLabel("5 GB of data").check();
      await page.getByRole("button", { name: "Check again" }).click();
      await page.getByRole("group").getByText("5 GB of data").first().waitFor();
      await page.getByRole("button", { name: /^Place/ }).click();
      await page.getByText("Updates by itself").waitFor();
      await look("the result");
      expect(findings).toEqual([]);
    });
  });

  test("the keyboard reaches all rows, to the last", async () => {
    await open(await world.person("walker"), async (page) => {
      await paste(page, Array.from({ length: 80 }, (_, i) => `024${1_000_000 + i}`).join("\n"));
      await page.getByLabel("Line 1", { exact: true }).focus();
      for (let i = 0; i < 79; i++) await page.keyboard.press("ArrowDown");
      await page.waitForFunction(() => document.activeElement?.id === "bulk-line-79");
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Remove line 80");
    });
  });

  test("a refusal while placing shows the same page as without scripts", async () => {
    const person = await world.person("late", "GH₵ 20.00");
    const refuse = async (page: Page) => {
      await paste(page, "0241234567");
      await page.getByRole("button", { name: "Check list" }).click();
      await page.locator("is-land[src*=place-progress][ready]").waitFor({ state: "attached" });
      // Another order for the same number is placed in the meantime.
      const [product] = await world.db.query.products.findMany();
      await client.call(person, "POST", "/api/v1/orders", {
        productId: product!.id,
        msisdn: "0241234567",
        quantity: 1,
        pay: "wallet",
      });
      await page.getByRole("button", { name: "Place Bulk Orders (1)" }).click();
      await page.getByText("The list or a price has changed since you looked").waitFor();
      await page.getByText("Ordered within the last ten minutes").waitFor();
    };
    await open(person, refuse);
  });
});
