// The price table while it is typed in: the margin of each cell, marks on changed ones, their number, and a warning
// before they are left unsaved.
import { marginText, parseCedis, priceRemark } from "../../src/shared/money.ts";

/** Its place holds the hint that the number of changes replaces, in the form of the table. */
export function priceTable(place: Element): void {
  const form = place.closest("form")!;
  const inputs = [...form.querySelectorAll<HTMLInputElement>(".cell input")];
  let isSent = false;
  const isChanged = (input: HTMLInputElement) => input.value.trim() !== input.defaultValue;
  const update = (input: HTMLInputElement) => {
    const cell = input.closest<HTMLElement>(".cell")!;
    cell.classList.toggle("changed", isChanged(input));
    showGain(cell, parseCedis(input.value.trim() || input.placeholder));
    const count = inputs.filter(isChanged).length;
    place.firstElementChild!.textContent = `${count || "No"} price${count > 1 ? "s" : ""} changed`;
  };
  form.addEventListener("input", ({ target }) => {
    if (inputs.includes(target as HTMLInputElement)) update(target as HTMLInputElement);
  });
  form.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const column = inputs.filter((input) => columnOf(input) === columnOf(event.target as Element));
    const next = step && column[column.indexOf(event.target as HTMLInputElement) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
    next.select();
  });
  // What the browser kept from before going back.
  for (const input of inputs) if (isChanged(input)) update(input);
  form.addEventListener("submit", () => {
    isSent = true;
  });
  addEventListener("pageshow", () => {
    isSent = false;
  });
  addEventListener("beforeunload", (event) => {
    if (!isSent && inputs.some(isChanged)) event.preventDefault();
  });
}

const columnOf = (input: Element) => input.closest("td")?.cellIndex;

function showGain(cell: HTMLElement, pricePesewas: number | null): void {
  const { cost, lowest } = cell.dataset;
  const gain = cell.querySelector("[data-gain]")!;
  const pesewasOf = (text: string | undefined) => (text === undefined ? null : Number(text));
  const costPesewas = pesewasOf(cost);
  const prices = { costPesewas, lowestPricePesewas: pesewasOf(lowest) };
  const remark = pricePesewas !== null && priceRemark(pricePesewas, prices);
  gain.className = `gain small ${remark ? "bad" : "soft"}`;
  gain.textContent =
    pricePesewas === null ? "" : [marginText(pricePesewas, costPesewas), remark].filter(Boolean).join(" ");
}
