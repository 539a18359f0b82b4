// Each role's pages: exactly what the table of rights allows, and neither a link nor a form that would be refused.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import { routes } from "../../src/api/index.ts";
import * as freezes from "../../src/core/identity/freezes.ts";
import { ROLES, type Role } from "../../src/shared/domain.ts";
import { ACTION } from "../../src/shared/forms.ts";
import { hasRight, isStaff, type Right } from "../../src/shared/rights.ts";
import type { Page } from "../../src/web/page.tsx";
import { pages } from "../../src/web/pages/index.tsx";
import { fillShop, IDS, PAGES } from "../support/pages.ts";
import { digestOf } from "../support/unchanged.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { type Seen, visitorAs } from "./visitor.ts";

const world = await openWorld();
const paystack = await startPaystack();
afterAll(() => paystack.stop());
const client = openApp(world, paystack);
const used = await fillShop(world, paystack);
const people = new Map<Role, Person>([["ADMIN", world.yaw]]);
for (const role of ROLES.filter((one) => one !== "ADMIN"))
  people.set(role, await world.person(`one-${role.toLowerCase()}`, undefined, [role]));
const STAFF = ROLES.filter((role) => isStaff({ roles: [role] }));

const ofStaff = pages.filter((page) => page.right);
const idOf = ({ subject }: Page) => (subject ? String(IDS[subject](used)[0]) : "");
const addressOf = (page: Page, id = idOf(page)) => page.path.replace(/:\w+/, id);
const mayAll = (role: Role, rights: (Right | undefined)[]) =>
  rights.every((right) => right === undefined || hasRight({ roles: [role] }, right));

/** The forms that a page declares, by the name of their action; null for the one without. */
function formsOf({ submit, submitRight, actions = {} }: Page): [action: string | null, right: Right | undefined][] {
  return [
    ...(submit ? [[null, submitRight] as [null, Right | undefined]] : []),
    ...Object.entries(actions).map(([name, { right }]): [string, Right | undefined] => [name, right]),
  ];
}

async function statusOf(role: Role, address: string, form?: Record<string, string>): Promise<number> {
  const response = await client.browse(people.get(role)!, address, form);
  await response.body?.cancel();
  return response.status;
}

/** Everything but what was counted: a long form is, before it is read and its right known. */
async function unchanged(): Promise<Record<string, string>> {
  const { rate_limits: _, ...digests } = await digestOf(world.db);
  return digests;
}

describe("a page of staff", () => {
  // A session is a row, too.
  beforeAll(async () => {
    for (const person of people.values()) await client.tokenOf(person);
  });

  for (const page of ofStaff.filter(({ show }) => show)) {
    test(`${page.path} opens for exactly the roles with ${page.right}`, async () => {
      for (const role of ROLES) {
        const isOpen = (await statusOf(role, addressOf(page))) !== 403;
        expect([role, isOpen]).toEqual([role, mayAll(role, [page.right])]);
      }
    });
  }

  for (const role of ROLES) {
    test(`refuses a form to ${role} without its right, and nothing has changed`, async () => {
      const before = await unchanged();
      let refused = 0;
      for (const page of ofStaff) {
        for (const [action, right] of formsOf(page)) {
          if (mayAll(role, [page.right, right])) continue;
          const status = await statusOf(role, addressOf(page), action === null ? {} : { [ACTION]: action });
          expect([page.path, action, status]).toEqual([page.path, action, 403]);
          refused += 1;
        }
      }
      expect(refused > 0).toBe(role !== "ADMIN");
      expect(await unchanged()).toEqual(before);
    });
  }
});

/** Opens an address, without following redirects. */
async function look(role: Role, address: string): Promise<Seen | null> {
  const seen = await (await visitorAs(client, people.get(role)!)).open(address);
  return seen.status === 200 ? seen : null;
}

