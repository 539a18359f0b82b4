// Random acts: somebody, often with the right and often without, sends something through a entry of the staff, with ids
// that exist, as a form of a page that was seen or as a body made from a route's schema; or sends it again.
import { ACTION } from "../../src/shared/forms.ts";
import { hasRight } from "../../src/shared/rights.ts";
import { SESSION_COOKIE } from "../../src/web/cookies.ts";
import type { Page } from "../../src/web/page.tsx";
import { ENTRIES, type Entry, STAFF_ENTRIES, STAFF_PAGES } from "./entries.ts";
import { type Field, type Form, formsIn } from "./forms.ts";
import { type Insider, PASSWORD, type Rig } from "./rig.ts";
import { type Deposit, depositsOf, type Ids, idsOf } from "./subjects.ts";
import { early, type Hand, hostile, objectFor, one, plausible, valueFor } from "./values.ts";

/** A request of somebody; nobody's has no account behind it. */
export type Act = {
  entry: Entry;
  person: Insider | null;
  method: string;
  address: string;
  headers: Record<string, string>;
  body: string | null;
  /** Whether it shows lately who it is: by its login, or by the password along with it. */
  isProven: boolean;
};

export type Outcome = { act: Act; status: number; text: string };

/** What the people have before them. */
export type Desk = {
  rig: Rig;
  ids: Ids;
  deposits: Deposit[];
  /** Forms that were seen, by the name of their entry. */
  forms: Map<string, Form[]>;
  /** The last acts, to be sent again. */
  sent: Act[];
  /** How many pages were opened. */
  looks: number;
  /** Who has proved who they are along with an act, since proofs were renewed. */
  shown: Set<number>;
};

const FORMS_KEPT = 12;
const SENT_KEPT = 60;
const ORIGIN = "http://localhost";

export async function openDesk(rig: Rig): Promise<Desk> {
  return {
    ...{ rig, ids: await idsOf(rig), deposits: await depositsOf(rig), forms: new Map(), sent: [] },
    ...{ looks: 0, shown: new Set() },
  };
}

/** Learns which ids there are now. */
export async function lookAround(desk: Desk): Promise<void> {
  desk.ids = await idsOf(desk.rig);
  desk.deposits = await depositsOf(desk.rig);
}

/** Draws the next act. */
export async function draw(desk: Desk): Promise<Act> {
  const { random } = desk.rig;
  const again = desk.sent.length > 10 && random(14) === 0 ? one(random, desk.sent) : null;
  const act = again ? sendAgain(desk, again) : await newAct(desk);
  if (act.person && act.isProven) desk.shown.add(act.person.id);
  else if (act.person && desk.shown.has(act.person.id)) act.isProven = true;
  desk.sent.push(act);
  if (desk.sent.length > SENT_KEPT) desk.sent.shift();
  return act;
}

/** The same request, of the same person or of another. */
function sendAgain({ rig }: Desk, act: Act): Act {
  if (rig.random(2) === 0) return act;
  const person = one(rig.random, rig.people);
  const { headers, isProven } = credentials(rig, person, "cookie" in act.headers);
  const { cookie: _, authorization: __, ...rest } = act.headers;
  return { ...act, person, headers: { ...rest, ...headers }, isProven };
}

async function newAct(desk: Desk): Promise<Act> {
  const { rig } = desk;
  const entry = pick(rig.random, rig.random(10) === 0 ? ENTRIES : STAFF_ENTRIES);
  const person = somebodyFor(rig, entry);
  const hand: Hand = { ...rig, ids: desk.ids, deposits: desk.deposits, me: person };
  return "route" in entry ? call(rig, hand, entry) : sendForm(desk, hand, entry);
}

function pick(random: Rig["random"], entries: readonly Entry[]): Entry {
  const total = entries.reduce((sum, { weight }) => sum + weight, 0);
  let left = random(total);
  return entries.find(({ weight }) => {
    left -= weight;
    return left < 0;
  })!;
}

