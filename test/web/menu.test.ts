// The menu, the tabs and Today as each role meets them: each word is the title of the page that it leads to, and each
// number that of the rows there. Links are read from the pages, and what waits from its table, so that new ones are
// under the same rules.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import * as afa from "../../src/core/afa/registrations.ts";
import * as orders from "../../src/core/buying/buy.ts";
import type { BundleVendor } from "../../src/core/fulfilment/vendor.ts";
import * as vendors from "../../src/core/fulfilment/vendors.ts";
import * as losses from "../../src/core/orders/losses.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import { WAITING } from "../../src/core/overview/kinds.ts";
import { waiting, waitingFor } from "../../src/core/overview/waiting.ts";
import * as openDifferences from "../../src/core/payments/open-differences.ts";
import { DESK, limits, ROLES, type Role } from "../../src/shared/domain.ts";
import { hasRight, isStaff } from "../../src/shared/rights.ts";
import { staff } from "../support/approvals.ts";
import { deskTakes } from "../support/costs.ts";
import { dispatchNow, fillShop } from "../support/pages.ts";
import { paidHoursAgo } from "../support/past.ts";
import { openApp, openWorld, type Person, TEST_CARDS } from "../support/world.ts";
import { type Seen, visitorAs } from "./visitor.ts";

const world = await openWorld();
const { db, yaw } = world;
const paystack = await startPaystack();
afterAll(() => paystack.stop());
const vendor = (code: string) =>
  ({ code, name: code, can: { lines: ["MTN"] }, serves: () => true }) as unknown as BundleVendor;
const client = openApp(world, paystack, [vendor("hubnet"), vendor("datamart")]);
const used = await fillShop(world, paystack);
await addWhatWaits();
/** The manager owes his place to Yaw, and may not decide what he asks for. */
const people = new Map<Role, Person>([
  ["USER", used.agent],
  ["MANAGER", await world.person("kwame", undefined, ["MANAGER"])],
]);
for (const role of ROLES.filter((one) => !people.has(one))) people.set(role, await staff(world, role));

/** Each page once for each role: they show what they show without a form. */
const opened = new Map<string, Promise<Seen>>();
const open = (role: Role, address: string) => {
  const key = `${role} ${address.replace(/#.*/, "")}`;
  if (!opened.has(key))
    opened.set(
      key,
      visitorAs(client, people.get(role)!).then((visit) => visit.open(address)),
    );
  return opened.get(key)!;
};

type Part = Document | Element;
type Element = NonNullable<ReturnType<Document["querySelector"]>>;
const all = (part: Part, selector: string): Element[] => [...part.querySelectorAll(selector)];
const textOf = (element: { textContent: string | null } | null | undefined) =>
  (element?.textContent ?? "").replace(/\s+/g, " ").trim();
const hrefOf = (link: Element) => link.getAttribute("href")!;
/** The text of a link or a heading without its number, its icon and what is said beside it in small. */
const wordOf = (element: Element | null) => {
  const copy = element?.cloneNode(true) as Element | undefined;
  for (const extra of copy ? all(copy, "[data-waiting], [aria-hidden], svg, small") : []) extra.remove();
  return textOf(copy);
};
const titleOf = ({ document }: Seen) => document.title.replace(/^\(\d+\+?\) /, "").replace(/ · DataFie$/, "");
const numberOf = (text: string) => Number(text.replaceAll(",", ""));
const numberOn = (link: Element) => {
  const badge = link.querySelector("[data-waiting]:not([hidden])");
  return numberOf(/^[\d,]+/.exec(textOf(badge))?.[0] ?? "0");
};
/** The number in brackets: "Stuck (2)". */
const countIn = (element: Element) => /\(([\d,]+)\)$/.exec(textOf(element))?.[1];

const menuIn = ({ document }: Seen) => all(document, "nav.drawer ul a");
/** The tabs of a page's section, and the parts of its tab. */
const tabsIn = ({ document }: Seen) => all(document, "main header.place nav.tabs a");
const partsIn = ({ document }: Seen) => all(document, "main nav.parts a");
const currentIn = (links: Element[]) => links.find((link) => link.getAttribute("aria-current") === "page");

