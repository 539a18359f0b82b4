// Tests of the bulk check: counts, total, fixing in place, repeated numbers, files, and ten thousand lines.
import { describe, expect, test } from "bun:test";
import { summarize } from "../../islands/parts/bulk-text.ts";
import type { Offer } from "../../src/shared/lists/bulk-bundles.ts";
import type { Entry } from "../../src/shared/lists/bulk-lines.ts";
import { fixLines, removeLines } from "../../src/shared/lists/bulk-text.ts";
import { act, fireEvent, renderInForm, screen, type } from "./dom.tsx";

const { BulkCheck } = await import("../../islands/bulk-check.tsx");

const messages = {
  "msisdn.invalid": "Not a number",
  "order.quantity_invalid": "Not a quantity",
  "bulk.size_not_sold": "No such bundle",
};
const fields = (
  <>
    <select aria-label="Package" name="productId">
      <option value="">Select a package</option>
      <option value="12@390">1GB – GH₵ 3.90</option>
    </select>
    <input aria-label="File" name="file" type="file" />
    <textarea aria-label="Numbers" name="lines" />
    <input aria-label="Repeats" type="checkbox" name="allowDuplicate" value="yes" />
  </>
);
const bundle = (id: number, operator: Offer["operator"], gb: number, pricePesewas: number): Offer => ({
  id,
  operator,
  family: operator === "AIRTELTIGO" ? "AT_ISHARE" : operator,
  name: operator,
  size: `${gb}GB`,
  sizeMb: gb * 1000,
  pricePesewas,
});
const offers = [bundle(12, "MTN", 1, 390), bundle(13, "MTN", 2, 840), bundle(14, "TELECEL", 1, 400)];
const check = <BulkCheck balancePesewas={1000} productId="" offers={offers} messages={messages} userId={7} />;
/** The form, once it has the script that reads lines. */
async function open(): Promise<void> {
  renderInForm(fields, check);
  fireEvent.focus(screen.getByLabelText("Numbers"));
  await screen.findByRole("status");
}
const summed = (text: string) => {
  const choices = { operator: "MTN", productId: null, figures: null, otherNetworks: null } as const;
  return summarize(text, false, { offers, choices });
};
const lines = () => (screen.getByLabelText("Numbers") as HTMLTextAreaElement).value;
const status = () => screen.getByRole("status").textContent!;
const pause = (ms: number) => act(() => Bun.sleep(ms));

test("valid and invalid lines are counted on paste, with the total of the valid ones", async () => {
  await open();
  expect(status()).toBe("");
  type("Numbers", "0541234567\n\n0241234567,2\n12345");
  expect(status()).toContain("2 good lines1 to fix");
  expect(status()).toContain("Select a package to see the total");
  type("Package", "12@390");
  expect(status()).toContain("TotalGH₵ 11.70Available afterwardsGH₵ 1.70 short");
});

const field = (label: string) => screen.getByLabelText(label) as HTMLInputElement;
const readingOf = (label: string) =>
  document.getElementById(field(label).getAttribute("aria-describedby")!)!.textContent;
const filter = (name: RegExp) => fireEvent.click(screen.getByRole("button", { name }));