/** Mostly somebody who had the right when the shop opened. */
function somebodyFor({ random, people }: Rig, { rights }: Entry): Insider | null {
  if (random(60) === 0) return null;
  const able = people.filter(({ role }) => rights.every((right) => hasRight({ roles: [role] }, right)));
  return one(random, random(10) < 7 && able.length > 0 ? able : people);
}

/** A login of theirs: the newest, or now and then an old one that should be over. */
function credentials({ random }: Rig, person: Insider | null, isBrowser: boolean) {
  if (!person) return { headers: {}, isProven: false };
  const isProven = random(8) > 0;
  const logins = isProven ? person.proven : person.unproven;
  const token = (random(12) === 0 ? one(random, logins) : logins.at(-1)) ?? "none";
  const headers: Record<string, string> = isBrowser
    ? { cookie: `${SESSION_COOKIE}=${token}`, origin: ORIGIN }
    : { authorization: `Bearer ${token}` };
  return { headers, isProven };
}

/** The address, with an id that exists or, rarely, one that does not. */
function addressOf(hand: Hand, { path, subject }: Pick<Page, "path" | "subject">): string {
  const id = subject && hand.random(40) > 0 ? early(hand.random, hand.ids[subject]) : String(hand.random(40));
  let n = 0;
  return path.replace(/:(\w+)/g, (_, name: string) => {
    n += 1;
    if (name === "operator" || name === "network") return one(hand.random, hand.ids.network) ?? "MTN";
    return encodeURIComponent(n === 1 ? (id ?? "1") : String(hand.random(5)));
  });
}

function call(rig: Rig, hand: Hand, entry: Entry & { route: object }): Act {
  const { route, body: schema } = entry as Extract<Entry, { route: unknown }>;
  const { random } = rig;
  const { headers, isProven } = credentials(rig, hand.me, false);
  const isShown = !isProven && random(3) === 0;
  const example = route.example as Record<string, unknown> | undefined;
  const body = schema ? (valueFor(hand, "", schema, example) as Record<string, unknown>) : null;
  if (body && random(10) === 0) {
    const names = Object.keys(body);
    if (names.length > 0) body[one(random, names)] = hostile(hand);
  }
  return {
    ...{ entry, person: hand.me, method: route.method, address: addressOf(hand, entry) },
    headers: {
      ...headers,
      ...(body && { "content-type": "application/json" }),
      ...(route.takesKey && random(3) > 0 && { "idempotency-key": keyOf(random) }),
      ...(isShown && { "x-confirm": random(5) > 0 ? PASSWORD : "not the password" }),
    },
    body: body && JSON.stringify(body),
    isProven: isProven || isShown,
  };
}

/** Mostly new; a few are used over and over, for other things. */
const keyOf = (random: Rig["random"]) =>
  random(12) === 0 ? `key-${random(5)}` : `key-${random(2 ** 30)}-${random(2 ** 30)}`;

async function sendForm(desk: Desk, hand: Hand, entry: Entry): Promise<Act> {
  const { rig } = desk;
  const { random } = rig;
  const { page, action } = entry as Extract<Entry, { page: unknown }>;
  if (page.show && (random(6) === 0 || !desk.forms.has(entry.name))) await look(desk, hand, page);
  if (random(20) === 0) await look(desk, hand, one(random, STAFF_PAGES));
  const seen = desk.forms.get(entry.name);
  const form = seen && random(10) > 0 ? one(random, seen) : null;
  const { headers, isProven } = credentials(rig, hand.me, true);
  const isShown = !isProven && random(3) === 0;
  const typed = form ? filledIn(hand, form, action) : blind(hand, entry as Extract<Entry, { page: unknown }>);
  if (isShown) typed.set("confirmation", random(5) > 0 ? PASSWORD : "not the password");
  return {
    ...{ entry, person: hand.me, method: "POST", address: form?.action || addressOf(hand, entry) },
    headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
    body: typed.toString(),
    isProven: isProven || isShown,
  };
}

