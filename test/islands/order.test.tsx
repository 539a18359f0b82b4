// Tests of what lives on an order's page: the button that cancels, the copied number, and the parts that follow the
// order.
import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { act, fireEvent, render, renderInForm, screen, waitFor } from "./dom.tsx";

const { CancelButton } = await import("../../islands/cancel-button.tsx");
const { CopyText } = await import("../../islands/copy-text.tsx");
const { replaceParts } = await import("../../islands/parts/live.ts");
const { orderWatch } = await import("../../islands/plain/order-watch.ts");

afterEach(() => {
  jest.useRealTimers();
  document.body.replaceChildren();
});
const text = () => document.body.textContent;
const submit = (form: HTMLFormElement) => {
  const event = new SubmitEvent("submit", { cancelable: true, bubbles: true });
  act(() => void form.dispatchEvent(event));
  return !event.defaultPrevented;
};

describe("cancelling on an order's page", () => {
  test("counts down, and then keeps the button's place without being one", () => {
    jest.useFakeTimers();
    renderInForm(null, <CancelButton seconds={3} isTile />);
    expect(screen.getByRole("button").textContent).toBe("Cancel (3\u00a0s)");
    act(() => void jest.advanceTimersByTime(2_000));
    expect(screen.getByRole("button").textContent).toBe("Cancel (1\u00a0s)");
    act(() => void jest.advanceTimersByTime(1_100));
    expect(screen.queryByRole("button")).toBeNull();
    expect(text()).toBe("Being sent");
  });

  test("has no end where none is known", () => {
    jest.useFakeTimers();
    renderInForm(null, <CancelButton seconds={null} isTile />);
    act(() => void jest.advanceTimersByTime(60_000));
    expect(screen.getByRole("button").textContent).toBe("Cancel");
  });

  test("is sent once, says so, and stays in place while it is sent", () => {
    jest.useFakeTimers();
    const form = renderInForm(null, <CancelButton seconds={2} isTile />);
    expect(submit(form)).toBe(true);
    expect([screen.getByRole("button").textContent, submit(form)]).toEqual(["Cancelling…", false]);
    act(() => void jest.advanceTimersByTime(3_000));
    expect(screen.getByRole("button").textContent).toBe("Cancelling…");
  });

  test("is not sent without a network, and can be tried again", () => {
    Object.defineProperty(navigator, "onLine", { configurable: true, value: false });
    try {
      const form = renderInForm(null, <CancelButton seconds={30} isTile />);
      expect(submit(form)).toBe(false);
      expect(screen.getByRole("button").textContent).toBe("No network: try again (30\u00a0s)");
      Reflect.deleteProperty(navigator, "onLine");
      expect(submit(form)).toBe(true);
    } finally {
      Reflect.deleteProperty(navigator, "onLine");
    }
  });
});

describe("the number", () => {
  const copied = (write: (text: string) => Promise<void>) =>
    Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: write } });

  test("is copied in the form that others can paste, and the button says so for a moment", async () => {
    const texts: string[] = [];
    copied(async (written) => void texts.push(written));
    render(<CopyText text="0245550012" label="number" shown="024 555 0012" />);
    await act(async () => void fireEvent.click(screen.getByRole("button", { name: "Copy number" })));
    expect([texts, screen.getByRole("status").textContent]).toEqual([["0245550012"], "Copied: 024 555 0012"]);
  });

  test("is there to be selected where it cannot be copied", async () => {
    copied(() => Promise.reject(new Error("not allowed")));
    render(<CopyText text="0245550012" label="number" shown="024 555 0012" />);
    await act(async () => void fireEvent.click(screen.getByRole("button", { name: "Copy number" })));
    expect([screen.queryByRole("button"), text()]).toEqual([null, "024 555 0012"]);
  });
});

const pageOf = (title: string, body: string) =>
  new DOMParser().parseFromString(`<title>${title}</title><body>${body}</body>`, "text/html");

