// The admins' desk: one island to a page, which makes the plain controls that it finds there quicker to use. The plain
// ones stay in their forms and do the work; without this script they are what one sees.
import { Portal } from "@headlessui/react";
import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { ListChoice } from "./parts/list-choice.tsx";
import { type Place, placesIn } from "./parts/places.ts";
import { RowMenu } from "./parts/row-menu.tsx";
import { SelectAll } from "./parts/select-all.tsx";
import { UserChoice } from "./parts/user-choice.tsx";

/** All of them hang from one root, so that no two have the same ids. */
export function Desk() {
  const [places, setPlaces] = useState<Place[]>([]);
  // What opens over the page stands in its main part, where people who find their way by landmarks look for it.
  const main = useRef<HTMLElement | null>(null);
  useEffect(() => {
    main.current = document.querySelector("main") ?? document.body;
    setPlaces(placesIn(document));
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