/** A form as its page gave it, with what somebody types and chooses in it. */
function filledIn(hand: Hand, form: Form, action: string | null): URLSearchParams {
  const typed = new URLSearchParams();
  for (const field of form.fields) {
    const value = typedInto(hand, field);
    if (value !== null) typed.append(field.name, value);
  }
  const buttons = form.buttons.filter(({ name, value }) => name !== ACTION || value.split(" ")[0] === action);
  const button = buttons.length > 0 ? one(hand.random, buttons) : null;
  if (button) typed.set(button.name, button.value);
  else if (action !== null) typed.set(ACTION, action);
  return typed;
}

/** Null for a box that is left alone. What is hidden stays, but for those who tamper with it. */
function typedInto(hand: Hand, { name, type, value, options }: Field): string | null {
  const { random } = hand;
  if (type === "hidden") return random(25) === 0 ? text(plausible(hand, name) ?? hostile(hand)) : value;
  if (type === "checkbox" || type === "radio") return random(2) === 0 ? value || "on" : null;
  if (options.length > 0) return one(random, options);
  return value !== "" && random(2) === 0 ? value : text(plausible(hand, name) ?? value);
}

/** What a form would send that nobody has seen. */
function blind(hand: Hand, { action, fields }: Extract<Entry, { page: unknown }>): URLSearchParams {
  const typed = new URLSearchParams();
  const made = fields ? objectFor(hand, fields) : {};
  for (const [name, value] of Object.entries(made)) typed.append(name, text(value));
  if (action !== null) typed.set(ACTION, action);
  typed.set("key", keyOf(hand.random));
  return typed;
}

function text(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Opens a page as somebody who may see it, and keeps its forms. */
async function look(desk: Desk, hand: Hand, page: Page): Promise<void> {
  const { rig } = desk;
  const { random, people } = rig;
  const { right } = page;
  const able = people.filter(({ role }) => right && hasRight({ roles: [role] }, right));
  const viewer = right ? one(random, able) : (hand.me ?? one(random, people));
  if (!viewer) return;
  const token = viewer.proven.at(-1) ?? "none";
  desk.looks += 1;
  const response = await viewer.app.fetch(
    new Request(ORIGIN + addressOf(hand, page), { headers: { cookie: `${SESSION_COOKIE}=${token}` } }),
  );
  if (response.status !== 200 || !response.headers.get("content-type")?.includes("html")) {
    await response.body?.cancel();
    return;
  }
  for (const form of formsIn(await response.text())) keepForm(desk, form);
}

function keepForm({ forms }: Desk, form: Form): void {
  const own = form.fields.find(({ name, type }) => name === ACTION && type === "hidden")?.value;
  const named = [own, ...form.buttons.filter(({ name }) => name === ACTION).map(({ value }) => value)];
  const actions = new Set(named.filter((one) => one !== undefined).map((value) => value.split(" ")[0]!));
  const path = form.action.replace(/[?#].*/, "");
  for (const entry of entriesAt(path, actions)) {
    const kept = forms.get(entry.name) ?? [];
    kept.push(form);
    if (kept.length > FORMS_KEPT) kept.shift();
    forms.set(entry.name, kept);
  }
}

const PATTERNS = ENTRIES.flatMap((entry) =>
  "page" in entry ? [{ entry, pattern: new RegExp(`^${entry.path.replace(/:\w+/g, "[^/]+")}$`) }] : [],
);

function entriesAt(path: string, actions: ReadonlySet<string>): Entry[] {
  const exact = PATTERNS.filter(({ entry }) => entry.path === path);
  const fitting = exact.length > 0 ? exact : PATTERNS.filter(({ pattern }) => pattern.test(path));
  return fitting
    .map(({ entry }) => entry)
    .filter(({ action }) => (actions.size === 0 ? action === null : action === null || actions.has(action)));
}

/** Sends an act; its answer as somebody sees it. */
export async function send({ rig }: Desk, act: Act): Promise<Outcome> {
  const { person, method, address, headers, body } = act;
  const { app } = person ?? rig.people[0]!;
  const url = new URL(address, ORIGIN);
  // What begins with two slashes would be another site's.
  const target = url.origin === ORIGIN ? url.href : ORIGIN;
  const response = await app.fetch(new Request(target, { method, headers, ...(body !== null && { body }) }));
  const answer = await response.text();
  return { act, status: response.status, text: answer };
}
