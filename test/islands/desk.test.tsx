// Tests of the admins' enhanced controls, which replace plain ones that still do the work.
import { expect, mock, test } from "bun:test";
import type { ReactNode } from "react";
import { act, fireEvent, render, screen, waitFor } from "./dom.tsx";

const { replacePlainControls } = await import("../../islands/admin/desk.ts");
const { Controls } = await import("../../islands/admin/parts/controls.tsx");
const { findPlaces: placesIn } = await import("../../islands/admin/parts/places.ts");

type Load = Parameters<typeof replacePlainControls>[1];
/** As the island's own, and unmounted after the test. */
const controls: Awaited<ReturnType<Load>> = {
  takeOver: (root, places, pressed) => {
    render(<Controls places={places} pressed={pressed} />, { container: root as HTMLElement });
  },
};

/** Renders what a page has, and starts the island below it; `load` is how it gets its controls. */
function renderDesk(page: ReactNode, load: Load = async () => controls): HTMLElement {
  const { container } = render(
    <main>
      {page}
      <div data-testid="root" />
    </main>,
  );
  replacePlainControls(screen.getByTestId("root"), load);
  return container;
}

const row = (
  <form data-desk="row" data-name="order 12">
    <button type="submit" name="to" value="PROCESSING">
      Process<span className="sr"> order 12</span>
    </button>
    <button type="submit" name="to" value="COMPLETED">
      Complete<span className="sr"> order 12</span>
    </button>
    <details className="sure">
      <summary className="danger">Fail …</summary>
      <button type="submit" name="to" value="FAILED">
        Fail and refund it back
      </button>
    </details>
  </form>
);
/** Presses a button that is a stand-in until then, and what takes its place opens. */
function press(button: HTMLElement): void {
  fireEvent.pointerDown(button);
  fireEvent.pointerUp(button);
  fireEvent.click(button);
}
const buttonOf = (name: string) => screen.getByRole("button", { name: `More for ${name}` });
const menuOf = async (name: string) => {
  press(buttonOf(name));
  return waitFor(() => screen.getAllByRole("menuitem"));
};

test("of a row's controls the most likely one stays, and the others are in the menu", async () => {
  const sent: string[] = [];
  const container = renderDesk(row);
  container.querySelector("form")!.addEventListener("submit", (event) => {
    event.preventDefault();
    sent.push((event as SubmitEvent).submitter!.textContent);
  });
  expect(screen.getByText("Process").hidden).toBe(false);
  expect(screen.getByText("Complete").hidden).toBe(true);
  const items = await menuOf("order 12");
  expect(items.map((item) => item.textContent)).toEqual(["Complete", "Fail …"]);
  fireEvent.click(items[0]!);
  expect(sent).toEqual(["Complete order 12"]);
});

test("a control with a confirmation opens it, and nothing is sent", async () => {
  const container = renderDesk(row);
  const details = container.querySelector("details")!;
  expect([details.hidden, details.open]).toEqual([true, false]);
  fireEvent.click((await menuOf("order 12"))[1]!);
  expect([details.hidden, details.open]).toEqual([false, true]);
  details.open = false;
  act(() => void details.dispatchEvent(new Event("toggle")));
  expect(details.hidden).toBe(true);
});

test("the controls are loaded once somebody is about to use one, and take the focus from its stand-in", async () => {
  const load = mock(async () => controls);
  renderDesk(row, load);
  const standIn = buttonOf("order 12");
  expect(load).not.toHaveBeenCalled();
  standIn.focus();
  fireEvent.pointerOver(standIn);
  await waitFor(() => expect(standIn.isConnected).toBe(false));
  expect(document.activeElement === buttonOf("order 12")).toBe(true);
  expect(load).toHaveBeenCalledTimes(1);
  expect(screen.queryByRole("menu")).toBeNull();
});

test("a stand-in stays while a finger is on it, so that its press is not lost", async () => {
  renderDesk(row);
  const standIn = buttonOf("order 12");
  fireEvent.pointerOver(standIn);
  fireEvent.pointerDown(standIn);
  await new Promise((resolve) => setTimeout(resolve));
  expect(standIn.isConnected).toBe(true);
  fireEvent.pointerUp(standIn);
  fireEvent.click(standIn);
  expect(await waitFor(() => screen.getAllByRole("menuitem"))).toHaveLength(2);
});

test("without a network the pressed control is the plain one again, and the next use tries once more", async () => {
  let isOffline = true;
  const { error } = console;
  console.error = () => {};
  try {
    const container = renderDesk(
      <>
        {row}
        <label htmlFor="status">Status</label>
        <select id="status" name="status" data-desk="list">
          <option value="">Any</option>
        </select>
      </>,
      async () => {
        if (isOffline) throw new TypeError("Failed to fetch");
        return controls;
      },
    );
    press(screen.getByRole("button", { name: "Status: Any" }));
    await waitFor(() => expect(container.querySelector("select")!.hidden).toBe(false));
    expect(container.querySelector("label")!.htmlFor).toBe("status");
    isOffline = false;
    expect(await menuOf("order 12")).toHaveLength(2);
  } finally {
    console.error = error;
  }
});

test("a row with one control has no menu", () => {
  document.body.innerHTML = `<div data-desk="row"><button type="submit">Process</button></div>`;
  expect(placesIn(document)).toEqual([]);
  document.body.innerHTML = "";
});

