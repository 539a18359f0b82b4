// The menu with further actions on a table row.
import { Menu, MenuButton, MenuItem, MenuItems } from "@headlessui/react";
import type { RowAction } from "./places.ts";

export function RowMenu({ actions, name, label }: { actions: RowAction[]; name: string; label: string | undefined }) {
  return (
    <Menu>
      <MenuButton className="tiny quiet more" aria-label={`${label || "More for"} ${name}`}>
        <span aria-hidden="true">{label || "⋯"}</span>
      </MenuButton>
      <MenuItems anchor={{ to: "bottom end", gap: 4 }} className="pop" modal={false}>
        {actions.map(({ label, isDangerous, action }) => (
          <MenuItem key={label}>
            <button
              type="button"
              className={isDangerous ? "pop-item bad" : "pop-item"}
              onClick={() => {
                action();
                focusCancel();
              }}
            >
              {label}
            </button>
          </MenuItem>
        ))}
      </MenuItems>
    </Menu>
  );
}

/** In a question that was opened: Enter then does nothing. */
function focusCancel(): void {
  document.querySelector<HTMLElement>(".dialog:popover-open .quiet")?.focus();
}