/** How many there are in a list: its rows, or what a row that stands for several says. */
function countedIn(list: Part | null): number {
  if (!list) return Number.NaN;
  const rows = all(list, "[data-rows] > :is(tr, li, label, section)");
  const several = (row: Element) => (row.matches("[data-count]") ? row : row.querySelector("[data-count]"));
  return rows.reduce((sum, row) => sum + Number(several(row)?.getAttribute("data-count") ?? 1), 0);
}

/** How many a page shows of all kinds that somebody sees waiting, each in the list with its name. */
function waitingOn({ document }: Seen, role: Role): number {
  const seen = Object.entries(WAITING).filter(([, { right }]) => hasRight({ roles: [role] }, right));
  const lists = seen.flatMap(([kind]) => document.getElementById(kind) ?? []);
  return lists.reduce((sum, list) => sum + countedIn(list), 0);
}

const sumOf = (links: Element[]) => links.reduce((sum, link) => sum + numberOn(link), 0);

beforeAll(async () => {
  for (const role of ROLES) await open(role, "/");
});

test("something of every kind waits, or the numbers would be of nothing", async () => {
  const kinds = [...(await waiting(db, { isFresh: true })), ...(await waitingFor(db, people.get("ADMIN")!.by()))];
  expect(kinds.map(({ kind }) => kind).sort()).toEqual(Object.keys(WAITING).sort() as never);
});

