// Tests of forms that move money: sent once, with progress; and of cancelling an order in time.
import { afterEach, describe, expect, jest, test } from "bun:test";
import { act, fireEvent, renderInForm, screen, type } from "./dom.tsx";

const { CancelButton } = await import("../../islands/cancel-button.tsx");
const { SendOnce } = await import("../../islands/send-once.tsx");

afterEach(() => jest.useRealTimers());

describe("a form that is sent once", () => {
  const buttons = (
    <>
      <input aria-label="Amount" name="amount" />
      <button type="submit" name="pay" value="wallet" data-sending="Paying…">
        Pay with Wallet
      </button>
      <button type="submit" name="pay" value="momo">
        Pay with MoMo
      </button>
    </>
  );
  const button = (name: string) => screen.getByRole("button", { name }) as HTMLButtonElement;
  const submit = (form: HTMLFormElement, by: string) => {
    const event = new SubmitEvent("submit", { cancelable: true, bubbles: true, submitter: button(by) });
    act(() => void form.dispatchEvent(event));
    return !event.defaultPrevented;
  };

  test("shows on the pressed button that it is being sent, and blocks every button", () => {
    const form = renderInForm(buttons, <SendOnce />);
    expect(submit(form, "Pay with Wallet")).toBe(true);
    expect(button("Paying…").getAttribute("aria-disabled")).toBe("true");
    // A disabled button would omit its own name and value from the request.
    expect(button("Paying…").disabled).toBe(false);
    expect(submit(form, "Paying…")).toBe(false);
    expect(submit(form, "Pay with MoMo")).toBe(false);
  });

  test("says so on every button, and can be sent again when a script could not send it", () => {
    const form = renderInForm(buttons, <SendOnce />);
    submit(form, "Pay with MoMo");
    expect(button("One moment…").getAttribute("aria-disabled")).toBe("true");
    act(() => void form.dispatchEvent(new Event("unsent")));
    expect(submit(form, "Pay with MoMo")).toBe(true);
  });

  test("of two in one form only the first acts, so that the button gets its label back", () => {
    const form = renderInForm(
      buttons,
      <>
        <SendOnce />
        <SendOnce />
      </>,
    );
    expect(submit(form, "Pay with Wallet")).toBe(true);
    act(() => void window.dispatchEvent(new Event("pageshow")));
    expect(button("Pay with Wallet").hasAttribute("aria-disabled")).toBe(false);
  });

  test("can be sent again after going back, and after a missing answer", () => {
    jest.useFakeTimers();
    const form = renderInForm(buttons, <SendOnce />);
    submit(form, "Pay with Wallet");
    act(() => void window.dispatchEvent(new Event("pageshow")));
    expect(submit(form, "Pay with Wallet")).toBe(true);
    act(() => void jest.advanceTimersByTime(16_000));
    expect(submit(form, "Pay with Wallet")).toBe(true);
  });

  test("is not sent without a connection, and says so", () => {
    const online = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(navigator), "onLine");
    Object.defineProperty(navigator, "onLine", { configurable: true, value: false });
    try {
      const form = renderInForm(buttons, <SendOnce />);
      expect(submit(form, "Pay with Wallet")).toBe(false);
      expect(screen.getByRole("alert").textContent).toStartWith("Network error. Please check your connection");
    } finally {
      Reflect.deleteProperty(navigator, "onLine");
      expect(online === undefined || navigator.onLine).toBeTruthy();
    }
  });

  test("is disabled until there is an amount, where one is needed", () => {
    const preset = <input type="radio" name="preset" value="20.00" aria-label="GH₵ 20" />;
    renderInForm(
      <>
        {buttons}
        {preset}
      </>,
      <SendOnce needs={["amount", "preset"]} />,
    );
    expect(button("Pay with Wallet").disabled).toBe(true);
    type("Amount", "0");
    expect(button("Pay with Wallet").disabled).toBe(true);
    type("Amount", "20");
    expect(button("Pay with Wallet").disabled).toBe(false);
    type("Amount", "");
    expect(button("Pay with Wallet").disabled).toBe(true);
    fireEvent.click(screen.getByLabelText("GH₵ 20"));
    expect(button("Pay with Wallet").disabled).toBe(false);
  });
});

test("the cancel button counts down and disappears at the end", () => {
  jest.useFakeTimers();
  renderInForm(null, <CancelButton seconds={3} />);
  expect(screen.getByRole("button").textContent).toBe("Cancel (3\u00a0s)");
  act(() => void jest.advanceTimersByTime(2_000));
  expect(screen.getByRole("button").textContent).toBe("Cancel (1\u00a0s)");
  act(() => void jest.advanceTimersByTime(1_100));
  expect(screen.queryByRole("button")).toBeNull();
});
