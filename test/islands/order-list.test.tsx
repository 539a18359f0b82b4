// Tests of an agent's list of orders in the browser: states that change in place, new orders that are offered, and
// pauses.
import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { act, fireEvent, render, screen } from "./dom.tsx";

const { OrdersWatch } = await import("../../islands/orders-watch.tsx");

const fetched = globalThis.fetch;
let requests: string[];
let answer: () => Response | Promise<Response>;
beforeEach(() => {
  requests = [];
  jest.useFakeTimers();
  globalThis.fetch = (async (path: string) => {
    requests.push(path);
    return answer();
  }) as typeof fetch;
});
afterEach(() => {
  jest.useRealTimers();
  globalThis.fetch = fetched;
});

/** Lets time pass, and what it starts be answered. */
const pass = async (seconds: number) => {
  await act(async () => {
    jest.advanceTimersByTime(seconds * 1000);
    for (let i = 0; i < 20; i++) await Promise.resolve();
  });
};
const setOnline = (isOnline: boolean) => {
  Object.defineProperty(navigator, "onLine", { configurable: true, value: isOnline });
  act(() => void window.dispatchEvent(new Event(isOnline ? "online" : "offline")));
};
const twoMinutesAgo = new Date(Date.now() - 125_000).toISOString();
const List = ({ newestId = 3 as number | null, isOpenOnly = true }) => (
  <>
    <input aria-label="Search" type="search" defaultValue="024" />
    <div className="row-list">
      <time dateTime={twoMinutesAgo}>1 min ago</time>
      <time dateTime={twoMinutesAgo}>08:44</time>
    </div>
    <span data-order="2">
      <span className="chip info">PROCESSING</span>
    </span>
    <span data-order="1">
      <span className="chip bad">FAILED</span>
    </span>
    <OrdersWatch states={{ 2: "PROCESSING" }} newestId={newestId} isOpenOnly={isOpenOnly} path="/orders?tab=mine" />
  </>
);
const changes = (states: Record<number, string>, newCount = 0) => Response.json({ states, newCount });

describe("in the browser,", () => {
  test("a list updates the marks of changed orders, and leaves the others and typed text alone", async () => {
    answer = () => changes({ 2: "DELIVERED" });
    const { container } = render(<List />);
    fireEvent.input(screen.getByLabelText("Search"), { target: { value: "0249" } });
    await pass(4);
    expect(requests).toEqual(["/orders/changes?ids=2&after=3&open=1"]);
    const chipOf = (id: number) => container.querySelector(`[data-order="${id}"] .chip`)!;
    expect([chipOf(2).textContent, chipOf(2).className]).toEqual(["DELIVERED", "chip good"]);
    expect(chipOf(1).textContent).toBe("FAILED");
    expect((screen.getByLabelText("Search") as HTMLInputElement).value).toBe("0249");
    const times = [...container.querySelectorAll("time")].map((time) => time.textContent);
    expect(times).toEqual(["2 min ago", "08:44"]);
    expect(screen.getByRole("status").textContent).toBe("");
  });

  test("a list offers new orders with a link instead of moving its rows", async () => {
    answer = () => changes({}, 2);
    render(<List />);
    await pass(4);
    const link = screen.getByRole("link");
    expect([link.textContent, link.getAttribute("href")]).toEqual(["2 new orders · Show", "/orders?tab=mine"]);
  });

  test("a list asks for nothing new where new orders do not belong, and stops once all orders are final", async () => {
    answer = () => changes({ 2: "COMPLETED" });
    render(<List newestId={null} isOpenOnly={false} />);
    await pass(4);
    await pass(600);
    expect(requests).toEqual(["/orders/changes?ids=2"]);
  });

  test("a list asks less and less often, and not at all while its page is hidden", async () => {
    answer = () => changes({});
    render(<List />);
    for (let i = 0; i < 60; i++) await pass(5);
    const inFiveMinutes = requests.length;
    expect([inFiveMinutes > 5, inFiveMinutes < 15]).toEqual([true, true]);
    Object.defineProperty(document, "hidden", { configurable: true, value: true });
    try {
      act(() => void document.dispatchEvent(new Event("visibilitychange")));
      await pass(600);
      expect(requests).toHaveLength(inFiveMinutes);
    } finally {
      Reflect.deleteProperty(document, "hidden");
    }
  });

  test("a list pauses after three failures or without a connection, and says so quietly", async () => {
    answer = () => new Response("", { status: 503 });
    render(<List />);
    for (let i = 0; i < 40; i++) await pass(5);
    expect(requests).toHaveLength(3);
    expect(screen.getByRole("link").textContent).toBe("Updates paused · Refresh");
    answer = () => changes({});
    try {
      setOnline(true);
      expect(screen.queryByRole("link")).toBeNull();
      setOnline(false);
      await pass(60);
      expect(requests).toHaveLength(3);
      expect(screen.getByRole("link").textContent).toBe("Updates paused · Refresh");
      setOnline(true);
      await pass(5);
      expect(requests).toHaveLength(4);
    } finally {
      Reflect.deleteProperty(navigator, "onLine");
    }
  });
});
