// Tests of the keys of pages: to the search, through the rows of lists, and how they are turned off.
import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { fireEvent, screen, waitFor } from "./dom.tsx";

const { shortcuts } = await import("../../islands/plain/shortcuts.ts");
const { followKeys } = await import("../../islands/parts/page-keys.ts");
const { replaceParts } = await import("../../islands/parts/live.ts");

/** Everything that listens to the page, which is left at the end of a test. */
const listens = spyOn(document, "addEventListener");
beforeEach(() => {
  localStorage.clear();
  history.replaceState(null, "");
});
afterEach(leave);

function leave(): void {
  document.body.replaceChildren();
  for (const [type, listener] of listens.mock.calls) document.removeEventListener(type, listener);
  listens.mockClear();
}

/** Opens a page, whose script runs, after leaving the one before. Returns the line that names its keys. */
function open(markup: string, { sells = false } = {}): string {
  leave();
  document.body.innerHTML = `${markup}<div id="place"></div>`;
  const place = document.getElementById("place")!;
  followKeys(place, { sells });
  return place.textContent.replaceAll(/\s+/g, " ");
}
const focused = () => document.activeElement?.id || document.activeElement?.tagName;
/** Presses keys where the focus is, and returns where it is afterwards. */
function press(keys: string, more: KeyboardEventInit = {}): string | undefined {
  for (const key of keys.split(" "))
    fireEvent.keyDown(document.activeElement ?? document.body, { key, cancelable: true, ...more });
  return focused();
}
const row = (id: string, cells = "") =>
  `<tr><td><label class="check"><input type="checkbox" id="box-${id}"></label></td>
  <td><a id="${id}" href="/orders/${id}">${id}</a></td>${cells}</tr>`;
const table = (...rows: string[]) => `<table><tbody data-rows="">${rows.join("")}</tbody></table>`;
const box = (id: string) => document.querySelector<HTMLInputElement>(`#box-${id}`)!;

describe("the search", () => {
  test("is reached by /, but not while somebody types", () => {
    open(`<input id="search" type="search"><input id="other">`);
    document.getElementById("other")!.focus();
    expect(press("/")).toBe("other");
    (document.activeElement as HTMLElement).blur();
    expect(press("/", { ctrlKey: true })).toBe("BODY");
    expect(press("/")).toBe("search");
  });

  test("of staff is the one for everything on a page without a field", () => {
    open(`<a class="finder" href="#found">Search</a>`);
    press("/");
    expect(location.hash).toBe("#found");
  });
});

describe("the rows of all lists of a page", () => {
  test("are walked by j and k, with the focus on the link of each, up to the ends", () => {
    open(
      `${table(row("a"), row("b"))}<ul data-rows=""><li><a id="c" href="/c">c</a><a href="/buy">again</a></li></ul>`,
    );
    expect([press("k"), press("j"), press("j"), press("j"), press("j")]).toEqual(["BODY", "a", "b", "c", "c"]);
    expect([press("K"), press("k"), press("k")]).toEqual(["b", "a", "a"]);
  });

  test("are begun with the first one in view, or the last one where all are above it", () => {
    open(table(row("a"), row("b"), row("c")));
    const place = (tops: number[]) => {
      (document.activeElement as HTMLElement).blur();
      for (const [at, one] of document.querySelectorAll("tr").entries())
        one.getBoundingClientRect = () => new DOMRect(0, tops[at]!, 100, 30);
    };
    place([-60, -30, 0]);
    expect(press("j")).toBe("c");
    place([-30, 0, 30]);
    expect(press("j")).toBe("b");
    place([-90, -60, -30]);
    expect(press("j")).toBe("c");
  });

  test("are left from any control in them", () => {
    open(table(row("a", `<td><button id="more">More</button></td>`), row("b")));
    document.getElementById("more")!.focus();
    expect(press("j")).toBe("b");
    box("a").focus();
    expect(press("j")).toBe("b");
  });

  test("without a link have the focus themselves, or their box has it; what cannot have it is passed over", () => {
    open(`<table><tbody data-rows=""><tr id="plain"><td>1</td></tr></tbody></table>
      <table><tbody data-rows="" inert><tr><td><button disabled>2</button><a></a></td></tr></tbody></table>
      <fieldset data-rows=""><legend id="name">Sizes</legend>
      <label class="check"><input type="checkbox" id="box-1GB"></label></fieldset>`);
    const [, folded] = document.querySelectorAll("tr");
    folded!.focus = () => {};
    expect([press("j"), press("j"), press("j")]).toEqual(["plain", "box-1GB", "box-1GB"]);
  });

  test("are entered at the link that is their own, where another comes before it", () => {
    open(
      table(
        `<tr><td><a id="agent" href="/a">ama</a></td><td data-main=""><a id="own" href="/p">tp-1</a></td></tr>`,
        `<tr><td><a id="only" href="/a">ama</a></td><td data-main="">Refund</td></tr>`,
      ),
    );
    expect([press("j"), press("j")]).toEqual(["own", "only"]);
  });
});

