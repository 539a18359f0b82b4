// Tests of the buying form's island: the network read from the number, recent recipients, the line of the sale, and
// what is kept of a lost tab.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { fireEvent, render, screen, type, waitFor } from "./dom.tsx";

const { Counter } = await import("../../islands/counter.tsx");

const CARDS = [
  ["MTN", "1GB", "1@390"],
  ["MTN", "2GB", "2@840"],
  ["TELECEL", "1GB", "3@400"],
  ["TELECEL", "2GB", "4@950", "paused"],
] as const;

/** `msisdn` is filled in by the server, and `typed` before the script was loaded. */
type Shown = { msisdn?: string; typed?: string; operator?: string; balancePesewas?: number };

/** Leaves the page of the last form. */
let leave: () => void;

/** The buying form as the server renders it, with its island in both places. */
function show(shown: Shown = {}): HTMLFormElement {
  const { msisdn = "", typed = msisdn, operator = "MTN", balancePesewas = 1000 } = shown;
  const props = { userId: 7, msisdn, balancePesewas };
  const { container, unmount } = render(
    <form action="/buy" method="post">
      <input aria-label="Number" name="msisdn" defaultValue={typed} />
      <Counter part="number" {...props} />
      <ul className="recents">
        <li>
          <a href="/buy?msisdn=0201234567&product=3">Kofi</a>
        </li>
      </ul>
      {["MTN", "TELECEL"].map((value) => (
        <input
          key={value}
          type="radio"
          name="operator"
          aria-label={value}
          value={value}
          defaultChecked={value === operator}
        />
      ))}
      {CARDS.map(([network, size, value, paused]) => (
        <input
          key={value}
          type="radio"
          name="productId"
          aria-label={`${network} ${size}`}
          value={value}
          data-size={size}
          data-operator={network}
          disabled={paused !== undefined}
        />
      ))}
      <details>
        <input aria-label="Quantity" name="quantity" defaultValue="1" />
      </details>
      <Counter part="bar" {...props} />
    </form>,
  );
  leave = unmount;
  return container.querySelector("form")!;
}

const radio = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const number = () => screen.getByLabelText<HTMLInputElement>("Number");
const choose = (name: string) => fireEvent.click(radio(name));
const chosen = (form: HTMLFormElement) =>
  [...form.querySelectorAll<HTMLInputElement>("input:checked")].map((it) => it.getAttribute("aria-label"));
const hint = () => screen.getAllByRole("status")[0]!.textContent;
const line = () => screen.getAllByRole("status").at(-1)!.textContent;

beforeEach(() => sessionStorage.clear());

describe("the number", () => {
  const hintFor = (typed: string) => {
    show();
    type("Number", typed);
    return hint();
  };

  test.each([
    ["024", "MTN"],
    ["020", "TELECEL"],
    ["+23320", "TELECEL"],
    ["0201234567", "TELECEL"],
    ["‪020 123 4567‬", "TELECEL"],
    // No prefix yet, or an unknown one.
    ["233", "MTN"],
    ["0211234567", "MTN"],
  ])("%p chooses the network of %p", (typed, network) => {
    const form = show();
    type("Number", typed);
    expect(chosen(form)).toEqual([network]);
  });

  test("is not talked about while it is as expected, except to screen readers", () => {
    expect(hintFor("0541234567")).toBe("054 123 4567: MTN");
    expect(document.querySelector(".live")).toBeNull();
  });

  test("is questioned when another network was chosen for it, which stays chosen for the number", () => {
    const form = show();
    type("Number", "020123456");
    choose("MTN");
    type("Number", "0201234567");
    expect(chosen(form)).toEqual(["MTN"]);
    expect(hint()).toBe("020 123 4567 looks like Telecel. If it was moved to MTN, go on.");
    type("Number", "024");
    type("Number", "020");
    expect(chosen(form)).toEqual(["TELECEL"]);
  });

  test("that is complete and not Ghanaian is marked, one that is short is not", () => {
    expect(hintFor("0741234567")).toBe("That is not a Ghanaian number.");
    type("Number", "07412");
    expect(hint()).toBe("");
  });

  test("that was copied with something around it is offered as it is read", () => {
    expect(hintFor("Kofi 0541234567.")).toBe("Read as 054 123 4567 Use it");
    fireEvent.click(screen.getByRole("button", { name: "Use it" }));
    expect(number().value).toBe("0541234567");
    expect(hint()).toBe("054 123 4567: MTN");
  });

  test("that was typed before the script was loaded is read as well", () => {
    expect(chosen(show({ typed: "0201234567" }))).toEqual(["TELECEL"]);
    leave();
    // What the server filled in has the network that the server chose.
    expect(chosen(show({ msisdn: "0201234567" }))).toEqual(["MTN"]);
  });

  test("can be taken from the phone's contacts, where the browser has them", async () => {
    show();
    expect(screen.queryByRole("button", { name: "From contacts" })).toBeNull();
    const contacts = { select: async () => [{ tel: ["0302 123456", "+233 20 123 4567"] }] };
    Object.defineProperty(navigator, "contacts", { configurable: true, value: contacts });
    try {
      type("Number", "0");
      fireEvent.click(screen.getByRole("button", { name: "From contacts" }));
      await waitFor(() => expect(number().value).toBe("0201234567"));
      expect(radio("TELECEL").checked).toBe(true);
    } finally {
      Reflect.deleteProperty(navigator, "contacts");
    }
  });

  test("leads on to the bundles by the arrow, once it is complete", () => {
    show();
    type("Number", "024");
    fireEvent.keyDown(number(), { key: "ArrowDown" });
    expect(document.activeElement).not.toBe(radio("MTN 1GB"));
    type("Number", "0241234567");
    fireEvent.keyDown(number(), { key: "ArrowDown" });
    expect(document.activeElement).toBe(radio("MTN 1GB"));
  });
});

