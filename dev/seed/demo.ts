// The demonstration shop: invented people and a month of their orders, created through the core like any other, so that
// the books balance. Afterwards the timestamps of that minute are spread over the month they represent.
import { sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import { products as productsTable } from "../../db/schema/catalog.ts";
import { phones } from "../../db/schema/identity.ts";
import { shopFacts } from "../../db/schema/platform.ts";
import type { CardSafe } from "../../src/core/afa/card-safe.ts";
import * as buying from "../../src/core/buying/buy.ts";
import { buyBulk } from "../../src/core/buying/buy-bulk.ts";
import * as unpaidOrders from "../../src/core/buying/unpaid-orders.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as newOrders from "../../src/core/fulfilment/desk/new-orders.ts";
import * as pins from "../../src/core/identity/phones/pins.ts";
import * as users from "../../src/core/identity/users.ts";
import * as wallet from "../../src/core/ledger/wallet.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import * as operatorRegistry from "../../src/core/platform/operator-registry.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import type { AdminTarget, ByUser, Operator } from "../../src/shared/domain.ts";
import { parseCedis } from "../../src/shared/money.ts";
import { afaStories } from "./afa.ts";
import { BUNDLES_ON_SALE } from "./bundles.ts";
import { askSecondPerson, suspendSecondPerson } from "./demo-approvals.ts";
import { customerDraws, noteDebts, openBooks } from "./demo-books.ts";
import { takesRefundBack } from "./demo-desk.ts";
import { DEMO_PITCH } from "./demo-landing.ts";
import { setMargins, vendorBecomesDearer } from "./demo-margins.ts";
import { fillMoney } from "./demo-money.ts";
import { openPaystack } from "./demo-paystack.ts";
import { DEMO_PEOPLE } from "./demo-people.ts";
import { noteDataRequests } from "./demo-privacy.ts";
import { raiseSignals } from "./demo-signals.ts";
import { askSupport } from "./demo-support.ts";
import { keepViews } from "./demo-views.ts";
import { discardSeed } from "./discard.ts";
import { numberFor, pick, randomFrom } from "./draws.ts";
import { markOf, spreadOverTheMonth } from "./moments.ts";

const DAYS = 30;
const DAY_MS = 86_400_000;
/** How long before its first sale the shop opens. */
const BEFORE_MS = 3_600_000;

type SeedOptions = {
  cards?: CardSafe;
  pinKeys?: pins.PinKeys;
  log?: (line: string) => void;
  /** The file of the simulated Paystack, which then knows the same payments; null: the shop has a real one. */
  paystackFile?: string | null;
};

/**
 * Seeds an empty database; returns false, and changes nothing, when it has accounts. An interrupted seed is discarded
 * and started again.
 */
export async function seedDemo(db: Db, options: SeedOptions = {}): Promise<boolean> {
  const [facts] = await db.select().from(shopFacts);
  if (facts!.seeding) await discardSeed(db);
  const [somebody] = await db.execute(sql`select 1 from users limit 1`);
  if (somebody) return false;
  options.log?.("Filling the demonstration shop …");
  await operatorRegistry.renew(db);
  await db.update(shopFacts).set({ seeding: true });
  await suspendSecondPerson(db);
  const marks = [await markOf(db, Date.now() - (DAYS * DAY_MS + BEFORE_MS))];
  const scene = await openScene(db);
  await showContacts(scene);
  const { cards, paystackFile } = options;
  const paystack = paystackFile === null ? null : await openPaystack(scene, paystackFile ?? null);
  const steps = [...plan(scene), ...(cards ? afaStories(scene, cards) : []), ...(paystack?.steps ?? [])];
  try {
    for (const step of steps.sort((a, b) => a.at - b.at)) {
      marks.push(await markOf(db, step.at));
      await step.act();
    }
  } finally {
    await paystack?.close();
  }
  await spreadOverTheMonth(db, marks);
  await noteDebts(scene);
  await startDelivery(scene);
  await askSupport(db, { admin: scene.admin, ama: scene.by("ama"), esi: scene.by("esi") });
  await keepViews(db, scene.admin);
  const desk: ByUser = { ...scene.by("kojo"), roles: ["DESK"] };
  const agents = { ama: scene.by("ama"), esi: scene.by("esi") };
  await fillMoney(db, { admin: scene.admin, desk, managerId: scene.idOf("akua"), ...agents });
  await noteDataRequests(db, scene.idOf("ama"));
  const support: ByUser = { ...scene.by("adwoa"), roles: ["SUPPORT"] };
  await raiseSignals(db, { admin: scene.admin, support, kofi: scene.by("kofi") });
  if (options.pinKeys) await addPhones(scene, options.pinKeys);
  const manager: ByUser = { ...scene.by("akua"), roles: ["MANAGER"] };
  await askSecondPerson(db, { admin: scene.admin, manager, amaId: scene.idOf("ama") });
  await db.update(shopFacts).set({ demonstration: true, seeding: false });
  return true;
}

export type Scene = {
  db: Db;
  admin: ByUser;
  by: (username: string) => ByUser;
  idOf: (username: string) => number;
  bundles: products.ProductOnSale[];
  random: () => number;
  /** The number of a regular customer for the next sale of an agent, or null. */
  customerFor: (username: string, operator: Operator) => string | null;
  now: number;
};
export type Step = { at: number; act: () => Promise<unknown> };

async function openScene(db: Db): Promise<Scene> {
  const [yaw, ...agents] = DEMO_PEOPLE;
  const first = await users.ensureAdmin(db, yaw!);
  const admin: ByUser = { userId: first!.id, roles: ["ADMIN"], channel: "admin" };
  const ids = new Map<string, number>();
  await users.edit(db, { by: admin, userId: first!.id, username: yaw!.username });
  for (const { username, email, password, role } of agents) {
    const user = await users.create(db, { by: admin, username, email, password, roles: [role] });
    ids.set(username, user.id);
  }
  for (const { operator, family, name, sizes } of BUNDLES_ON_SALE) {
    for (const [size, price] of Object.entries(sizes)) {
      const product = { operator, family, name, size, pricePesewas: parseCedis(price)! };
      await products.add(db, { by: admin, ...product, confirmPrice: true });
    }
  }
  await products.ensureAfa(db);
  const idOf = (username: string) => ids.get(username)!;
  const bundles = await products.list(db);
  await setMargins(db, { by: admin, bundles, afaId: (await products.afa(db)).id, idOf });
  return {
    db,
    admin,
    idOf,
    by: (username) => ({ userId: idOf(username), roles: ["USER"], channel: "web" }),
    bundles,
    random: randomFrom(20_261_121),
    customerFor: customerDraws(),
    now: Date.now(),
  };
}

/** Sets contacts for manual top-ups, support and the landing page; nobody has these numbers. */
async function showContacts({ db, admin: by }: Scene): Promise<void> {
  const contacts = {
    support_email: "support@example.com",
    support_phone: "030 000 0000",
    support_whatsapp: "024 000 0000",
  };
  const payment = { manual_payment_number: "024 000 0000", manual_payment_name: "DataFie demonstration" };
  // No delivery promise for orders of past weeks.
  await settings.change(db, {
    by,
    values: { ...contacts, ...payment, ...DEMO_PITCH, ussd_code: "*920*55#", refund_promise_minutes: 0 },
  });
}

/** From now on vendors deliver quickly, and with a short delivery promise, so that one can watch. */
async function startDelivery({ db, admin: by }: Scene): Promise<void> {
  const values = {
    ussd_registration: true,
    dispatch_hold_seconds: 15,
    complete_after_seconds: 60,
    refund_promise_minutes: 60,
    route_mtn: "datamart",
    route_telecel: "datamart",
    route_at_ishare: "hubnet",
    route_at_bigtime: "hubnet",
  };
  await settings.change(db, { by, values });
}

/** Last of all, so that no SMS are sent about past weeks. */
async function addPhones({ db, by, idOf }: Scene, pinKeys: pins.PinKeys): Promise<void> {
  for (const { username, password: currentPassword, phone } of DEMO_PEOPLE) {
    if (!phone) continue;
    const { msisdn, pin } = phone;
    await db.insert(phones).values({ userId: idOf(username), msisdn, wantsDeliveries: true });
    await pins.set(db, pinKeys, { by: by(username), pin, currentPassword });
  }
}

/** The steps of the last month. */
function plan(scene: Scene): Step[] {
  const { now, admin, db, idOf } = scene;
  const start = now - DAYS * DAY_MS;
  const fund = (at: number, username: string, cedis: string, reason: string): Step => ({
    at,
    act: () =>
      wallet.adjust(db, {
        by: admin,
        key: null,
        userId: idOf(username),
        amountPesewas: parseCedis(cedis)!,
        reason,
      }),
  });
  const steps: Step[] = [
    openBooks(scene, start),
    fund(start, "ama", "5000", "Bank transfer, receipt 1001"),
    fund(start + 10 * DAY_MS, "ama", "3500", "Bank transfer, receipt 1017"),
    fund(start, "esi", "2500", "Mobile money, receipt 1002"),
    fund(start + 14 * DAY_MS, "esi", "1500", "Mobile money, receipt 1021"),
    fund(start, "kofi", "400", "Cash at the office, receipt 1003"),
    fund(start, "efua", "150", "Cash at the office, receipt 1004"),
  ];
  for (let n = 0; n < 330; n++) {
    const username = pick(scene.random, ["ama", "ama", "ama", "esi", "esi", "kofi"]);
    steps.push(...orderStory(scene, username, start + (n + scene.random()) * ((DAYS * DAY_MS - 600_000) / 330)));
  }
  for (let minute = 2; minute < 40; minute += 4) {
    steps.push(...orderStory(scene, pick(scene.random, ["ama", "esi"]), now - minute * 60_000));
  }
  steps.push(bulkStory(scene, "ama", now - 6 * DAY_MS, 40), bulkStory(scene, "esi", now - 2 * DAY_MS, 12));
  steps.push(unpaidStory(scene, "esi", now - 40 * 60_000), unpaidStory(scene, "ama", now - 25 * 60_000));
  const takeAll = () => newOrders.take(db, { by: admin, key: null, operator: null });
  steps.push({ at: now - 41 * 60_000, act: takeAll });
  steps.push({ at: now - 20 * 60_000, act: () => setBalance(scene, "kofi", "2.10") });
  steps.push({ at: now - 3 * DAY_MS, act: () => users.ban(db, { by: admin, userId: idOf("efua") }) });
  steps.push({ at: now - 60_000, act: () => pauseOne(db) });
  steps.push(vendorBecomesDearer(scene, now - 26 * 3_600_000));
  steps.push(takesRefundBack(scene));
  return steps;
}

/** The steps of one order; old ones are finished, the newest still wait. */
function orderStory(scene: Scene, username: string, at: number): Step[] {
  const { db, admin, random, now } = scene;
  const bundle = bundleFor(scene, username);
  const somebody = numberFor(random, bundle.operator);
  const msisdn = scene.customerFor(username, bundle.operator) ?? somebody;
  const quantity = random() < 0.9 ? 1 : 2;
  let id: number | null = null;
  const move = (minutes: number, to: AdminTarget, reason?: string): Step => ({
    at: at + minutes * 60_000,
    act: async () => id !== null && statusChanges.move(db, { by: admin, key: null, ids: [id], to, reason }),
  });
  const buy: Step = {
    at,
    act: async () => {
      const line = { productId: bundle.id, msisdn, quantity };
      const purchase = { by: scene.by(username), key: null, line, allowDuplicate: true };
      // An agent whose wallet is empty by then buys nothing.
      id = await buying.buy(db, purchase).then(
        ({ answer }) => answer.order.id,
        () => null,
      );
    },
  };
  const ageMs = now - at;
  const fate = random();
  const steps = [buy];
  const sentAfter = ageMs > 45 * 60_000 ? 4 + random() * 20 : null;
  // The others are taken together, as an open batch.
  const isOver = fate < 0.035 || ageMs > 5 * 3_600_000;
  if (sentAfter && isOver) steps.push(move(sentAfter, "PROCESSING"));
  if (fate < 0.035) {
    steps.push(move(26, "FAILED", pick(random, ["Number not on this network", "Declined by the operator"])));
  } else if (ageMs > 5 * 3_600_000) {
    steps.push(move(26 + random() * 30, "DELIVERED"));
    if (fate > 0.2) steps.push(move(60 + random() * 60, "COMPLETED"));
  }
  return steps.filter((step) => step.at < now);
}

function bulkStory(scene: Scene, username: string, at: number, count: number): Step {
  const { db, admin, random } = scene;
  const bundle = scene.bundles.find((candidate) => candidate.operator === "MTN" && candidate.size === "2GB")!;
  const lines = Array.from({ length: count }, () => ({
    productId: bundle.id,
    msisdn: numberFor(random, "MTN"),
    quantity: 1,
  }));
  return {
    at,
    act: async () => {
      const purchase = { by: scene.by(username), key: null, lines, allowDuplicate: true };
      const { answer } = await buyBulk(db, purchase);
      const ids = answer.orders.map((order) => order.id);
      await statusChanges.move(db, { by: admin, key: null, ids, to: "PROCESSING" });
      await statusChanges.move(db, { by: admin, key: null, ids, to: "COMPLETED" });
    },
  };
}

/** An order that was created and has not been paid. */
function unpaidStory(scene: Scene, username: string, at: number): Step {
  const bundle = bundleFor(scene, username);
  const line = { productId: bundle.id, msisdn: numberFor(scene.random, bundle.operator), quantity: 1 };
  return {
    at,
    act: () => unpaidOrders.create(scene.db, { by: scene.by(username), key: null, line, allowDuplicate: true }),
  };
}

/** Adjusts a wallet to a figure that the README mentions. */
async function setBalance({ db, admin, idOf }: Scene, username: string, cedis: string): Promise<void> {
  const userId = idOf(username);
  const amountPesewas = parseCedis(cedis)! - (await wallet.balance(db, userId));
  if (amountPesewas === 0) return;
  await wallet.adjust(db, { by: admin, key: null, userId, amountPesewas, reason: "Paid out at the office" });
}

async function pauseOne(db: Db): Promise<void> {
  await db
    .update(productsTable)
    .set({ pausedMessage: "AT Big Time is delayed at the operator today" })
    .where(sql`name = 'AT Big Time' and size = '60GB'`);
}

/** Small bundles dominate; shops take larger ones now and then. */
function bundleFor({ bundles, random }: Scene, username: string): products.ProductOnSale {
  const operator = pick<Operator>(random, ["MTN", "MTN", "MTN", "AIRTELTIGO", "TELECEL"]);
  const wanted = pick(
    random,
    username === "kofi" ? ["1GB", "2GB"] : ["1GB", "1GB", "2GB", "2GB", "3GB", "5GB", "5GB", "10GB", "20GB"],
  );
  return bundles.find((bundle) => bundle.operator === operator && bundle.size === wanted) ?? bundles[0]!;
}
