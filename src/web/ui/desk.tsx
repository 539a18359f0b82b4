// What makes admins' pages quicker to work with, where there are scripts: menus for rows, lists with their colours, users
// found as one types. Each page that has such controls ends with it.
import type { Desk } from "../../../islands/admin/desk.tsx";
import { Sheet } from "../html.tsx";
import { BrowserIsland } from "../island.tsx";

export function AdminDesk() {
  return (
    <>
      <Sheet name="desk" />
      <BrowserIsland<typeof Desk> name="Desk" props={{}} on="idle" />
    </>
  );
}

/** Chips as marks of a choice: what each value is called in the tables. */
export function marksOf(chips: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(chips).map(([value, meaning]) => [value, `chip ${meaning}`]));
}