describe("another network", () => {
  test("takes the chosen size along, and nothing that it does not sell", () => {
    const form = show();
    choose("MTN 1GB");
    choose("TELECEL");
    expect(chosen(form)).toEqual(["TELECEL", "TELECEL 1GB"]);
    choose("MTN");
    choose("MTN 2GB");
    choose("TELECEL");
    expect(chosen(form)).toEqual(["TELECEL"]);
  });

  test("is chosen with its bundle, where the bundles of all networks are shown", () => {
    const form = show();
    choose("TELECEL 1GB");
    expect(chosen(form)).toEqual(["TELECEL", "TELECEL 1GB"]);
  });
});

test("a recent recipient is filled in with the usual bundle and its network", () => {
  const form = show();
  type("Number", "024");
  fireEvent.click(screen.getByText("Kofi"));
  expect(number().value).toBe("0201234567");
  expect(chosen(form)).toEqual(["TELECEL", "TELECEL 1GB"]);
  expect(line()).toBe("1GB to 020 123 4567GH₵ 4.00Leaves GH₵ 6.00");
});

describe("the line of the sale", () => {
  test("says what is missing, then what is sold, for how much, and what it leaves", () => {
    show();
    expect(line()).toBe("Enter a number, choose a bundle.");
    type("Number", "0541234567");
    expect(line()).toBe("054 123 4567: choose a bundle.");
    choose("MTN 1GB");
    expect(line()).toBe("1GB to 054 123 4567GH₵ 3.90Leaves GH₵ 6.10");
    type("Quantity", "2");
    expect(line()).toBe("2 × 1GB to 054 123 4567GH₵ 7.80Leaves GH₵ 2.20");
  });

  test("warns of too little money, and leads over a top-up of what is missing back to the sale", () => {
    show();
    type("Number", "0541234567");
    choose("MTN 1GB");
    type("Quantity", "3");
    expect(line()).toBe("3 × 1GB to 054 123 4567GH₵ 11.70Top up GH₵ 1.70");
    const query = new URL(screen.getByRole<HTMLAnchorElement>("link", { name: /^Top up/ }).href).searchParams;
    expect(query.get("amount")).toBe("1.70");
    expect(query.get("back")).toBe("/buy?msisdn=0541234567&product=1%40390&quantity=3");
  });

  test.each(["0", "101", "", "1.5", "-1", "two"])("names no price for the quantity %p", (quantity) => {
    show();
    choose("MTN 1GB");
    type("Quantity", quantity);
    expect(line()).toBe("Quantity must be 1 to 100.");
  });
});

describe("a sale that was typed in a lost tab", () => {
  afterEach(() => sessionStorage.clear());
  const typeSale = () => {
    show();
    type("Number", "0541234567");
    choose("MTN 2GB");
    type("Quantity", "3");
    leave();
  };

  test("is offered, and filled in only when it is wanted", () => {
    typeSale();
    const form = show();
    screen.getByText("Not sold yet: 3 × 2GB to 054 123 4567");
    expect([number().value, ...chosen(form)]).toEqual(["", "MTN"]);
    fireEvent.click(screen.getByRole("button", { name: "Continue" }));
    expect(line()).toStartWith("3 × 2GB to 054 123 4567");
    expect(screen.queryByText(/^Not sold yet/)).toBeNull();
  });

  test("is not offered over another sale, nor once it was sent", () => {
    typeSale();
    show({ msisdn: "0241111111" });
    expect(screen.queryByText(/^Not sold yet/)).toBeNull();
    leave();
    const sent = show({ msisdn: "0541234567" });
    fireEvent.submit(sent);
    leave();
    show();
    expect(screen.queryByText(/^Not sold yet/)).toBeNull();
  });

  test("is kept while another one or nothing at all is sent", () => {
    typeSale();
    const other = show({ msisdn: "0241111111" });
    const stopped = new Event("submit", { bubbles: true, cancelable: true });
    stopped.preventDefault();
    fireEvent.submit(other);
    number().value = "0541234567";
    other.dispatchEvent(stopped);
    leave();
    show();
    screen.getByText("Not sold yet: 3 × 2GB to 054 123 4567");
  });
});

test("the island never blocks the form", () => {
  const form = show();
  type("Number", "0201234567");
  choose("MTN");
  expect(form.checkValidity()).toBe(true);
  expect(form.dispatchEvent(new Event("submit", { cancelable: true }))).toBe(true);
});