test("a row whose controls are all in the menu sends the form that a hidden one names", async () => {
  const sent: string[] = [];
  const container = renderDesk(
    <>
      <div data-desk="row" data-name="MTN 5GB" data-all="">
        <a className="button" href="#open" hidden>
          Open
        </a>
        <button type="submit" name="action" value="pause 5" form="of-row" hidden>
          Pause
        </button>
      </div>
      <form id="of-row" />
    </>,
  );
  container.querySelector("form")!.addEventListener("submit", (event) => {
    event.preventDefault();
    sent.push(((event as SubmitEvent).submitter as HTMLButtonElement).value);
  });
  const items = await menuOf("MTN 5GB");
  expect(items.map((item) => item.textContent)).toEqual(["Open", "Pause"]);
  fireEvent.click(items[1]!);
  expect(sent).toEqual(["pause 5"]);
});

test("a menu with a name of its own has the buttons of the fold that chooses between them, too", async () => {
  const sent: string[] = [];
  const container = renderDesk(
    <div data-desk="row" data-name="order 12" data-all="Process …">
      <form>
        <details className="sure pick">
          <summary>Process …</summary>
          <button type="submit">By route</button>
          <button type="submit">Myself</button>
        </details>
        <button type="submit">Complete</button>
      </form>
    </div>,
  );
  const form = container.querySelector("form")!;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sent.push((event as SubmitEvent).submitter!.textContent);
  });
  expect(form.hidden).toBe(true);
  press(screen.getByRole("button", { name: "Process … order 12" }));
  const items = await waitFor(() => screen.getAllByRole("menuitem"));
  expect(items.map((item) => item.textContent)).toEqual(["By route", "Myself", "Complete"]);
  fireEvent.click(items[1]!);
  expect(sent).toEqual(["Myself"]);
});

test("a listbox's choice is stored in the select, whose label leads to it", async () => {
  const container = renderDesk(
    <div>
      <label htmlFor="status">Status</label>
      <select id="status" name="status" data-desk="list" defaultValue="PAID">
        <option value="">Any</option>
        <option value="PAID" data-mark="chip info">
          PAID
        </option>
      </select>
    </div>,
  );
  const select = container.querySelector("select")!;
  const button = await waitFor(() => screen.getByRole("button", { name: "Status: PAID" }));
  expect([select.hidden, container.querySelector("label")!.htmlFor]).toEqual([true, button.id]);
  press(button);
  fireEvent.click(await waitFor(() => screen.getByRole("option", { name: "Any" })));
  await waitFor(() => screen.getByRole("button", { name: "Status: Any" }));
  expect(select.value).toBe("");
});

test("a user is found while typing, and the plain field holds the id", async () => {
  const requests: string[] = [];
  const answer = [{ id: 7, username: "ama", email: "ama@example.com" }];
  globalThis.fetch = (async (path: string) => {
    requests.push(path);
    return Response.json(path.includes("nobody") ? [] : answer);
  }) as typeof fetch;
  const container = renderDesk(
    <div>
      <label htmlFor="user">User</label>
      <input id="user" name="user" data-desk="user" data-name="kofi" defaultValue="3" />
    </div>,
  );
  const field = container.querySelector<HTMLInputElement>("#user")!;
  const standIn = screen.getByRole("combobox") as HTMLInputElement;
  expect([field.hidden, field.value, standIn.value]).toEqual([true, "3", "kofi"]);
  act(() => standIn.focus());
  await waitFor(() => expect(standIn.isConnected).toBe(false));
  const input = screen.getByRole("combobox") as HTMLInputElement;
  expect(input.value).toBe("kofi");
  fireEvent.input(input, { target: { value: "am" } });
  // Whom the empty field offered are there already.
  await waitFor(() => expect(requests.at(-1)).toBe("/api/v1/admin/users?limit=50&search=am"));
  const option = await waitFor(() => screen.getByRole("option"));
  expect(option.textContent).toBe("amaama@example.com · ID 7");
  fireEvent.mouseDown(option);
  fireEvent.click(option);
  await waitFor(() => expect(field.value).toBe("7"));
});

test("the heading's box ticks every row of the page, and follows when rows are ticked singly", async () => {
  const container = renderDesk(
    <>
      <span className="sr" data-desk="all" data-form="bulk-move">
        Select
      </span>
      {[1, 2].map((id) => (
        <input key={id} type="checkbox" name="ids" value={id} form="bulk-move" aria-label={`Row ${id}`} />
      ))}
      <input type="checkbox" name="ids" value="3" form="another" aria-label="Another form's" />
      <form id="bulk-move">
        <select aria-label="Which">
          <option value="ticked">Selected orders</option>
          <option value="shown">All on this page (2)</option>
          <option value="matching">All orders that match</option>
        </select>
        <button type="submit" data-verb="Deliver">
          Deliver
        </button>
        <button type="submit">Another</button>
      </form>
    </>,
  );
  const buttons = () => [...container.querySelectorAll("button")].map(({ textContent }) => textContent);
  const all = (await screen.findByRole("checkbox", { name: "Select all on this page" })) as HTMLInputElement;
  const ticked = () => [...container.querySelectorAll<HTMLInputElement>("input[name=ids]")].map((box) => box.checked);
  expect(buttons()).toEqual(["Deliver", "Another"]);
  fireEvent.click(all);
  expect(ticked()).toEqual([true, true, false]);
  expect(buttons()).toEqual(["Deliver 2", "Another"]);
  fireEvent.click(screen.getByLabelText("Row 1"));
  await waitFor(() => expect([all.checked, all.indeterminate]).toEqual([false, true]));
  fireEvent.click(screen.getByLabelText("Row 1"));
  await waitFor(() => expect(all.checked).toBe(true));
  fireEvent.click(all);
  expect(ticked()).toEqual([false, false, false]);
  const choose = (value: string) => fireEvent.change(screen.getByLabelText("Which"), { target: { value } });
  choose("shown");
  expect(buttons()).toEqual(["Deliver 2", "Another"]);
  choose("matching");
  expect(buttons()).toEqual(["Deliver", "Another"]);
});
