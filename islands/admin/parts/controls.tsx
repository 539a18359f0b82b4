// The quicker controls themselves, which take the places of their stand-ins, with the focus and what was typed there.
import { Portal } from "@headlessui/react";
import { useEffect, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { createRoot } from "react-dom/client";
import { ListChoice } from "./list-choice.tsx";
import type { Place } from "./places.ts";
import { RowMenu } from "./row-menu.tsx";
import { UserChoice } from "./user-choice.tsx";

/** Puts the controls in all places, rendered from `root`, and opens the one whose stand-in was pressed. */
export function takeOver(root: Element, places: Place[], pressed: Place | null): void {
  createRoot(root).render(<Controls places={places} pressed={pressed} />);
}

/** All controls share one React root, so that their generated ids are unique. */
export function Controls({ places, pressed }: { places: Place[]; pressed: Place | null }) {
  // Pop-ups are placed inside <main>, so that people who navigate by landmarks find them.
  const main = useRef<HTMLElement>(document.querySelector("main") ?? document.body);
  return (
    <Portal.Group target={main}>
      {places.map((place, i) =>
        createPortal(<Control place={place} isPressed={place === pressed} />, place.slot, String(i)),
      )}
    </Portal.Group>
  );
}

function Control({ place, isPressed }: { place: Place; isPressed: boolean }) {
  const { slot } = place;
  const standIn = useRef([...slot.children]);
  const typed = useRef("");
  useLayoutEffect(() => {
    const [first, ...others] = standIn.current.splice(0);
    if (!first) return;
    const isFocused = first === document.activeElement;
    if (first instanceof HTMLInputElement && first.value !== first.defaultValue) typed.current = first.value;
    for (const element of [first, ...others]) element.remove();
    if (isFocused) controlIn(slot).focus();
  }, [slot]);
  // After the effects of the control, which make it work.
  useEffect(() => {
    if (isPressed) controlIn(slot).click();
    if (typed.current) type(controlIn(slot) as HTMLInputElement, typed.current);
    typed.current = "";
  }, [slot, isPressed]);
  if (place.kind === "user") return <UserChoice id={place.id} field={place.field} />;
  if (place.kind === "list") return <ListChoice id={place.id} label={place.label} field={place.field} />;
  return place.kind === "row" && <RowMenu {...place} />;
}

/** What has the focus in a place. */
function controlIn(slot: HTMLElement): HTMLElement {
  return slot.firstElementChild as HTMLElement;
}

function type(input: HTMLInputElement, text: string): void {
  input.value = text;
  input.dispatchEvent(new InputEvent("input", { bubbles: true }));
}