describe("each line", () => {
  test("shows how it was read, the network by its prefix, and the price of the chosen package", async () => {
    await open();
    type("Numbers", "Kofi 054 123 4567, 2\n0201234567");
    expect(readingOf("Line 1")).toBe("054 123 4567MTN× 2");
    type("Package", "12@390");
    expect(readingOf("Line 1")).toBe("054 123 4567MTN× 2GH₵ 7.80");
    expect(readingOf("Line 2")).toBe("020 123 4567Telecel, or ported× 1GH₵ 3.90");
    expect(status()).toContain("1 good line1 to ask you about");
  });

  test("can name a size and a network, and has the price of that bundle", async () => {
    await open();
    type("Numbers", "0541234567 2gb\n0541234568\n0201234567 Telecel\n0541234569 7gb");
    type("Package", "12@390");
    expect(readingOf("Line 4")).toBe("No such bundle");
    expect(status()).toContain("3 good lines1 to fix");
    expect(status()).toContain("TotalGH₵ 16.30");
    filter(/^All/);
    expect(readingOf("Line 1")).toBe("054 123 4567MTN2GB× 1GH₵ 8.40");
    expect(readingOf("Line 3")).toBe("020 123 4567Telecel× 1GH₵ 4.00");
  });

  test("with a figure that could be GB or bundles gets a question when the list is checked", async () => {
    await open();
    type("Numbers", "0541234567 5\n0541234568");
    type("Package", "12@390");
    expect(readingOf("Line 1")).toBe("054 123 4567MTN× 15 GB or bundles?GH₵ 3.90");
    expect(status()).toContain("1 good line1 to ask you about");
  });

  test("without a number is skipped and counted", async () => {
    await open();
    type("Numbers", "Good morning\n\n0541234567\nthanks");
    expect(status()).toContain("1 good line2 without a number");
    expect(field("Line 3").value).toBe("0541234567");
  });

  test("can be changed when it is valid, and the arrow keys lead from one to the next", async () => {
    await open();
    type("Numbers", "0541234567\n0241234567");
    field("Line 1").focus();
    fireEvent.keyDown(field("Line 1"), { key: "ArrowDown" });
    expect(document.activeElement).toBe(field("Line 2"));
    fireEvent.input(field("Line 2"), { target: { value: "0241234567,5" } });
    fireEvent.keyDown(field("Line 2"), { key: "ArrowUp" });
    expect(lines()).toBe("0541234567\n0241234567,5");
    expect(document.activeElement).toBe(field("Line 1"));
  });

  test("of several numbers can be fixed or removed by itself", async () => {
    await open();
    type("Numbers", "Kofi 0541234567, Ama 0241234567");
    const [first] = screen.getAllByLabelText("Line 1");
    fireEvent.input(first!, { target: { value: "0541234567,2" } });
    fireEvent.blur(first!);
    expect(lines()).toBe("0541234567,2\nAma 0241234567");
    const text = "a 0541234567, b 0541234568\nhello\n0541234569";
    const all = summed(text).lines;
    expect(removeLines(text, all, [0])).toBe("b 0541234568\nhello\n0541234569");
    expect(removeLines(text, all, [0, 1, 2])).toBe("hello");
    expect(fixLines(text, all, new Map([[1, " "]]))).toBe("a 0541234567\nhello\n0541234569");
  });
});

describe("a list that was sent", () => {
  const withKey = (
    <>
      <input type="hidden" name="key" value="form one" />
      {fields}
    </>
  );
  /** Opens the page with a list that was sent, and the shop's answer to whether it is known. */
  const opened = async (isKnown: () => unknown) => {
    const requests: string[] = [];
    const before = globalThis.fetch;
    globalThis.fetch = (async (path: string, { body }: { body: URLSearchParams }) => {
      requests.push(`${path} ${body}`);
      return { json: async () => isKnown() };
    }) as unknown as typeof fetch;
    const form = renderInForm(withKey, check);
    await pause(20);
    globalThis.fetch = before;
    return { form, requests };
  };
  const sent = async (text: string) => {
    const { form } = await opened(() => ({}));
    type("Package", "12@390");
    type("Numbers", text);
    fireEvent.submit(form);
    document.body.replaceChildren();
  };
  const question = () => screen.queryByText(/Your last list is still here/);

  test("and arrived is discarded: nothing of it comes back", async () => {
    await sent("0541234567");
    const { requests } = await opened(() => ({ isKnown: true }));
    expect([requests, lines(), question()]).toEqual([["/bulk/known key=form+one"], "", null]);
    document.body.replaceChildren();
    expect((await opened(() => ({ isKnown: false }))).requests).toEqual([]);
  });

  test("and did not arrive is offered, and never restored by itself", async () => {
    await sent("0541234567");
    await opened(() => ({ isKnown: false }));
    expect([lines(), question() !== null]).toEqual(["", true]);
    fireEvent.click(screen.getByRole("button", { name: "Use it" }));
    expect([lines(), question()]).toEqual(["0541234567", null]);
    expect((screen.getByLabelText("Package") as HTMLSelectElement).value).toBe("12@390");
    document.body.replaceChildren();
    expect((await opened(() => ({ isKnown: false }))).requests).toEqual([]);
  });

  test("can be discarded", async () => {
    await sent("0541234567");
    await opened(() => ({ isKnown: false }));
    fireEvent.click(screen.getByRole("button", { name: "Discard it" }));
    expect([lines(), question(), sessionStorage.length]).toEqual(["", null, 0]);
  });

  test("is kept without a question while its fate is unknown", async () => {
    await sent("0541234567");
    await opened(() => Promise.reject(new Error("offline")));
    expect([lines(), question(), sessionStorage.length]).toEqual(["", null, 1]);
    document.body.replaceChildren();
    await opened(() => ({ isKnown: false }));
    expect(question()).not.toBeNull();
    sessionStorage.clear();
  });

  test("a day ago, or stored by an earlier version, is discarded", async () => {
    for (const kept of ["0541234567", JSON.stringify({ key: "k", text: "0541234567", at: Date.now() - 90_000_000 })]) {
      sessionStorage.setItem("bulk of 7", kept);
      const { requests } = await opened(() => ({ isKnown: false }));
      expect([requests, sessionStorage.length]).toEqual([[], 0]);
      document.body.replaceChildren();
    }
  });
});

