// Tests of the rows of a checked list: each says at once how it will be read.
import { expect, test } from "bun:test";
import type { Offer } from "../../src/shared/lists/bulk-bundles.ts";
import { fireEvent, renderInForm, screen, waitFor } from "./dom.tsx";

const { BulkFix } = await import("../../islands/bulk-fix.tsx");

const offer = (id: number, operator: "MTN" | "TELECEL", gb: number): Offer => ({
  id,
  operator,
  family: operator,
  name: operator,
  size: `${gb}GB`,
  sizeMb: gb * 1000,
  pricePesewas: gb * 400,
});
const offers = [offer(1, "MTN", 1), offer(2, "MTN", 5), offer(3, "TELECEL", 5)];
const choices = { operator: null, productId: null, figures: null, otherNetworks: null };
const messages = { "bulk.size_missing": "Which size?", "bulk.figure_unclear": "GB or bundles?" };
const rows = (
  <>
    <label>
      5 GB <input type="radio" name="figures" value="size" />
    </label>
    <ul>
      <li>
        <input aria-label="Line 1" name="fix.0" defaultValue="0241234567" aria-invalid="true" />
        <select aria-label="Bundle" name="bundle.0">
          <option value="">Choose a bundle</option>
          <option value="2">5GB</option>
        </select>
        <p>Which size?</p>
      </li>
      <li>
        <input aria-label="Line 2" name="fix.1" defaultValue="12345" aria-invalid="true" />
        <p>Not a number</p>
      </li>
    </ul>
  </>
);
const open = () => renderInForm(rows, <BulkFix {...{ offers, choices, messages }} />);
const type = (label: string, value: string) => fireEvent.input(screen.getByLabelText(label), { target: { value } });
const texts = () => [...document.querySelectorAll("li p")].map(({ textContent }) => textContent);
const status = () => screen.getByRole("status").textContent;

test("a row that nobody touched keeps what the shop said about it", () => {
  open();
  expect([texts(), status()]).toEqual([["Which size?", "Not a number"], ""]);
});

test("a corrected number shows its order and price, and is no longer marked", async () => {
  open();
  type("Line 2", "0201234567 5GB x2");
  // The first change loads the reader of lines.
  await waitFor(() => expect(texts()).toEqual(["Which size?", "✓ 020 123 4567 · Telecel 5GB × 2 · GH₵ 40.00"]));
  expect(screen.getByLabelText("Line 2").getAttribute("aria-invalid")).toBe("false");
  expect(status()).toBe("1 line changed. Check again to update the total.");
  type("Line 2", "0201234567");
  expect(texts()[1]).toBe("Which size?");
  type("Line 2", " ");
  expect(texts()[1]).toBe("This line will be removed.");
});

test("a chosen bundle is shown as it will be ordered", async () => {
  open();
  fireEvent.change(screen.getByLabelText("Bundle"), { target: { value: "2" } });
  await waitFor(() => expect(texts()[0]).toBe("✓ 024 123 4567 · MTN 5GB · GH₵ 20.00"));
});

test("an answer about the whole list counts in its rows", async () => {
  open();
  type("Line 2", "0241234568 5");
  await waitFor(() => expect(texts()[1]).toBe("GB or bundles?"));
  fireEvent.click(screen.getByLabelText("5 GB"));
  expect(texts()[1]).toBe("✓ 024 123 4568 · MTN 5GB · GH₵ 20.00");
});
