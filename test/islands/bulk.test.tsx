// The bulk check: counts, the total, mending in place, repeated numbers, files; and ten thousand lines.
import { describe, expect, test } from "bun:test";
import { summarise } from "../../islands/parts/bulk-text.ts";
import { act, fireEvent, renderInForm, screen, type } from "./dom.tsx";

const { BulkCheck } = await import("../../islands/bulk-check.tsx");

const words = { "msisdn.invalid": "Not a number", "order.quantity_invalid": "Not a quantity" };
const fields = (
  <>
    <select aria-label="Package" name="productId">
      <option value="">Select a package</option>
      <option value="12@390">1GB</option>
    </select>
    <textarea aria-label="Numbers" name="lines" />
    <input aria-label="Repeats" type="checkbox" name="allowDuplicate" value="yes" />
  </>
);
const open = () => renderInForm(fields, <BulkCheck balancePesewas={1000} productId="" words={words} />);
const lines = () => (screen.getByLabelText("Numbers") as HTMLTextAreaElement).value;
const status = () => screen.getByRole("status").textContent!;
const pause = (ms: number) => act(() => Bun.sleep(ms));

test("good and bad lines are counted as they are pasted, with the total of the good ones", () => {
  open();
  expect(status()).toBe("");
  type("Numbers", "0541234567\n\n0241234567,2\n12345");
  expect(status()).toContain("2 good lines1 to mend");
  expect(status()).toContain("Select a package to see the total");
  type("Package", "12@390");
  expect(status()).toContain("TotalGH₵ 11.70Wallet balance afterwardsGH₵ 1.70 short");
});

describe("a bad line", () => {
  test("says what is wrong with it and is mended in place", () => {
    open();
    type("Numbers", "0541234567\n12345\n0241234567,400");
    const line = screen.getByLabelText("Line 2");
    expect(document.getElementById(line.getAttribute("aria-describedby")!)!.textContent).toBe("Not a number");
    expect(screen.getByText("Not a quantity")).toBeTruthy();
    fireEvent.input(line, { target: { value: "0201234567" } });
    expect(lines()).toContain("12345");
    fireEvent.blur(line);
    expect(lines()).toBe("0541234567\n0201234567\n0241234567,400");
    expect(status()).toContain("2 good lines1 to mend");
  });

  test("is mended with Enter, which sends nothing and leads to the next one", () => {
    open();
    type("Numbers", "1\n2");
    const first = screen.getByLabelText("Line 1");
    fireEvent.input(first, { target: { value: "0541234567" } });
    expect(fireEvent.keyDown(first, { key: "Enter" })).toBe(false);
    expect(lines()).toBe("0541234567\n2");
    expect(document.activeElement).toBe(screen.getByLabelText("Line 2"));
  });

  test("that is still bad after it was mended stays", () => {
    open();
    type("Numbers", "1");
    fireEvent.input(screen.getByLabelText("Line 1"), { target: { value: "22" } });
    fireEvent.blur(screen.getByLabelText("Line 1"));
    expect((screen.getByLabelText("Line 1") as HTMLInputElement).value).toBe("22");
    expect(status()).toContain("1 to mend");
  });

  test("can be taken out, alone or with all the others", () => {
    open();
    type("Numbers", "1\n0541234567\n2\n3");
    fireEvent.click(screen.getByRole("button", { name: "Remove line 1" }));
    expect(lines()).toBe("0541234567\n2\n3");
    fireEvent.click(screen.getByRole("button", { name: "Remove all 2" }));
    expect(lines()).toBe("0541234567");
  });
});

describe("repeated numbers", () => {
  test("are grouped, however they were written, and all but the first can be taken out", () => {
    open();
    type("Numbers", "0541234567\n+233 54 123 4567,3\n0241234567\n541234567");
    expect(status()).toContain("2 good lines2 repeated");
    expect(screen.getByText("Lines 1, 2, 4")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Keep only the first of each" }));
    expect(lines()).toBe("0541234567\n0241234567");
    expect(screen.queryByText("Repeated numbers")).toBeNull();
  });

  test("count as good when they are meant", () => {
    open();
    type("Numbers", "0541234567\n0541234567");
    fireEvent.click(screen.getByLabelText("Repeats"));
    expect(status()).toContain("2 good lines");
    expect(screen.queryByText("Repeated numbers")).toBeNull();
  });

  test("are no reason to call a line good that has another fault", () => {
    const { goodCount, bad, repeatCount } = summarise("0541234567,0\n0541234567\n0541234567,x", false);
    expect([goodCount, bad.length, repeatCount]).toEqual([0, 2, 1]);
  });
});

describe("a file", () => {
  const choose = async (content: BlobPart) => {
    const input = screen.getByLabelText("Read numbers from a file");
    fireEvent.change(input, { target: { files: [new File([content], "numbers.csv")] } });
    await pause(20);
  };

  test("of a spreadsheet is read into the form's lines", async () => {
    open();
    await choose('\ufeffPhone,Quantity\r\n"0541234567",2\r\n241234567,1\r\n');
    expect(lines()).toBe("0541234567,2\n241234567,1");
    expect(status()).toContain("2 good lines");
  });

  test("in UTF-16, as spreadsheets save text, is read as well", async () => {
    open();
    await choose(Buffer.from("\ufeff0541234567\t2\r\n", "utf16le"));
    expect(lines()).toBe("0541234567\t2");
  });

  test.each([
    ["a workbook", "PK\u0003\u0004…", "Save the spreadsheet as CSV first"],
    ["an empty file", "", "There are no lines"],
    ["one that is too large", "0".repeat(2_100_000), "too large"],
  ])("is refused in words and changes nothing: %s", async (_, content, refusal) => {
    open();
    type("Numbers", "0541234567");
    await choose(content);
    expect(screen.getByRole("alert").textContent).toContain(refusal);
    expect(lines()).toBe("0541234567");
  });
});

describe("ten thousand lines", () => {
  const many = Array.from({ length: 10_001 }, (_, i) => (i % 2 ? `054${1_000_000 + i}` : `${i}`)).join("\n");

  test("are read when the typing pauses, and only some of the bad ones get a field", async () => {
    open();
    type("Numbers", many);
    expect(status()).toBe("");
    await pause(400);
    expect(status()).toContain("5,000 good lines5,001 to mend");
    expect(status()).toContain("At most 10,000 lines at once: take 1 out");
    expect(screen.getAllByLabelText(/^Line /).length).toBe(100);
    expect(screen.getByText(/^4,901 more follow/)).toBeTruthy();
  });

  test("are understood in less than a tenth of a second", () => {
    summarise(many, false);
    const startedAt = performance.now();
    summarise(many, false);
    expect(performance.now() - startedAt).toBeLessThan(100);
  });
});
