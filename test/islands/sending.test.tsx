// Tests of forms that move money: sent once, with progress; of cancelling an order in time; and of lists that update
// themselves.
import { afterEach, describe, expect, jest, test } from "bun:test";
import { act, fireEvent, render, renderInForm, screen, type, waitFor } from "./dom.tsx";

const { CancelButton } = await import("../../islands/cancel-button.tsx");
const { OrdersWatch } = await import("../../islands/orders-watch.tsx");
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
      expect(screen.getByRole("alert").textContent).toStartWith(
        "Network error. Please check your connection",
      );
    } finally {
      Reflect.deleteProperty(navigator, "onLine");
      expect(online === undefined || navigator.onLine).toBeTruthy();
    }
  });

  test("is disabled until there is an amount, where one is needed", () => {
    renderInForm(buttons, <SendOnce needs="amount" />);
    expect(button("Pay with Wallet").disabled).toBe(true);
    type("Amount", "0");
    expect(button("Pay with Wallet").disabled).toBe(true);
    type("Amount", "20");
    expect(button("Pay with Wallet").disabled).toBe(false);
  });
});

test("the cancel button counts down and disappears at the end", () => {
  jest.useFakeTimers();
  renderInForm(null, <CancelButton seconds={3} />);
  expect(screen.getByRole("button").textContent).toBe("Cancel (3 s)");
  act(() => void jest.advanceTimersByTime(2_000));
  expect(screen.getByRole("button").textContent).toBe("Cancel (1 s)");
  act(() => void jest.advanceTimersByTime(1_100));
  expect(screen.queryByRole("button")).toBeNull();
});

test("a list updates the marks of changed orders, and leaves the others and typed text alone", async () => {
  const before = globalThis.fetch;
  const requested = Promise.withResolvers<string>();
  globalThis.fetch = (async (path: string) => {
    requested.resolve(path);
    return Response.json([
      { id: 3, status: "PENDING" },
      { id: 2, status: "DELIVERED" },
      { id: 1, status: "COMPLETED" },
    ]);
  }) as typeof fetch;
  jest.useFakeTimers();
  try {
    const { container } = render(
      <>
        <input aria-label="Search" defaultValue="024" />
        <span data-order="2">
          <span className="chip info">PROCESSING</span>
        </span>
        <span data-order="1">
          <span className="chip bad">FAILED</span>
        </span>
        <OrdersWatch statuses={{ 2: "PROCESSING" }} />
      </>,
    );
    fireEvent.input(screen.getByLabelText("Search"), { target: { value: "0249" } });
    act(() => void jest.advanceTimersByTime(4_000));
    jest.useRealTimers();
    expect(await requested.promise).toBe("/api/v1/orders?limit=50");
    const markOf = (id: number) => container.querySelector(`[data-order="${id}"] .chip`)!;
    await waitFor(() => expect(markOf(2).textContent).toBe("DELIVERED"));
    expect(markOf(2).className).toBe("chip good");
    expect(markOf(1).textContent).toBe("FAILED");
    expect((screen.getByLabelText("Search") as HTMLInputElement).value).toBe("0249");
  } finally {
    globalThis.fetch = before;
  }
});
