// Enhancement of the admin pages: one island per page, which replaces plain controls by quicker ones. The plain
// controls stay in their forms and do the work; without scripts they are what admins see.
import { Portal } from "@headlessui/react";
import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { ListChoice } from "./parts/list-choice.tsx";
import { findPlaces, type Place } from "./parts/places.ts";
import { RowMenu } from "./parts/row-menu.tsx";
import { SelectAll } from "./parts/select-all.tsx";
import { UserChoice } from "./parts/user-choice.tsx";

/** All controls share one React root, so that their generated ids are unique. */
export function Desk() {
  const [places, setPlaces] = useState<Place[]>([]);
  // Pop-ups are placed inside <main>, so that people who navigate by landmarks find them.
  const main = useRef<HTMLElement | null>(null);
  useEffect(() => {
    main.current = document.querySelector("main") ?? document.body;
    setPlaces(findPlaces(document));
  }, []);
  return (
    <Portal.Group target={main}>
      {places.map((place, i) => createPortal(<Better place={place} />, place.slot, String(i)))}
    </Portal.Group>
  );
}

function Better({ place }: { place: Place }) {
  if (place.kind === "user") return <UserChoice field={place.field} />;
  if (place.kind === "list") return <ListChoice field={place.field} />;
  if (place.kind === "all") return <SelectAll formId={place.formId} />;
  return <RowMenu actions={place.actions} name={place.name} />;
}
