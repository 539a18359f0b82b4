// The palette of staff: Ctrl-K, Cmd-K or a link to the search open it over the page.
import { FIND_PATH, PaletteDialog } from "../parts/palette-dialog.ts";

type Props = { userId: number };

/** Leaves its place as it is: the link in it opens the palette, as do all links to the search. */
export function palette(_place: Element, { userId }: Props): void {
  let dialog: PaletteDialog | null = null;
  const show = (event: Event) => {
    event.preventDefault();
    dialog ??= new PaletteDialog(userId);
    dialog.open();
  };
  document.addEventListener("keydown", (event) => {
    const { ctrlKey, metaKey, altKey, shiftKey, key } = event;
    if ((ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === "k") show(event);
  });
  document.addEventListener("click", (event) => {
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (isPlain && (event.target as Element).closest?.(`a[href="${FIND_PATH}"]`)) show(event);
  });
}