describe("on the page of one row", () => {
  const beside = `<p class="beside"><a id="older" href="#older" rel="prev" data-key="j">Older</a>
    <a id="newer" href="#newer" rel="next" data-key="k">Newer</a></p>`;

  test("j leads to the one below it in the list and k to the one above, as the line says", () => {
    expect(open(beside)).toContain("j k older and newer order");
    press("j");
    expect(location.hash).toBe("#older");
    press("k");
    expect(location.hash).toBe("#newer");
    press("J", { shiftKey: true });
    expect(location.hash).toBe("#newer");
    document.querySelector("#newer")!.remove();
    location.hash = "";
    press("k");
    expect(location.hash).toBe("");
  });

  test("neither leads away from what is typed and not sent", () => {
    open(`${beside}<form method="post"><textarea id="note"></textarea></form>`);
    location.hash = "";
    document.querySelector<HTMLTextAreaElement>("#note")!.value = "Called her";
    press("j k");
    expect(location.hash).toBe("");
  });
});

describe("a row with a box", () => {
  test("is ticked by x, with the event that others wait for, and keeps the focus", () => {
    open(table(row("a"), row("b")));
    let changes = 0;
    document.addEventListener("change", () => changes++, { once: true });
    expect(press("x")).toBe("BODY");
    expect([press("j"), press("x"), box("a").checked, box("b").checked, changes]).toEqual(["a", "a", true, false, 1]);
    press("x", { repeat: true });
    expect(box("a").checked).toBe(true);
    press("x");
    expect(box("a").checked).toBe(false);
  });

  test("is opened by Enter in its box, which sends no form; without a link Enter does nothing", () => {
    open(`${table(row("a"))}<fieldset data-rows=""><label><input type="checkbox" id="size"></label></fieldset>`);
    const opened: string[] = [];
    document.addEventListener("click", (event) => {
      const link = (event.target as Element).closest("a");
      if (link) opened.push(link.id);
      event.preventDefault();
    });
    const enter = (id: string) => {
      document.getElementById(id)!.focus();
      return fireEvent.keyDown(document.activeElement!, { key: "Enter", cancelable: true });
    };
    expect([enter("box-a"), opened]).toEqual([false, ["a"]]);
    expect([enter("size"), opened]).toEqual([false, ["a"]]);
    // The browser itself opens a link.
    expect([enter("a"), opened]).toEqual([true, ["a"]]);
  });

  test("is not ticked in a form that it holds", () => {
    const form = `<form><label class="check"><input type="checkbox" id="box-on"></label></form>`;
    expect(open(table(`<tr><td><a id="a" href="/a">a</a>${form}</td></tr>`))).not.toContain("tick");
    press("j x");
    expect([focused(), box("on").checked]).toEqual(["a", false]);
  });
});

describe("a decision of a row", () => {
  const fold = (key: string, id: string) => `<details data-key="${key}"><summary>${key} …</summary>
    <form><input type="hidden" name="id"><p>${key}</p><button id="${id}">Sure</button></form></details>`;
  const decided = (id: string) =>
    row(
      id,
      `<td>${fold("a", `approve-${id}`)}<details data-key="r"><summary>Refuse …</summary>
      <form><input id="why-${id}"><button>Refuse</button></form></details></td>`,
    );
  const opened = () => document.querySelectorAll("details[open]").length;

  test("is unfolded by its key, which sends nothing: the press inside it does", () => {
    expect(open(table(decided("a"), decided("b")))).toContain("Enter open, a approve, r refuse");
    const sent: Event[] = [];
    document.body.addEventListener("submit", (event) => sent.push(event));
    document.body.addEventListener("click", (event) => sent.push(event));
    expect([press("j j A"), opened(), sent]).toEqual(["approve-b", 1, []]);
    // Pressed again it stays open, and a key that is held down does nothing more.
    expect([press("a"), press("r", { repeat: true }), opened()]).toEqual(["approve-b", "approve-b", 1]);
    expect([press("k r"), opened(), sent]).toEqual(["why-a", 2, []]);
  });

  test("is nothing for a key without a row, in a field, or with a row that has none", () => {
    open(`${table(decided("a"))}${table(row("b"))}<input id="search" type="search">`);
    expect([press("a"), opened()]).toEqual(["BODY", 0]);
    expect([press("j j a r"), opened()]).toEqual(["b", 0]);
    document.getElementById("search")!.focus();
    expect([press("a r"), opened()]).toEqual(["search", 0]);
    expect([press("k"), (document.activeElement as HTMLElement).blur(), opened()]).toEqual(["search", undefined, 0]);
    document.getElementById("a")!.focus();
    expect([press("r"), press("a"), opened()]).toEqual(["why-a", "why-a", 1]);
  });
});

