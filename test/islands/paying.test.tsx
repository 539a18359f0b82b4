// Tests of the islands for topping up: the network of a number as it is typed, and texts to copy.
import { afterEach, expect, test } from "bun:test";
import { fireEvent, renderInForm, screen, type, waitFor } from "./dom.tsx";

const { CopyText } = await import("../../islands/copy-text.tsx");
const { PayerNetwork } = await import("../../islands/payer-network.tsx");

const fields = (
  <>
    <input name="phone" aria-label="Number" defaultValue="0541234567" />
    <select name="network" aria-label="Network">
      <option value="">From the number</option>
      <option value="mtn">MTN MoMo</option>
    </select>
  </>
);
const hint = () => screen.getByRole("status").textContent;

test("the network is shown as the number is typed, except for the number that the page has filled in", () => {
  renderInForm(fields, <PayerNetwork own="0541234567" />);
  expect(hint()).toBe("");
  for (const [typed, text] of [
    ["020123", ""],
    ["0201234567", "020 123 4567: Telecel Cash"],
    ["+233 27 123 4567", "027 123 4567: AirtelTigo Money"],
    ["0281234567", "Choose its network below."],
    ["0123456789", "That is not a Ghanaian number. It should look like 0541234567."],
  ] as const) {
    type("Number", typed);
    expect([typed, hint()]).toEqual([typed, text]);
  }
});

test("a chosen network that is not the number's is pointed out", () => {
  renderInForm(fields, <PayerNetwork own="" />);
  fireEvent.change(screen.getByLabelText("Network"), { target: { value: "mtn" } });
  expect(hint()).toBe("054 123 4567: MTN MoMo");
  type("Number", "0201234567");
  expect(hint()).toBe("This looks like Telecel Cash; the prompt goes to MTN MoMo.");
});

const clipboard = Object.getOwnPropertyDescriptor(navigator, "clipboard");
const provide = (value: unknown) => Object.defineProperty(navigator, "clipboard", { value, configurable: true });
afterEach(() => {
  if (clipboard) Object.defineProperty(navigator, "clipboard", clipboard);
  else Reflect.deleteProperty(navigator, "clipboard");
});

test("a text is copied, and the button says so", async () => {
  const copied: string[] = [];
  provide({ writeText: async (text: string) => void copied.push(text) });
  renderInForm(null, <CopyText text="0240000000" label="the payment number" />);
  fireEvent.click(screen.getByRole("button", { name: "Copy the payment number" }));
  await waitFor(() => expect(screen.getByRole("status").textContent).toBe("Copied: 0240000000"));
  expect(copied).toEqual(["0240000000"]);
});

test("there is no button where copying is refused", async () => {
  provide({ writeText: () => Promise.reject(new Error("not allowed")) });
  const form = renderInForm(null, <CopyText text="1" label="it" />);
  fireEvent.click(form.querySelector("button")!);
  // An expectation that fails meanwhile would print the whole document.
  await waitFor(() => expect(form.querySelectorAll("button").length).toBe(0));
});
