// The lines to fix of a checked list, judged while they are typed: each row says at once how it will be read. The shop
// checks them again when the form is sent; nothing here decides.
import { useEffect, useRef, useState } from "react";
import type { ListChoices, Offer } from "../src/shared/lists/bulk-bundles.ts";
import type { LineMessages } from "./parts/bulk-table.tsx";
import { listen } from "./parts/form.ts";
import { useLoaded } from "./parts/loaded.ts";

type Props = {
  /** The bundles that can be bought now. */
  offers: Offer[];
  choices: ListChoices;
  messages: LineMessages;
};

export function BulkFix({ offers, choices, messages }: Props) {
  const place = useRef<HTMLParagraphElement>(null);
  const [changedCount, setChangedCount] = useState(0);
  const reader = useLoaded(changedCount > 0, () => import("./parts/line-judge.ts"));
  useEffect(() => {
    const form = place.current!.closest("form")!;
    const fields = [...form.querySelectorAll<HTMLInputElement>("input[name^='fix.']")];
    const update = () => {
      let count = 0;
      for (const field of fields) {
        const row = field.closest("li")!;
        const offerId = Number(row.querySelector("select")?.value);
        const isChanged = field.value !== field.defaultValue || offerId > 0;
        if (isChanged) count += 1;
        if (reader && (isChanged || row.dataset.judged)) judgeRow(field, row, offerId);
      }
      setChangedCount(count);
    };
    const judgeRow = (field: HTMLInputElement, row: HTMLElement, offerId: number) => {
      row.dataset.judged = "yes";
      const list = { offers, choices: answersIn(form, choices), messages };
      const { isGood, message } = reader!.judge(field.value, offerId, list);
      const place = row.querySelector("p")!;
      place.textContent = message;
      place.className = isGood ? "live good" : "error";
      field.setAttribute("aria-invalid", String(!isGood));
    };
    update();
    return listen([
      [form, "input", update],
      [form, "change", update],
      [window, "pageshow", update],
    ]);
  }, [reader, offers, choices, messages]);
  return (
    <p ref={place} className="live" role="status">
      {changedCount > 0 &&
        `${changedCount} ${changedCount === 1 ? "line" : "lines"} changed. Check again to update the total.`}
    </p>
  );
}

function answersIn(form: HTMLFormElement, choices: ListChoices): ListChoices {
  const chosen = (name: string) => form.querySelector<HTMLInputElement>(`[name=${name}]:checked`)?.value;
  return {
    ...choices,
    figures: (chosen("figures") as ListChoices["figures"]) ?? choices.figures,
    otherNetworks: (chosen("otherNetworks") as ListChoices["otherNetworks"]) ?? choices.otherNetworks,
  };
}