describe.each([...ROLES])("as %s", (role) => {
  test("each word of the menu and of the bar is the title and the heading of its page", async () => {
    const home = await open(role, "/");
    const links = [...menuIn(home), ...all(home.document, "nav.bar a:not(.no-popover)")];
    expect(links.length).toBeGreaterThan(4);
    for (const link of links) {
      const page = await open(role, hrefOf(link));
      const [heading, ...more] = all(page.document, "main h1");
      // The words of a tab are before that of its place: "Deposits · In · Money", as the network's in "MTN · Buy data".
      const labels = titleOf(page).split(" · ");
      const own = link.querySelector(".badge") ? labels[0] : labels.at(-1);
      expect([hrefOf(link), page.status, own, more.length]).toEqual([hrefOf(link), 200, wordOf(link), 0]);
      expect([hrefOf(link), wordOf(heading!)]).toEqual([hrefOf(link), labels.at(-1)!]);
    }
  });

  test("each tab is marked on its page, under the heading of its section, and its word begins the title", async () => {
    for (const link of menuIn(await open(role, "/")))
      for (const tab of tabsIn(await open(role, hrefOf(link)))) {
        const page = await open(role, hrefOf(tab));
        expect([hrefOf(tab), wordOf(currentIn(tabsIn(page))!)]).toEqual([hrefOf(tab), wordOf(tab)]);
        for (const part of [...partsIn(page), tab]) {
          const shown = await open(role, hrefOf(part));
          const parts = partsIn(shown);
          const section = wordOf(shown.document.querySelector("main h1"));
          const labels = [currentIn(parts), currentIn(tabsIn(shown))].flatMap((one) => (one ? [wordOf(one)] : []));
          const title = [...new Set([...labels, section])].join(" · ");
          expect([hrefOf(part), section, titleOf(shown)]).toEqual([hrefOf(part), wordOf(link), title]);
          if (part !== tab) expect([hrefOf(part), labels[0]]).toEqual([hrefOf(part), wordOf(part)]);
        }
      }
  });

  test("each number of the menu is that of its tabs, and each number of a tab that of its rows", async () => {
    const home = await open(role, "/");
    const menu = menuIn(home);
    expect(sumOf(menu) > 0).toBe(isStaff({ roles: [role] }));
    for (const button of all(home.document, "header.top [data-waiting]"))
      expect(numberOn(button.parentElement!)).toBe(sumOf(menu));
    for (const link of menu) {
      const page = await open(role, hrefOf(link));
      const tabs = tabsIn(page);
      if (tabs.length === 0) expect([hrefOf(link), waitingOn(page, role)]).toEqual([hrefOf(link), numberOn(link)]);
      else expect([hrefOf(link), sumOf(tabs)]).toEqual([hrefOf(link), numberOn(link)]);
      // It leads to some of what it counts.
      expect([hrefOf(link), waitingOn(page, role) > 0]).toEqual([hrefOf(link), numberOn(link) > 0]);
      for (const tab of tabs) {
        const shown = await open(role, hrefOf(tab));
        expect([hrefOf(tab), waitingOn(shown, role) > 0]).toEqual([hrefOf(tab), numberOn(tab) > 0]);
        const parts = partsIn(shown);
        if (parts.length > 0) expect([hrefOf(tab), sumOf(parts)]).toEqual([hrefOf(tab), numberOn(tab)]);
        for (const leaf of parts.length > 0 ? parts : [tab])
          expect([hrefOf(leaf), waitingOn(await open(role, hrefOf(leaf)), role)]).toEqual([
            hrefOf(leaf),
            numberOn(leaf),
          ]);
      }
    }
  });

  test("each row of what waits leads to a list of as many", async () => {
    const rows = all((await open(role, "/")).document, ".waits > li");
    expect(rows.length > 2).toBe(isStaff({ roles: [role] }));
    for (const row of rows) {
      const address = hrefOf(row.querySelector("a")!);
      const page = await open(role, address);
      const count = numberOf(textOf(row.querySelector(".many")));
      // What is the only one of its kind may lead to its own page.
      const name = address.split("#")[1];
      const shown = name ? countedIn(page.document.getElementById(name)) : 1;
      expect([address, page.status, shown]).toEqual([address, 200, count]);
    }
  });

  test("each other number on a link is that of the rows of its page", async () => {
    for (const page of await pagesFor(role))
      for (const link of all(page.document, 'main a[href^="/"]')) {
        // A bare number is a count on Today, and an id elsewhere.
        const count = countIn(link) ?? (page.path === "/" ? /^[\d,]+$/.exec(textOf(link))?.[0] : undefined);
        if (count === undefined) continue;
        const shown = await open(role, hrefOf(link));
        // What waits on the same page has numbers of its own.
        const rows = countedIn(shown.document.querySelector("main")) - waitingOn(shown, role);
        expect([page.path, hrefOf(link), rows]).toEqual([page.path, hrefOf(link), numberOf(count)]);
      }
  });

  test("each number of a heading is that of the rows below it", async () => {
    for (const page of await pagesFor(role))
      for (const heading of all(page.document, "main h2, main h3")) {
        const count = countIn(heading);
        if (count === undefined) continue;
        const rows = countedIn(heading.closest("section"));
        expect([page.path, textOf(heading), rows]).toEqual([page.path, textOf(heading), numberOf(count)]);
      }
  });

  test("no number of what waits is elsewhere than in the menu, on its button, on tabs and on their parts", async () => {
    const places = ["nav.drawer ul", "header.top", "header.place nav.tabs", "nav.parts"];
    for (const page of await pagesFor(role)) {
      const known = all(page.document, places.map((place) => `${place} [data-waiting]`).join());
      expect([page.path, all(page.document, "[data-waiting]").length]).toEqual([page.path, known.length]);
    }
  });
});

/** The pages to which the menu leads somebody, with those of their tabs and parts. */
async function pagesFor(role: Role): Promise<Set<Seen>> {
  const home = await open(role, "/");
  const pages = [home];
  for (const link of menuIn(home)) {
    const page = await open(role, hrefOf(link));
    const beside = [...tabsIn(page), ...partsIn(page)];
    pages.push(page, ...(await Promise.all(beside.map((one) => open(role, hrefOf(one))))));
  }
  return new Set(pages);
}

