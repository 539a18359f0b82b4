// Tests of the bundle form's islands: the hint about a number, and the total.
import { describe, expect, test } from "bun:test";
import { renderInForm, screen, type } from "./dom.tsx";

const { NumberHint } = await import("../../islands/number-hint.tsx");
const { PurchaseTotal } = await import("../../islands/purchase-total.tsx");

describe("the hint about a number", () => {
  const hintFor = (typed: string, initially = "") => {
    renderInForm(
      <input aria-label="Number" name="msisdn" defaultValue={initially} />,
      <NumberHint operator="MTN" msisdn={initially} />,
    );
    if (typed) type("Number", typed);
    return screen.getByRole("status").textContent;
  };

  test("is empty before there is a number", () => expect(hintFor("")).toBe(""));
  test("names the network of the page", () => expect(hintFor("0541234567")).toBe("054 123 4567: MTN"));
  test("points out another network and what to do about it", () =>
    expect(hintFor("+233 20 123 4567")).toBe(
      "020 123 4567 looks like Telecel. If it was moved to MTN, continue. Open Telecel with this number",
    ));
  test("appears with the prefix", () => expect(hintFor("024")).toBe("This prefix: MTN"));
  test("appears with the prefix of an international number", () =>
    expect(hintFor("+23326")).toStartWith("This prefix looks like AirtelTigo"));
  test("does not read the country's code as a prefix", () => expect(hintFor("233")).toBe(""));
  test("shows a number with an unknown prefix for comparison", () =>
    expect(hintFor("0211234567")).toBe("021 123 4567"));
  test("marks a complete number as invalid", () =>
    expect(hintFor("0741234567")).toStartWith("That is not a Ghanaian number"));
  test("is empty for an invalid number that is still short", () => expect(hintFor("07412")).toBe(""));
  test("appears at once for a number that the form was returned with", () =>
    expect(hintFor("", "0201234567")).toContain("Telecel"));
});

test("a hint never blocks the form", () => {
  const form = renderInForm(
    <input aria-label="Number" name="msisdn" />,
    <NumberHint operator="MTN" msisdn="" />,
  );
  type("Number", "0201234567");
  expect(form.checkValidity()).toBe(true);
  expect(form.dispatchEvent(new Event("submit", { cancelable: true }))).toBe(true);
});

describe("the total", () => {
  const fields = (
    <>
      <select aria-label="Package" name="productId">
        <option value="">Select a package</option>
        <option value="12@390">1GB</option>
      </select>
      <input aria-label="Quantity" name="quantity" defaultValue="1" />
    </>
  );
  const status = () => screen.getByRole("status").textContent;
  const show = () => renderInForm(fields, <PurchaseTotal balancePesewas={1000} productId="" quantity="1" />);

  test("is hidden until a package is chosen", () => {
    show();
    expect(status()).toBe("");
  });

  test("updates with the package and the quantity, with the balance afterwards", () => {
    show();
    type("Package", "12@390");
    expect(status()).toBe("TotalGH₵ 3.90Available afterwardsGH₵ 6.10");
    type("Quantity", "2");
    expect(status()).toBe("TotalGH₵ 7.80Available afterwardsGH₵ 2.20");
  });

  test("shows how much is missing", () => {
    show();
    type("Package", "12@390");
    type("Quantity", "3");
    expect(status()).toContain("GH₵ 1.70 short");
  });

  test.each(["0", "101", "", "1.5", "-1", "two"])("is not shown for the invalid quantity %p", (quantity) => {
    show();
    type("Package", "12@390");
    type("Quantity", quantity);
    expect(status()).toBe("");
  });
});
