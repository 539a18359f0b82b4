// The opener of the staff's search: a link in the menu, and a button beside the shop's name on a phone. With a script,
// and by Ctrl-K, the palette opens over the page instead.
import type { palette } from "../../../../islands/plain/palette.ts";
import { PlainIsland } from "../../island.tsx";
import { Icon } from "./icons.tsx";

export function FinderLink({ userId }: { userId: number }) {
  return (
    <PlainIsland<typeof palette> name="Palette" props={{ userId }} on="idle">
      <a className="finder" href="/admin/find" aria-keyshortcuts="Control+K Meta+K">
        <Icon name="search" />
        Search
        <kbd>Ctrl K</kbd>
      </a>
    </PlainIsland>
  );
}

export function FinderButton() {
  return (
    <a className="finder-button" href="/admin/find" aria-label="Search">
      <Icon name="search" />
    </a>
  );
}