describe("an invalid line", () => {
  test("shows its error and can be fixed in place", async () => {
    await open();
    type("Numbers", "0541234567\n12345\n0241234567,400");
    expect(screen.queryByLabelText("Line 1")).toBeNull();
    expect(readingOf("Line 2")).toBe("Not a number");
    expect(readingOf("Line 3")).toBe("Not a quantity");
    const line = field("Line 2");
    fireEvent.input(line, { target: { value: "0201234567" } });
    expect(lines()).toContain("12345");
    fireEvent.blur(line);
    expect(lines()).toBe("0541234567\n0201234567\n0241234567,400");
    expect(status()).toContain("2 good lines1 to fix");
  });

  test("is fixed with Enter, which sends nothing and moves to the next one", async () => {
    await open();
    type("Numbers", "1\n2");
    const first = field("Line 1");
    fireEvent.input(first, { target: { value: "0541234567" } });
    expect(fireEvent.keyDown(first, { key: "Enter" })).toBe(false);
    expect(lines()).toBe("0541234567\n2");
    expect(document.activeElement).toBe(field("Line 2"));
  });

  test("that is still invalid after a fix stays", async () => {
    await open();
    type("Numbers", "1");
    fireEvent.input(field("Line 1"), { target: { value: "22" } });
    fireEvent.blur(field("Line 1"));
    expect(field("Line 1").value).toBe("22");
    expect(status()).toContain("1 to fix");
  });

  test("can be removed, alone or with all the others", async () => {
    await open();
    type("Numbers", "1\n0541234567\n2\n3");
    fireEvent.click(screen.getByRole("button", { name: "Remove line 1" }));
    expect(lines()).toBe("0541234567\n2\n3");
    fireEvent.click(screen.getByRole("button", { name: "Remove all 2" }));
    expect(lines()).toBe("0541234567");
    expect(field("Line 1").value).toBe("0541234567");
  });

  test("is shown among all lines when all are shown", async () => {
    await open();
    type("Numbers", "1\n0541234567");
    filter(/^All/);
    expect(screen.getAllByLabelText(/^Line /).length).toBe(2);
    expect(screen.getByRole("button", { name: /^All/ }).getAttribute("aria-pressed")).toBe("true");
  });
});