describe("no key of the rows does anything", () => {
  const rows = table(row("a"), row("b"));

  test.each([{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { shiftKey: true }])("with %p", (modifier) => {
    open(rows);
    press("j");
    for (const key of "jkx") press(key, modifier);
    expect([focused(), box("a").checked]).toEqual(["a", false]);
  });

  test.each(["<input id=field>", "<textarea id=field></textarea>", "<select id=field><option>1</select>"])(
    "in %p",
    (field) => {
      open(rows + field);
      document.getElementById("field")!.focus();
      press("j k x");
      expect([focused(), box("a").checked]).toEqual(["field", false]);
    },
  );

  test.each([`<dialog open>Search</dialog>`, `<div class="pop">Menu</div>`])("while %p is open", (over) => {
    open(rows + over);
    expect(press("j")).toBe("BODY");
    document.querySelector("dialog, .pop")!.remove();
    expect(press("j")).toBe("a");
  });

  test("that somebody else has answered", () => {
    open(rows);
    document.body.addEventListener("keydown", (event) => event.preventDefault(), { once: true });
    expect(press("j")).toBe("BODY");
  });
});

describe("the line at the end of a page", () => {
  test("is there on a computer, and not on a phone, which loads no keys", async () => {
    const hovers = spyOn(window, "matchMedia");
    const [phone, computer] = ["div", "div"].map((tag) => document.createElement(tag));
    document.body.append(phone!, computer!);
    for (const [place, matches] of [[phone!, false] as const, [computer!, true] as const]) {
      hovers.mockReturnValue({ matches } as MediaQueryList);
      shortcuts(place, { sells: false });
    }
    await waitFor(() => expect(computer!.textContent).toContain("Keys:"));
    expect(phone!.textContent).toBe("");
    hovers.mockRestore();
  });

  test("names the keys that do something there", () => {
    expect(open("", { sells: true })).toBe("Keys: / search, n new sale Turn off");
    expect(open(table("<tr><td>1</td></tr>"))).toBe("Keys: / search, j k next and previous row Turn off");
    expect(open(table(row("a")))).toBe("Keys: / search, j k next and previous row, x tick, Enter open Turn off");
  });

  test("turns the keys off, also for later pages, and on again", () => {
    const rows = table(row("a"));
    open(rows);
    fireEvent.click(screen.getByRole("button", { name: "Turn off" }));
    expect(press("j")).toBe("BODY");
    expect(open(rows)).toBe("Turn keys on");
    expect(press("j")).toBe("BODY");
    fireEvent.click(screen.getByRole("button", { name: "Turn keys on" }));
    expect(press("j")).toBe("a");
  });
});

describe("the row of the focus", () => {
  const agent = (id: string) => `<tr><td><a id="${id}" href="/admin/users/7">ama</a></td></tr>`;

  test("has it again when a key opened it and its list is seen again, also among rows that lead to the same", () => {
    const list = table(agent("first"), agent("second"));
    open(list);
    document.body.addEventListener("click", (event) => event.preventDefault());
    press("j j");
    // What Enter makes of a link; a pressed button of a mouse counts its clicks.
    fireEvent.click(document.activeElement!, { detail: 0 });
    fireEvent.click(document.getElementById("first")!, { detail: 1 });
    open(list);
    expect(focused()).toBe("second");
    document.getElementById("second")!.remove();
    open(table(agent("first")));
    expect(focused()).toBe("BODY");
  });

  test("has it again when its list is replaced by a newer one, and the list stays where it would be lost", () => {
    const part = (...rows: string[]) => `<section data-live="orders">${table(...rows)}</section>`;
    const fresh = (...rows: string[]) => new DOMParser().parseFromString(part(...rows), "text/html");
    open(part(row("a"), row("b")));
    press("j j");
    replaceParts(fresh(row("new"), row("b"), row("a")));
    expect([focused(), document.querySelectorAll("tr").length]).toEqual(["b", 3]);
    expect(press("k")).toBe("new");
    replaceParts(fresh(row("a")));
    expect([focused(), document.querySelectorAll("tr").length]).toEqual(["new", 3]);
  });
});