/** The page at an address; one without an id in its path goes first. */
function pageAt(address: string): Page | undefined {
  const path = address.replace(/[?#].*/, "");
  const fits = (page: Page) => new RegExp(`^${page.path.replace(/:\w+/g, "[^/]+")}$`).test(path);
  return pages.find((page) => page.path === path) ?? pages.find(fits);
}

/** What the buttons of a form take: the page, its action, and what the core asks for this input. */
function rightsOfForms(document: Document): { form: string; rights: (Right | undefined)[] }[] {
  return [...document.querySelectorAll("form[method=post]")].flatMap((form) => {
    const address = form.getAttribute("action")!;
    const page = pageAt(address);
    const hidden = (name: string) => form.querySelector(`input[name="${name}"]`)?.getAttribute("value") ?? null;
    return [...form.querySelectorAll("button[type=submit], button:not([type])")].map((button) => {
      const value = (name: string) =>
        button.getAttribute("name") === name ? (button.getAttribute("value") ?? "") : hidden(name);
      const action = value(ACTION)?.split(" ")[0] ?? null;
      const own = action === null ? page?.submitRight : page?.actions?.[action]?.right;
      const [to, ...flags] = (page?.right && value("to")?.split(" ")) || [""];
      const fails: Right | undefined = to === "FAILED" ? "orders.refund" : undefined;
      const cash: Right | undefined = flags.includes("cash") ? "cash.take" : undefined;
      return {
        form: `${address} ${action ?? ""} ${value("to") ?? ""}`,
        rights: [page?.right, own, fails, cash],
      };
    });
  });
}

const shape = (address: string) => address.replace(/[?#].*/, "").replace(/\d+/g, "1");

/** Checks the forms of a page that a role sees; returns how many buttons they have. */
function expectSendable(role: Role, address: string, { document }: Seen): number {
  const forms = rightsOfForms(document);
  for (const { form, rights } of forms) expect([address, form, mayAll(role, rights)]).toEqual([address, form, true]);
  return forms.length;
}

/** Follows the links of a page, one of each shape that was not tried before. */
async function expectOpenable(role: Role, address: string, { document }: Seen, tried: Set<string>) {
  for (const link of document.querySelectorAll('a[href^="/"]')) {
    const href = link.getAttribute("href")!.replace(/#.*/, "");
    if (tried.has(shape(href))) continue;
    tried.add(shape(href));
    const status = await statusOf(role, href);
    expect([address, href, status === 403 || status === 404]).toEqual([address, href, false]);
  }
}

describe("somebody who runs the shop", () => {
  const formsSeen = new Map<Role, number>();
  for (const role of STAFF) {
    test(`as ${role} meets no link and no form that would be refused`, async () => {
      const addresses = PAGES.filter(({ as }) => as === "admin").flatMap(({ addresses }) => addresses(used));
      const tried = new Set<string>();
      let forms = 0;
      for (const address of new Set(["/", "/orders", "/profile", "/support", ...addresses])) {
        const seen = mayAll(role, [pageAt(address)?.right]) ? await look(role, address) : null;
        if (!seen) continue;
        forms += expectSendable(role, address, seen);
        await expectOpenable(role, address, seen, tried);
      }
      formsSeen.set(role, forms);
      expect(tried.size).toBeGreaterThan(5);
    });
  }

  test("meets the more forms, the more rights they have", () => {
    const seen = (role: Role) => formsSeen.get(role)!;
    expect(seen("ADMIN")).toBeGreaterThan(seen("MANAGER"));
    expect(seen("MANAGER")).toBeGreaterThan(seen("DESK"));
    expect(seen("DESK")).toBeGreaterThan(seen("SUPPORT"));
  });

  test("as a manager sees another's account of staff without a form that changes it", async () => {
    for (const page of ["", "/edit", "/prices"]) {
      for (const [role, isChangeable] of [
        ["DESK", false],
        ["USER", true],
      ] as const) {
        const address = `/admin/users/${people.get(role)!.id}${page}`;
        const seen = (await look("MANAGER", address))!;
        const changes = seen.document.querySelectorAll('main form[method=post][action^="/admin/users/"]');
        expect([address, changes.length > 0]).toEqual([address, isChangeable]);
      }
    }
  });

  test("reads on a refused page who can help", async () => {
    const seen = await (await visitorAs(client, people.get("DESK")!)).open("/admin/settings");
    expect(seen.status).toBe(403);
    expect(seen.text).toContain("You are logged in as Desk. Ask a manager or an owner to do it.");
  });

  test("arrives at their own work", async () => {
    for (const [role, home] of [
      ["DESK", "/admin/desk"],
      ["SUPPORT", "/admin/support"],
      ["ACCOUNTS", "/admin"],
    ] as const) {
      const { email, password } = people.get(role)!;
      const response = await client.browse(null, "/login", { email, password });
      expect([role, response.status, response.headers.get("location")]).toEqual([role, 303, home]);
    }
  });
});

test("figures of money are for those who may see profit", async () => {
  for (const role of STAFF) {
    const seen = (await look(role, "/admin"))!;
    const shown = seen.text.includes("Profit today") || seen.text.includes("In agents' wallets");
    expect([role, shown]).toEqual([role, hasRight({ roles: [role] }, "profit.see")]);
  }
});

test("a form reaches its page from everybody with its right", async () => {
  for (const page of ofStaff.filter(({ subject }) => subject)) {
    for (const [action, right] of formsOf(page)) {
      for (const role of STAFF) {
        if (!mayAll(role, [page.right, right])) continue;
        const form: Record<string, string> = action === null ? {} : { [ACTION]: action };
        const address = addressOf(page, "999999");
        expect([role, address, action, (await statusOf(role, address, form)) === 403]).toEqual([
          role,
          address,
          action,
          false,
        ]);
      }
    }
  }
});

test("somebody of the staff who is frozen looks at everything, and does nothing", async () => {
  const frozen = await world.person("frozen-manager", undefined, ["MANAGER"]);
  const terms = { reason: "Three cards in an hour", message: "We are checking", until: null };
  await freezes.freeze(world.db, { by: world.yaw.by("admin"), userId: frozen.id, ...terms });
  await client.tokenOf(frozen);
  const before = await digestOf(world.db);
  const mine = ofStaff.filter(({ right }) => mayAll("MANAGER", [right]));
  for (const page of mine.filter(({ show, examples }) => show && examples?.length !== 0)) {
    const seen = await client.browse(frozen, addressOf(page));
    await seen.body?.cancel();
    expect([page.path, seen.status === 403]).toEqual([page.path, false]);
  }
  for (const page of mine)
    for (const [action] of formsOf(page)) {
      const form: Record<string, string> = action === null ? {} : { [ACTION]: action };
      const sent = await client.browse(frozen, addressOf(page), form);
      expect([page.path, action, sent.status]).toEqual([page.path, action, 403]);
      expect(await sent.text()).toContain("Your account is frozen");
    }
  for (const { method, path, right, example } of routes) {
    if (!right || method === "GET" || !mayAll("MANAGER", [right])) continue;
    const reply = await client.call(frozen, method, path.replace(/:\w+/g, "999999"), example);
    expect([path, reply.status, reply.body.code]).toEqual([path, 403, "account.frozen"]);
  }
  expect(await digestOf(world.db)).toEqual(before);
});