describe("the parts that follow an order", () => {
  test("are replaced with their look, and the page's title; everything else stays as it is", () => {
    document.body.innerHTML = `<div data-live="a" class="info">old</div><p id="other">old</p>`;
    replaceParts(pageOf("Delivered", `<div data-live="a" class="good"><b>new</b></div><p id="other">new</p>`));
    expect(document.title).toBe("Delivered");
    const part = document.querySelector("[data-live]")!;
    expect([part.className, part.innerHTML]).toEqual(["good", "<b>new</b>"]);
    expect(document.getElementById("other")!.textContent).toBe("old");
  });

  test("keep their elements where nothing has changed, and where somebody is working", () => {
    document.body.innerHTML = `<div data-live="a"><i>same</i></div><div data-live="b"><input><u>old</u></div>`;
    const kept = document.querySelector("i");
    document.querySelector("input")!.focus();
    replaceParts(pageOf("", `<div data-live="a"><i>same</i></div><div data-live="b"><input><u>new</u></div>`));
    expect(document.querySelector("i")).toBe(kept);
    expect(document.querySelector("u")!.textContent).toBe("old");
  });

  test("are replaced while they have the focus themselves, and keep it", () => {
    document.body.innerHTML = `<div data-live="a" tabindex="-1">On its way</div>`;
    const headline = document.querySelector<HTMLElement>("[data-live]")!;
    headline.focus();
    expect(document.activeElement).toBe(headline);
    replaceParts(pageOf("", `<div data-live="a" tabindex="-1">Delivered</div>`));
    expect([headline.textContent, document.activeElement]).toEqual(["Delivered", headline]);
  });
});

describe("watching an order", () => {
  const before = { fetch: globalThis.fetch, XMLHttpRequest: globalThis.XMLHttpRequest };
  let mark = { mark: "PENDING", isOver: false };
  let pages = 0;
  let marks = 0;

  beforeEach(() => {
    [pages, marks] = [0, 0];
    mark = { mark: "PENDING", isOver: false };
    globalThis.fetch = (async () => {
      marks += 1;
      return Response.json(mark);
    }) as unknown as typeof fetch;
    globalThis.XMLHttpRequest = class {
      status = 200;
      responseURL = "http://localhost/orders/1";
      responseXML = pageOf(mark.mark, `<p data-live="state">${mark.mark}</p>`);
      onload = () => {};
      open() {}
      send() {
        pages += 1;
        this.onload();
      }
    } as unknown as typeof XMLHttpRequest;
    document.body.innerHTML = `<p data-live="state">PENDING</p><is-land><a href="/orders/1">Refresh</a></is-land>`;
  });
  afterEach(() => {
    Object.assign(globalThis, before);
  });
  const watch = () => orderWatch(document.querySelector("is-land")!, { path: "/orders/1", mark: "PENDING" });
  const state = () => document.querySelector("[data-live]")!.textContent;

  test("fetches the page only when its mark has changed, and ends with the order", async () => {
    jest.useFakeTimers();
    watch();
    expect(text()).toBe("PENDINGUpdates by itself");
    jest.advanceTimersByTime(4_000);
    jest.useRealTimers();
    await waitFor(() => expect(marks).toBe(1));
    expect(pages).toBe(0);
    mark = { mark: "DELIVERED", isOver: true };
    document.dispatchEvent(new Event("visibilitychange"));
    await waitFor(() => expect(state()).toBe("DELIVERED"));
    expect([pages, document.title]).toEqual([1, "DELIVERED"]);
    await waitFor(() => expect(document.querySelector("is-land")!.textContent).toBe(""));
    document.dispatchEvent(new Event("visibilitychange"));
    expect(marks).toBe(2);
  });

  test("asks again as soon as somebody returns to the page", async () => {
    watch();
    mark = { mark: "PROCESSING", isOver: false };
    document.dispatchEvent(new Event("visibilitychange"));
    await waitFor(() => expect(state()).toBe("PROCESSING"));
    expect(document.querySelector("is-land")!.textContent).toBe("Updates by itself");
  });
});
