// A hand that only has a keyboard: Tab, Enter, Space and the arrows, with a visible focus ring at each stop.
import { expect } from "bun:test";
import type { Locator } from "playwright-core";
import type { Hand } from "./journeys.ts";

/** More tab stops than any page of these tests has. */
const STOPS_MAX = 150;

/**
 * Presses Tab until this has the focus, and the focus is visible. On a fresh page the first link skips the menu, unless
 * the page's address already does.
 */
export async function tabTo(target: Locator): Promise<void> {
  const isBehindMenu = await target.evaluate(
    (one) => document.activeElement === document.body && location.hash === "" && one.closest("#content") !== null,
  );
  if (isBehindMenu) for (const key of ["Tab", "Enter"]) await target.page().keyboard.press(key);
  // Asking the browser at each stop takes longer than the stop.
  for (let left = await target.evaluate(stopsSurelyBefore); left > 0; left--) await target.page().keyboard.press("Tab");
  for (let i = 0; i < STOPS_MAX; i++) {
    // Another control may have taken its place on the way: see islands/admin/desk.ts.
    const [isThere, ring] = await target.evaluate((one) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return [one === document.activeElement, `${outlineStyle} ${outlineWidth}`];
    });
    if (isThere) {
      expect([`${target}`, ring]).toEqual([`${target}`, "solid 3px"]);
      return;
    }
    await target.page().keyboard.press("Tab");
  }
  throw new Error(`${STOPS_MAX} times Tab do not lead to ${target}`);
}

/** Stops between the focus and this, less a few, because what is one stop for the browser is not always one here. */
function stopsSurelyBefore(one: Element): number {
  const controls = document.querySelectorAll<HTMLElement>(
    "a[href], button, input, select, textarea, summary, [tabindex]",
  );
  const groups = new Set<string>();
  const stops = [...controls].filter((it) => {
    if (it.tabIndex < 0 || it.matches(":disabled") || !it.checkVisibility()) return false;
    if (!(it instanceof HTMLInputElement) || it.type !== "radio") return true;
    const isFirst = !groups.has(it.name);
    groups.add(it.name);
    return isFirst || it === one || it === document.activeElement;
  });
  const [from, to] = [document.activeElement!, one].map((it) => stops.indexOf(it as HTMLElement));
  return Math.max(0, to! - from! - 4);
}

export const keyboard: Hand = {
  hasScripts: true,
  press: async (target) => {
    await tabTo(target);
    const isBox = await target.evaluate((it) => it.matches("[type=checkbox], [type=radio]"));
    await target.page().keyboard.press(isBox ? "Space" : "Enter");
  },
  pick: async (item) => {
    const menu = item.page().getByRole("menu");
    await menu.and(item.page().locator(":focus")).waitFor();
    for (let i = 0; i <= (await menu.getByRole("menuitem").count()); i++) {
      const id = await menu.getAttribute("aria-activedescendant");
      if (id === (await item.getAttribute("id"))) return item.page().keyboard.press("Enter");
      await item.page().keyboard.press("ArrowDown");
    }
    throw new Error(`The arrows do not lead to ${item}`);
  },
  fill: async (target, text) => {
    await tabTo(target);
    await target.page().keyboard.press("Control+a");
    await target.page().keyboard.press("Delete");
    await target.page().keyboard.type(text);
  },
  choose: async (target, option) => {
    await tabTo(target);
    const [at, wanted] = await target.evaluate((it, label) => {
      const select = it as HTMLSelectElement;
      return [select.selectedIndex, [...select.options].findIndex((one) => one.label === label)];
    }, option);
    for (let i = 0; i < Math.abs(wanted! - at!); i++)
      await target.page().keyboard.press(wanted! > at! ? "ArrowDown" : "ArrowUp");
    expect(await target.evaluate((it) => (it as HTMLSelectElement).selectedIndex)).toBe(wanted!);
  },
};
