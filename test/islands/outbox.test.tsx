// Tests of the outbox: a purchase that could not be sent is kept for its owner and an hour, and offered under its key.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { act, fireEvent, render, screen } from "./dom.tsx";

const { AppShell } = await import("../../islands/app-shell.tsx");
const outbox = await import("../../islands/parts/outbox.ts");
const { KeepTyped } = await import("../../islands/keep-typed.tsx");

let isOnline = true;
beforeEach(() => {
  isOnline = true;
  Object.defineProperty(navigator, "onLine", { configurable: true, get: () => isOnline });
});
afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  Reflect.deleteProperty(navigator, "onLine");
});

const shell = <AppShell userId={7} session="a" pushKey={null} />;
const sale = (
  <form method="post" action="/mtn-data" data-outbox="" aria-label="Sale">
    <input type="hidden" name="key" value="first-key" />
    <select name="productId" aria-label="Package" defaultValue="1@390">
      <option value="1@390" data-size="1GB">
        1GB – GH₵ 3.90
      </option>
    </select>
    <input name="msisdn" aria-label="Number" defaultValue="0245550012" />
    <input name="quantity" aria-label="Quantity" defaultValue="2" />
    <button type="submit" name="pay" value="wallet">
      Pay
    </button>
    <button type="submit" name="pay" value="momo">
      MoMo
    </button>
  </form>
);
/** Submits a form by this button; returns whether the browser would send it. */
const press = (name: string) => {
  const submitter = screen.getByRole("button", { name }) as HTMLButtonElement;
  const event = new SubmitEvent("submit", { cancelable: true, bubbles: true, submitter });
  act(() => void submitter.form!.dispatchEvent(event));
  return !event.defaultPrevented;
};
const connect = (now: boolean) => {
  isOnline = now;
  act(() => void window.dispatchEvent(new Event(now ? "online" : "offline")));
};
const status = () => document.querySelector(".outbox")!;

describe("a purchase without a connection", () => {
  test("is not sent, and is asked about with its first key once there is one", () => {
    render([<div key="sale">{sale}</div>, <div key="shell">{shell}</div>]);
    connect(false);
    expect(press("Pay")).toBe(false);
    expect(status().textContent).toContain("Not sent yet, no connection: 2 × 1GB to 024 555 0012 for GH₵ 7.80.");
    connect(true);
    expect(status().textContent).toContain("Not sent yet: 2 × 1GB to 024 555 0012 for GH₵ 7.80.");
    const form = status().querySelector("form")!;
    expect(Object.fromEntries(new FormData(form))).toEqual({
      ...{ key: "first-key", productId: "1@390", msisdn: "0245550012", quantity: "2", pay: "wallet" },
    });
    expect(press("Send now")).toBe(true);
    expect(outbox.readAll(7)).toEqual([]);
  });

  test("is kept for an hour, and for its owner", () => {
    const kept = { path: "/mtn-data", fields: [], label: "1GB", isSure: true };
    outbox.keep(7, { ...kept, at: Date.now() - 59 * 60_000 });
    expect(outbox.readAll(7)).toHaveLength(1);
    outbox.keep(7, { ...kept, at: Date.now() - 61 * 60_000 });
    expect(outbox.readAll(7)).toEqual([]);
    outbox.keep(8, { ...kept, at: Date.now() });
    sessionStorage.setItem("typed of 8 support", "{}");
    render(shell);
    expect(outbox.readAll(8)).toEqual([]);
    expect(sessionStorage.getItem("typed of 8 support")).toBeNull();
  });

  test("does not replace another that waits: they are asked about one by one", () => {
    const waiting = (key: string, label: string, isSure = true) => ({
      ...{ path: "/mtn-data", fields: [["key", key] as [string, string]], label, isSure, at: Date.now() },
    });
    outbox.keep(7, waiting("a", "1GB to 024 555 0012"));
    outbox.keep(7, waiting("b", "2GB to 024 555 0013"));
    // A second attempt that failed as well keeps its place.
    outbox.keep(7, waiting("a", "1GB to 024 555 0012", false));
    expect(outbox.readAll(7).map(({ fields, isSure }) => [fields[0]![1], isSure])).toEqual([
      ["a", false],
      ["b", true],
    ]);
    render(shell);
    expect(status().textContent).toContain("Perhaps sent already: 1GB to 024 555 0012. Sending it again is safe.");
    expect(status().textContent).toContain("1 more behind it.");
    fireEvent.click(screen.getByRole("button", { name: "Discard" }));
    expect(status().textContent).toContain("Not sent yet: 2GB to 024 555 0013.");
  });

  test("is one of fifty at most, and gone after a logout", () => {
    const waiting = (n: number) => ({
      ...{ path: "/mtn-data", fields: [["key", `key ${n}`] as [string, string]], label: `${n}GB` },
      ...{ isSure: true, at: Date.now() },
    });
    for (let n = 1; n <= 60; n++) outbox.keep(7, waiting(n));
    expect(outbox.readAll(7).map(({ label }) => label)).toEqual(Array.from({ length: 50 }, (_, i) => `${i + 11}GB`));
    render([
      <form key="out" method="post" action="/logout">
        <button type="submit">Log out</button>
      </form>,
      <div key="shell">{shell}</div>,
    ]);
    press("Log out");
    expect(outbox.readAll(7)).toEqual([]);
  });

  test("is not kept when it is incomplete, or is not paid from the wallet", () => {
    render([<div key="sale">{sale}</div>, <div key="shell">{shell}</div>]);
    connect(false);
    press("MoMo");
    expect(outbox.readAll(7)).toEqual([]);
    expect(status().textContent).toStartWith("Network error. Please check your connection and try again.");
    fireEvent.input(screen.getByLabelText("Number"), { target: { value: "12" } });
    press("Pay");
    expect(outbox.readAll(7)).toEqual([]);
  });
});

