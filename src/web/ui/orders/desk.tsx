// Enhancements of the admins' pages for browsers with scripts: menus of rows, lists with colours, a search for users.
// Each page with such controls ends with it.
import type { desk } from "../../../../islands/admin/desk.ts";
import { Sheet } from "../../html.tsx";
import { PlainIsland } from "../../island.tsx";

export function AdminDesk() {
  return (
    <>
      <Sheet name="desk" />
      <PlainIsland<typeof desk> name="Desk" props={{}} on="idle">
        {null}
      </PlainIsland>
    </>
  );
}

/** The chips of the tables as marks of a list's options. */
export function marksOf(chips: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(chips).map(([value, meaning]) => [value, `chip ${meaning}`]));
}
