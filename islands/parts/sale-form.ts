// The sale in the buying form: what is typed and chosen there, and how scripts change it.
import { type RefObject, useEffect, useState } from "react";
import type { Operator } from "../../src/shared/domain.ts";
import { fieldOf, listen } from "./form.ts";

/** The form's fields as they are, right or wrong. `option` is the chosen bundle ("12@390"), "" for none. */
export type Sale = { msisdn: string; operator: Operator; quantity: string; option: string; size: string };

/** The event on a form after a script has changed its fields. */
const CHANGED = "sale";

/** The sale in the form around an element, kept current; null before the script has read it. */
export function useSale(place: RefObject<Element | null>): Sale | null {
  const [sale, setSale] = useState<Sale | null>(null);
  useEffect(() => {
    const form = place.current!.closest("form")!;
    const update = () => setSale(readSale(form));
    update();
    return listen([
      [form, "input", update],
      [form, "change", update],
      [form, CHANGED, update],
      // After a return through the browser's history, which restores the fields as they were left.
      [window, "pageshow", update],
    ]);
  }, [place]);
  return sale;
}

export function readSale(form: HTMLFormElement): Sale {
  const contentOf = (name: string) => fieldOf(form, name)!.value;
  const card = chosenCard(form);
  return {
    msisdn: contentOf("msisdn"),
    operator: contentOf("operator") as Operator,
    quantity: contentOf("quantity"),
    option: card?.value ?? "",
    size: card?.dataset.size ?? "",
  };
}

/** Fills in a sale, as if it had been typed. A bundle that cannot be chosen is left out. */
export function fillIn(form: HTMLFormElement, { msisdn, option, quantity }: Omit<Sale, "operator" | "size">) {
  fieldOf(form, "msisdn")!.value = msisdn;
  const field = fieldOf(form, "quantity")!;
  field.value = quantity;
  field.closest("details")!.open = quantity !== "1";
  for (const card of cardsOf(form)) card.checked = idOf(card.value) === idOf(option) && !card.disabled;
  followBundle(form);
}

/** Chooses a network, and its bundle of the size that was chosen, if it has exactly one. */
export function chooseNetwork(form: HTMLFormElement, operator: Operator): void {
  for (const radio of inputsOf(form, "operator")) radio.checked = radio.value === operator;
  const chosen = chosenCard(form);
  if (chosen && chosen.dataset.operator !== operator) {
    chosen.checked = false;
    const same = cardsOf(form, operator).filter(({ dataset }) => dataset.size === chosen.dataset.size);
    if (same.length === 1) same[0]!.checked = true;
  }
  form.dispatchEvent(new Event(CHANGED));
}

/** Chooses the network of the chosen bundle, for browsers that show the bundles of all networks at once. */
export function followBundle(form: HTMLFormElement): void {
  chooseNetwork(form, (chosenCard(form)?.dataset.operator as Operator) ?? readSale(form).operator);
}

/** Moves the focus to the chosen bundle, or else the first one of the network, from where the arrows lead on. */
export function focusBundle(form: HTMLFormElement): void {
  (chosenCard(form) ?? cardsOf(form, readSale(form).operator)[0])?.focus();
}

function chosenCard(form: HTMLFormElement): HTMLInputElement | undefined {
  return cardsOf(form).find(({ checked }) => checked);
}

/** All cards, or those of a network that can be chosen. */
function cardsOf(form: HTMLFormElement, operator?: Operator): HTMLInputElement[] {
  const cards = inputsOf(form, "productId");
  return operator ? cards.filter((it) => it.dataset.operator === operator && !it.disabled) : cards;
}

function inputsOf(form: HTMLFormElement, name: string): HTMLInputElement[] {
  return [...form.querySelectorAll<HTMLInputElement>(`[name=${name}]`)];
}

/** The id in "12@390" or "12". */
function idOf(option: string): string {
  return option.split("@")[0]!;
}
