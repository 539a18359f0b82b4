// Tests of the admins' enhanced controls, which replace plain ones that still do the work.
import { expect, test } from "bun:test";
import { act, fireEvent, render, screen, waitFor } from "./dom.tsx";

const { Desk } = await import("../../islands/admin/desk.tsx");
const { findPlaces: placesIn } = await import("../../islands/admin/parts/places.ts");

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
const menuOf = async (name: string) => {
  const button = screen.getByRole("button", { name: `More for ${name}` });
  fireEvent.mouseDown(button);
  fireEvent.pointerDown(button);
  fireEvent.click(button);
  return waitFor(() => screen.getAllByRole("menuitem"));
};

test("of a row's controls the most likely one stays, and the others are in the menu", async () => {
  const sent: string[] = [];
  const { container } = render(
    <>
      {row}
      <Desk />
    </>,
  );
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
  const { container } = render(
    <>
      {row}
      <Desk />
    </>,
  );
  const details = container.querySelector("details")!;
  expect([details.hidden, details.open]).toEqual([true, false]);
  fireEvent.click((await menuOf("order 12"))[1]!);
  expect([details.hidden, details.open]).toEqual([false, true]);
  details.open = false;
  act(() => void details.dispatchEvent(new Event("toggle")));
  expect(details.hidden).toBe(true);
});

test("a row with one control has no menu", () => {
  document.body.innerHTML = `<div data-desk="row"><button type="submit">Process</button></div>`;
  expect(placesIn(document)).toEqual([]);
  document.body.innerHTML = "";
});

test("a listbox's choice is stored in the select, whose label leads to it", async () => {
  const { container } = render(
    <>
      <div>
        <label htmlFor="status">Status</label>
        <select id="status" name="status" data-desk="list" defaultValue="PAID">
          <option value="">Any</option>
          <option value="PAID" data-mark="chip info">
            PAID
          </option>
        </select>
      </div>
      <Desk />
    </>,
  );
  const select = container.querySelector("select")!;
  const button = await waitFor(() => screen.getByRole("button", { name: "Status: PAID" }));
  expect([select.hidden, container.querySelector("label")!.htmlFor]).toEqual([true, button.id]);
  fireEvent.mouseDown(button);
  fireEvent.pointerDown(button);
  fireEvent.click(button);
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
  const { container } = render(
    <>
      <div>
        <label htmlFor="user">User</label>
        <input id="user" name="user" data-desk="user" data-name="kofi" defaultValue="3" />
      </div>
      <Desk />
    </>,
  );
  const field = container.querySelector<HTMLInputElement>("#user")!;
  const input = (await waitFor(() => screen.getByRole("combobox"))) as HTMLInputElement;
  expect([field.hidden, field.value, input.value]).toEqual([true, "3", "kofi"]);
  act(() => input.focus());
  fireEvent.input(input, { target: { value: "am" } });
  const option = await waitFor(() => screen.getByRole("option"));
  expect([option.textContent, requests.at(-1)]).toEqual([
    "amaama@example.com · ID 7",
    "/api/v1/admin/users?limit=50&search=am",
  ]);
  fireEvent.mouseDown(option);
  fireEvent.click(option);
  await waitFor(() => expect(field.value).toBe("7"));
});

test("the heading's box ticks every row of the page, and follows when rows are ticked singly", async () => {
  const { container } = render(
    <>
      <span className="sr" data-desk="all" data-form="bulk-move">
        Select
      </span>
      {[1, 2].map((id) => (
        <input key={id} type="checkbox" name="ids" value={id} form="bulk-move" aria-label={`Row ${id}`} />
      ))}
      <input type="checkbox" name="ids" value="3" form="another" aria-label="Another form's" />
      <Desk />
    </>,
  );
  const all = (await screen.findByRole("checkbox", { name: "Select all on this page" })) as HTMLInputElement;
  const ticked = () =>
    [...container.querySelectorAll<HTMLInputElement>("input[name=ids]")].map((box) => box.checked);
  fireEvent.click(all);
  expect(ticked()).toEqual([true, true, false]);
  fireEvent.click(screen.getByLabelText("Row 1"));
  await waitFor(() => expect([all.checked, all.indeterminate]).toEqual([false, true]));
  fireEvent.click(screen.getByLabelText("Row 1"));
  await waitFor(() => expect(all.checked).toBe(true));
  fireEvent.click(all);
  expect(ticked()).toEqual([false, false, false]);
});