describe("what is typed", () => {
  const form = (
    <form method="post" action="/support" aria-label="Support">
      <input type="hidden" name="key" value="k" />
      <input type="password" name="password" aria-label="Password" />
      <input name="people.0.ghCardId" aria-label="Card" />
      <textarea name="message" aria-label="Message" />
      <KeepTyped userId={7} name="support" />
    </form>
  );
  const message = () => screen.getByLabelText("Message") as HTMLTextAreaElement;

  test("is offered when the page comes back without it, without secrets", () => {
    const { unmount } = render(form);
    fireEvent.input(screen.getByLabelText("Password"), { target: { value: "my secret" } });
    fireEvent.input(screen.getByLabelText("Card"), { target: { value: "GHA-123456789-1" } });
    fireEvent.input(message(), { target: { value: "It has not come" } });
    unmount();
    expect(JSON.stringify(sessionStorage)).not.toMatch(/my secret|GHA-|"k"/);
    render(form);
    expect(message().value).toBe("");
    fireEvent.click(screen.getByRole("button", { name: "Use it" }));
    expect(message().value).toBe("It has not come");
  });

  test("is forgotten when it was thrown away or sent, and not when it could not be sent", async () => {
    const { unmount } = render(form);
    fireEvent.input(message(), { target: { value: "It has not come" } });
    const own = screen.getByRole("form", { name: "Support" });
    const send = async (isHeld: boolean) => {
      const event = new SubmitEvent("submit", { cancelable: true, bubbles: true });
      if (isHeld) event.preventDefault();
      own.dispatchEvent(event);
      await new Promise((resolve) => setTimeout(resolve));
    };
    await send(true);
    expect(sessionStorage.length).toBe(1);
    await send(false);
    expect(sessionStorage.length).toBe(0);
    act(() => void own.dispatchEvent(new Event("unsent")));
    unmount();
    render(form);
    fireEvent.click(screen.getByRole("button", { name: "Throw it away" }));
    expect(sessionStorage.length).toBe(0);
  });
});
