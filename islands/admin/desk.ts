// Enhancement of the admins' pages: one island per page, which replaces plain controls by quicker ones. The plain
// controls stay in their forms and do the work; without scripts they are what admins see. The quicker ones weigh more
// than everything else on a page, so they are loaded when somebody is about to use the first one. Until then stand-ins
// look the same.
import { findPlaces, giveBack, type Place } from "./parts/places.ts";
import { selectAll } from "./parts/select-all.ts";
import { standInFor } from "./parts/stand-ins.ts";

/** What is loaded: it puts the controls in place of all stand-ins, and opens the one that was pressed. */
type Controls = { takeOver: (root: Element, places: Place[], pressed: Place | null) => void };

export function desk(root: Element): void {
  const load = () => import("./parts/controls.tsx");
  replacePlainControls(root, load);
  const field = document.querySelector<HTMLInputElement>("[data-desk=search] [type=search]");
  const followSearch = async () => {
    const { searchTyped } = await import("./parts/search-typed.ts");
    searchTyped(field!, (newRoot, rows) => replacePlainControls(newRoot, load, rows));
  };
  // Without a network it is sent as without scripts.
  field?.addEventListener("input", () => followSearch().catch(console.error), { once: true });
}

/** Exported for tests, which load otherwise. */
export function replacePlainControls(
  root: Element,
  load: () => Promise<Controls>,
  within: ParentNode = document,
): void {
  const places = findPlaces(within);
  for (const place of places)
    place.slot.append(...(place.kind === "all" ? [selectAll(place.formId)] : standInFor(place)));
  waitForUse(
    places.filter(({ kind }) => kind !== "all"),
    async (used) => {
      const { takeOver } = await load();
      return (pressed) => takeOver(root, [...used], pressed);
    },
  );
}

type TakeOver = (pressed: Place | null) => void;

/** Loads what takes over as soon as a pointer or the focus is on a place, and remembers what is pressed until then. */
function waitForUse(places: Place[], load: (places: Set<Place>) => Promise<TakeOver>): void {
  const waiting = new Set(places);
  const taken = new AbortController();
  let isLoading = false;
  let pressed: Place | null = null;
  let release: Promise<unknown> = Promise.resolve();
  const use = async () => {
    if (isLoading) return;
    isLoading = true;
    try {
      const takeOver = await load(waiting);
      // A stand-in that goes while a finger is on it would take the press with it.
      await release;
      taken.abort();
      takeOver(pressed);
    } catch (error) {
      // No network: what was pressed works as without scripts, and the next use tries again.
      console.error(error);
      isLoading = false;
      if (pressed && waiting.delete(pressed)) giveBack(pressed);
      pressed = null;
    }
  };
  const press = (place: Place) => {
    pressed = place;
    void use();
  };
  const on = { signal: taken.signal };
  for (const place of places) {
    const { slot } = place;
    for (const type of ["pointerover", "focusin"]) slot.addEventListener(type, use, on);
    slot.addEventListener("pointerdown", () => (release = untilReleased()), on);
    slot.addEventListener("click", () => press(place), on);
    slot.addEventListener("keydown", (event) => isOpening(event) && press(place), on);
  }
}

/** A button's click comes with the next key up, when it may be another one's; arrows would move the page. */
function isOpening(event: KeyboardEvent): boolean {
  const isOpener = event.target instanceof HTMLButtonElement && /^( |ArrowDown|ArrowUp)$/.test(event.key);
  if (isOpener) event.preventDefault();
  return isOpener;
}

/** The click comes after the release, and before anything else. */
function untilReleased(): Promise<unknown> {
  return new Promise((resolve) => {
    for (const type of ["pointerup", "pointercancel"])
      addEventListener(type, () => setTimeout(resolve), { once: true });
  });
}
