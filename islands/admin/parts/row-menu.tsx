// What else can be done with a row of a table, in a menu.
import { Menu, MenuButton, MenuItem, MenuItems } from "@headlessui/react";
import type { RowAction } from "./places.ts";

export function RowMenu({ actions, name }: { actions: RowAction[]; name: string }) {
  return (
    <Menu>
      <MenuButton className="tiny quiet more" aria-label={`More for ${name}`}>
        <span aria-hidden="true">⋯</span>
      </MenuButton>
      <MenuItems anchor={{ to: "bottom end", gap: 4 }} className="pop" modal={false}>
        {actions.map(({ words, isDangerous, act }) => (
          <MenuItem key={words}>
            <button type="button" className={isDangerous ? "pop-item bad" : "pop-item"} onClick={act}>
              {words}
            </button>
          </MenuItem>
        ))}
      </MenuItems>
    </Menu>
  );
}
