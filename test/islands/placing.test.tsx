// Tests of placing a bulk order from a page with scripts: progress, once only, refusals and lost connections.
import { afterEach, expect, test } from "bun:test";
import { act, fireEvent, renderInForm, screen } from "./dom.tsx";

const { PlaceProgress } = await import("../../islands/place-progress.tsx");

/** The browser's XMLHttpRequest, as far as the island uses it. */
class Sent {
  static all: Sent[] = [];
  upload: { onprogress?: (event: { loaded: number; total: number }) => void; onload?: () => void } = {};
  headers: string[] = [];
  status = 0;
  responseText = "";
  onload = () => {};
  onerror = () => {};
  constructor() {
    Sent.all.push(this);
  }
  open() {}
  send() {}
  setRequestHeader(name: string, value: string) {
    this.headers.push(`${name}: ${value}`);
  }
  answer(status: number, responseText: string) {
    Object.assign(this, { status, responseText });
    act(() => this.onload());
  }
}
const before = globalThis.XMLHttpRequest;
globalThis.XMLHttpRequest = Sent as unknown as typeof XMLHttpRequest;
afterEach(() => {
  Sent.all = [];
});
process.on("exit", () => {
  globalThis.XMLHttpRequest = before;
});

const press = () => {
  const form = renderInForm(<input type="hidden" name="key" value="k" />, <PlaceProgress lineCount={10_000} />);
  const plainly: string[] = [];
  form.submit = () => void plainly.push("sent by the browser");
  const isLeft = fireEvent.submit(form);
  return { form, plainly, isLeft, sent: Sent.all[0]! };
};
const bar = () => screen.getByRole("progressbar") as HTMLProgressElement;

test("the bar shows the upload's progress, and then that the orders are being placed", () => {
  const { sent, isLeft } = press();
  expect([isLeft, sent.headers]).toEqual([false, ["accept: application/json"]]);
  act(() => sent.upload.onprogress!({ loaded: 45, total: 100 }));
  expect([screen.getByText("Sending 45 %").tagName, bar().value]).toEqual(["LABEL", 0.45]);
  act(() => sent.upload.onload!());
  expect(screen.getByText("Placing 10,000 orders …")).toBeTruthy();
  expect(bar().hasAttribute("value")).toBe(false);
});

test("a second press sends nothing", () => {
  const { form } = press();
  expect(fireEvent.submit(form)).toBe(false);
  expect(Sent.all.length).toBe(1);
});

test("when they are placed, the browser opens the result, and the button stays disabled", () => {
  const { form, sent, plainly } = press();
  sent.answer(200, JSON.stringify({ to: "#result" }));
  expect([location.hash, plainly]).toEqual(["#result", []]);
  fireEvent.submit(form);
  expect(Sent.all.length).toBe(1);
});

test("a refusal is shown by the browser, which sends the same form again with the same key", () => {
  for (const [status, answer] of [
    [422, "<!doctype html>"],
    [200, "<!doctype html>"],
    [503, "{}"],
  ] as const) {
    const { sent, plainly } = press();
    sent.answer(status, answer);
    expect(plainly).toEqual(["sent by the browser"]);
    Sent.all = [];
    document.body.replaceChildren();
  }
});

test("a broken connection is reported, and the button can be pressed again", () => {
  const { form, sent } = press();
  act(() => sent.onerror());
  expect(screen.getByRole("status").textContent).toContain("your orders are placed only once");
  fireEvent.submit(form);
  expect(Sent.all.length).toBe(2);
});

test("the form's other buttons are sent by the browser, once", () => {
  const button = <button type="submit" name="action" value="check" data-sending="Checking…" />;
  const form = renderInForm(button, <PlaceProgress lineCount={2} />);
  const submit = () => {
    const event = new SubmitEvent("submit", { cancelable: true, submitter: form.querySelector("button") });
    form.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect([submit(), submit(), Sent.all.length]).toEqual([false, true, 0]);
  expect(form.querySelector("button")!.textContent).toBe("Checking…");
});
