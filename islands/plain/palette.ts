// The opener of the palette of staff: Ctrl-K, Cmd-K or a link to the search. The palette weighs more than the rest of
// the frame, so a phone loads it when it is opened; on a computer it is there before somebody types into it.
import type { PaletteDialog } from "../parts/palette-dialog.ts";

type Props = { userId: number };

/** Leaves its place as it is: the link in it opens the palette, as do all links to the same address. */
export function palette(place: Element, { userId }: Props): void {
  const path = place.querySelector("a")!.getAttribute("href")!;
  let loaded: Promise<PaletteDialog> | null = null;
  const load = async () => new (await import("../parts/palette-dialog.ts")).PaletteDialog(userId);
  const show = async (event: Event) => {
    event.preventDefault();
    try {
      loaded ??= load();
      (await loaded).open();
    } catch (error) {
      // No network: the page of the search says so, and the next press tries again.
      console.error(error);
      loaded = null;
      location.assign(path);
    }
  };
  document.addEventListener("keydown", (event) => {
    const { ctrlKey, metaKey, altKey, shiftKey, key } = event;
    if ((ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === "k") void show(event);
  });
  document.addEventListener("click", (event) => {
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (isPlain && (event.target as Element).closest?.(`a[href="${path}"]`)) void show(event);
  });
  if (!matchMedia("(hover: hover)").matches) return;
  loaded = load();
  loaded.catch(() => (loaded = null));
}