describe("repeated numbers", () => {
  test("are found in any notation, each counted once, and can be removed together", async () => {
    await open();
    type("Numbers", "0541234567\n+233 54 123 4567,3\n0241234567\n541234567");
    expect(status()).toContain("2 good lines2 repeated");
    filter(/^Repeated \(2\)/);
    expect(screen.getAllByLabelText(/^Line /).map((it) => it.id)).toEqual(["bulk-line-1", "bulk-line-3"]);
    expect(screen.getAllByText("Repeated").length).toBe(2);
    fireEvent.click(screen.getByRole("button", { name: "Keep only the first of each" }));
    expect(lines()).toBe("0541234567\n0241234567");
    expect(screen.queryByRole("button", { name: /^Repeated/ })).toBeNull();
  });

  test("count as valid when they are intended", async () => {
    await open();
    type("Numbers", "0541234567\n0541234567");
    fireEvent.click(screen.getByLabelText("Repeats"));
    expect(status()).toContain("2 good lines");
    expect(screen.queryByRole("button", { name: /^Repeated/ })).toBeNull();
  });

  test("do not make a line valid that has another error", () => {
    const { goodCount, bad, repeated } = summed("0541234567,0\n0541234567\n0541234567,x");
    expect([goodCount, bad.length, repeated.length]).toEqual([0, 2, 1]);
  });
});

describe("a file", () => {
  const choose = async (answer: () => Promise<unknown>) => {
    const before = globalThis.fetch;
    globalThis.fetch = (async () => ({ json: answer })) as unknown as typeof fetch;
    fireEvent.change(screen.getByLabelText("File"), { target: { files: [new File(["x"], "numbers.xlsx")] } });
    await pause(20);
    globalThis.fetch = before;
  };
  const alert = () => screen.getByRole("alert").textContent;

  test("is read by the shop, and its lines are added below those that were typed", async () => {
    await open();
    await choose(async () => ({ lines: "0541234567,2" }));
    expect(lines()).toBe("0541234567,2");
    await choose(async () => ({ lines: "0241234567" }));
    expect(lines()).toBe("0541234567,2\n0241234567");
    expect(status()).toContain("2 good lines");
    expect(alert()).toBe("");
  });

  test("that cannot be read changes nothing and shows the reason", async () => {
    await open();
    type("Numbers", "0541234567");
    await choose(async () => ({ problem: "This is no sheet" }));
    expect([lines(), alert()]).toEqual(["0541234567", "This is no sheet"]);
  });

  test("whose upload fails is sent with the form", async () => {
    await open();
    await choose(() => Promise.reject(new Error("offline")));
    expect(alert()).toContain("It is sent with the form");
  });
});

describe("ten thousand lines", () => {
  const many = Array.from({ length: 10_001 }, (_, i) => (i % 2 ? `054${1_000_000 + i}` : `${i}`)).join("\n");

  test("are read when typing pauses, and only some of the invalid ones get a field", async () => {
    await open();
    type("Numbers", many);
    expect(status()).toBe("");
    await pause(400);
    expect(status()).toContain("5,000 good lines5,001 to fix");
    expect(status()).toContain("At most 10,000 lines at once: take 1 out");
    expect(screen.getAllByLabelText(/^Line /).length).toBeLessThan(30);
    expect(screen.getByRole("table").getAttribute("aria-rowcount")).toBe("5001");
    filter(/^All/);
    expect(screen.getByRole("table").getAttribute("aria-rowcount")).toBe("10001");
  });

  test("can all be reached: the rows follow the scroll position, and keep their place", async () => {
    await open();
    type("Numbers", many);
    await pause(400);
    filter(/^All/);
    const box = screen.getByRole("table").closest(".window")!;
    box.scrollTop = 72 * 5_000;
    fireEvent.scroll(box);
    expect(screen.getByLabelText("Line 5001")).toBeTruthy();
    expect(screen.queryByLabelText("Line 1")).toBeNull();
    const rows = screen.getAllByRole("row");
    expect(rows.map((row) => Number(row.getAttribute("aria-rowindex")))).toEqual(
      rows.map((_, i) => Number(rows[0]!.getAttribute("aria-rowindex")) + i),
    );
  });

  test("are not parsed again when one of them changes", () => {
    const known = new Map<string, Entry[]>();
    const choices = { operator: "MTN", productId: null, figures: null, otherNetworks: null } as const;
    const list = { offers, choices };
    summarize(many, false, list, known);
    const before = new Map(known);
    summarize(`${many}1`, false, list, known);
    expect(known.size).toBe(before.size + 1);
    for (const [line, entries] of before) expect(known.get(line)).toBe(entries);
  });
});