test("in a bad hour, with more late orders than other pages hold, numbers are still those of the rows", async () => {
  await deskTakes(db, used.product, 100);
  for (let n = 0; n <= limits.pageSize; n++) {
    const line = { productId: used.product, msisdn: `05470010${n + 10}`, quantity: 1 };
    const { answer } = await orders.buy(db, { by: used.agent.by("web"), key: null, line });
    await paidHoursAgo(db, answer.order.id, 30);
  }
  opened.clear();
  await waiting(db, { isFresh: true });
  const page = await open("ADMIN", "/admin/delivery");
  expect(numberOn(currentIn(tabsIn(page))!)).toBeGreaterThan(limits.pageSize);
  expect(waitingOn(page, "ADMIN")).toBe(numberOn(currentIn(tabsIn(page))!));
});

/** Besides what waits in a shop in use: each other kind, and more than one where one could be taken for another. */
async function addWhatWaits() {
  const agent = used.agent.by("web");
  const ids: number[] = [];
  for (let n = 0; n < 8; n++) {
    const line = { productId: used.product, msisdn: `054700000${n}`, quantity: 1 };
    ids.push((await orders.buy(db, { by: agent, key: null, line })).answer.order.id);
  }
  const [held, late, unknown, refunded, past] = ids as [number, number, number, number, number];
  await dispatchNow(world, [held, unknown, refunded], "datamart");
  await dispatchNow(world, ids.slice(4), DESK);
  await paidHoursAgo(db, late, 30);
  await db.execute(sql`update orders set deliver_by = now() - interval '1 hour' where id = ${past}`);
  await db.execute(sql`
    update attempts set state = 'accepted', sent_at = now(), hold_until = now() - interval '1 minute'
    where order_id = ${held}`);
  await db.execute(sql`
    update attempts set state = 'unknown', sent_at = now() - interval '1 hour', due_at = now() + interval '1 year'
    where order_id = ${unknown}`);
  await statusChanges.move(db, { by: yaw.by("admin"), key: null, ids: [refunded], to: "FAILED", reason: "A test" });
  await db.transaction(async (tx) => {
    const [attempt] = await tx.execute<{ id: number }>(sql`
      update attempts set state = 'delivered', concern = ${losses.CONCERN}, sent_at = now(), ended_at = now()
      where order_id = ${refunded} returning id`);
    await losses.record(tx, [attempt!.id]);
  });
  await db.execute(sql`
    insert into audit_runs (kind, started_at, ended_at, ok, findings, checked, accounts, checkpoint)
    values ('new', now(), now(), false, ${JSON.stringify([
      { rule: "wallets", subject: "wallet 1", detail: "1 more" },
      { rule: "wallets", subject: "wallet 2", detail: "1 less" },
    ])}::jsonb, '{}', '[]', '{}')`);
  const difference = { providerPesewas: 500, creditedPesewas: null, message: "Not credited" } as const;
  await openDifferences.keep(db, {
    compared: [],
    differences: ["one", "two"].map((reference) => ({ ...difference, reference, kind: "not_credited" as const })),
  });
  await deskTakes(db, used.product, 900);
  // Nobody has to look at a supplier that was paused by hand while nothing waits for it, nor at what MTN has.
  await vendors.enrol(db, [{ code: "datamart" }]);
  await vendors.setPause(db, { by: yaw.by("admin"), code: "datamart", note: "Holidays" });
  const person = { fullName: "Esi Boateng", phone: "0544000009", ghCardId: "GHA-123456789-1", location: "Accra" };
  const { answer } = await afa.register(db, TEST_CARDS, { by: agent, key: null, people: [person] });
  const sent = answer.registrations.map(({ id }) => id);
  await statusChanges.move(db, { by: yaw.by("admin"), key: null, ids: sent, to: "PROCESSING" });
  await db.execute(sql`
    insert into switches (name, message, reason, closed_by_user_id)
    values ('ussd', 'Back soon', 'A test', ${yaw.id})`);
}
