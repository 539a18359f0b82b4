// The price table while it is typed in: the margin of each cell, marks on changed ones, their number, and a warning
// before they are left unsaved.
import { marginText, parseCedis, priceRemark } from "../../src/shared/money.ts";

/** Takes the place of a hint in the form of the table. */
export function priceTable(place: Element): void {
  const form = place.closest("form")!;
  const inputs = [...form.querySelectorAll<HTMLInputElement>(".cell input")];
  let isSent = false;
  const changedCount = () => inputs.filter((input) => input.value.trim() !== input.defaultValue).length;
  const update = (input: HTMLInputElement) => {
    const cell = input.closest<HTMLElement>(".cell")!;
    cell.classList.toggle("changed", input.value.trim() !== input.defaultValue);
    showGain(cell, parseCedis(input.value.trim() || input.placeholder));
    const count = changedCount();
    if (count > 0) place.textContent = count === 1 ? "1 price changed" : `${count} prices changed`;
    else place.textContent = "No price changed";
  };
  place.setAttribute("role", "status");
  place.classList.add("soft", "small");
  form.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement && inputs.includes(target)) update(target);
  });
  form.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = step && event.target instanceof HTMLInputElement && inBelow(event.target, step);
    if (!next) return;
    event.preventDefault();
    next.focus();
    next.select();
  });
  // What the browser kept from before going back.
  for (const input of inputs) if (input.value.trim() !== input.defaultValue) update(input);
  form.addEventListener("submit", () => {
    isSent = true;
  });
  addEventListener("pageshow", () => {
    isSent = false;
  });
  addEventListener("beforeunload", (event) => {
    if (!isSent && changedCount() > 0) event.preventDefault();
  });
}

/** The cell of the same column, this many rows further down. */
function inBelow(input: HTMLInputElement, rows: number): HTMLInputElement | null {
  const cell = input.closest("td");
  const row = input.closest("tr");
  if (!cell || !row) return null;
  const next = rows > 0 ? row.nextElementSibling : row.previousElementSibling;
  return (
    (next as HTMLTableRowElement | null)?.cells[cell.cellIndex]?.querySelector<HTMLInputElement>(".cell input") ?? null
  );
}

function showGain(cell: HTMLElement, pricePesewas: number | null): void {
  const { cost, lowest } = cell.dataset;
  const gain = cell.querySelector("[data-gain]")!;
  const pesewasOf = (text: string | undefined) => (text === undefined ? null : Number(text));
  const costPesewas = pesewasOf(cost);
  const remark =
    pricePesewas === null ? "" : priceRemark(pricePesewas, { costPesewas, lowestPricePesewas: pesewasOf(lowest) });
  gain.className = remark ? "gain small bad" : "gain small soft";
  const margin = pricePesewas === null ? "" : marginText(pricePesewas, costPesewas);
  gain.textContent = [margin, remark].filter(Boolean).join(" ");
}
