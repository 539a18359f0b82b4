// All pages with their addresses in a shop in use, for tests of rules that apply to every page.

import { sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import { phones } from "../../db/schema/identity.ts";
import type { PaystackSimulator } from "../../dev/simulators/paystack/paystack.ts";
import * as afa from "../../src/core/afa/registrations.ts";
import * as approvals from "../../src/core/approvals/requests.ts";
import * as customerDebts from "../../src/core/books/customer-debts.ts";
import * as receipts from "../../src/core/books/receipts.ts";
import * as drafts from "../../src/core/buying/bulk-drafts.ts";
import * as orders from "../../src/core/buying/buy.ts";
import { buyBulk } from "../../src/core/buying/buy-bulk.ts";
import * as unpaidOrders from "../../src/core/buying/unpaid-orders.ts";
import * as costs from "../../src/core/catalog/costs.ts";
import * as priceChanges from "../../src/core/catalog/price-changes.ts";
import * as priceLists from "../../src/core/catalog/price-lists.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as sellingPrices from "../../src/core/catalog/selling-prices.ts";
import * as tiers from "../../src/core/catalog/tiers.ts";
import * as desk from "../../src/core/fulfilment/desk/desk.ts";
import * as attemptQueue from "../../src/core/fulfilment/queue.ts";
import * as vendors from "../../src/core/fulfilment/vendors.ts";
import * as ownKeys from "../../src/core/identity/api-keys.ts";
import * as contacts from "../../src/core/identity/contacts.ts";
import * as users from "../../src/core/identity/users.ts";
import * as ledger from "../../src/core/ledger/ledger.ts";
import * as wallet from "../../src/core/ledger/wallet.ts";
import * as messages from "../../src/core/messaging/messages.ts";
import * as cancelling from "../../src/core/orders/cancelling.ts";
import * as disputes from "../../src/core/orders/disputes.ts";
import type { Order } from "../../src/core/orders/order.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import * as timeline from "../../src/core/orders/timeline.ts";
import * as transitions from "../../src/core/orders/transitions.ts";
import * as cash from "../../src/core/payments/cash/cash.ts";
import * as cashBank from "../../src/core/payments/cash/cash-bank.ts";
import * as depositReversals from "../../src/core/payments/deposits/deposit-reversals.ts";
import * as deposits from "../../src/core/payments/deposits/deposits.ts";
import * as statements from "../../src/core/payments/deposits/statements.ts";
import * as payments from "../../src/core/payments/payments.ts";
import * as payouts from "../../src/core/payments/payouts.ts";
import * as reversals from "../../src/core/payments/reversals.ts";
import { settle } from "../../src/core/payments/settlement.ts";
import { newRequestId } from "../../src/core/platform/request-ids.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import * as profitDays from "../../src/core/reports/profit-days.ts";
import { createRequestRecorder } from "../../src/core/requests/recorder.ts";
import * as agentNotes from "../../src/core/signals/agent-notes.ts";
import * as raising from "../../src/core/signals/raising.ts";
import * as signals from "../../src/core/signals/signals.ts";
import * as keptAnswers from "../../src/core/support/kept-answers.ts";
import * as support from "../../src/core/support/requests.ts";
import * as webhookDeliveries from "../../src/core/webhooks/deliveries.ts";
import * as hooks from "../../src/core/webhooks/endpoints.ts";
import { createPaystack } from "../../src/gateways/paystack.ts";
import type { Subject } from "../../src/http/subject.ts";
import type { ByUser } from "../../src/shared/domain.ts";
import { DESK } from "../../src/shared/domain.ts";
import { allOperators, operatorCodes } from "../../src/shared/operators.ts";
import type { Page } from "../../src/web/page.tsx";
import { networkPage, pages } from "../../src/web/pages/index.tsx";
import { correctionOf } from "./approvals.ts";
import { deskTakes } from "./costs.ts";
import { makeKey, rotateKey } from "./keys.ts";
import { paidHoursAgo } from "./past.ts";
import { pauseNetwork, pauseProduct } from "./pausing.ts";
import { openHook } from "./webhook.ts";
import { createTestHooks, type Person, TEST_CARDS, TEST_JWT_SECRET, type World } from "./world.ts";

/** The ids in the addresses of a shop in use. */
export type Used = {
  agent: Person;
  order: number;
  unpaidOrder: number;
  product: number;
  paused: number;
  claim: number;
  /** An import of the statement that is being checked. */
  statementDraft: number;
  /** A colleague's cash that waits to be accepted. */
  cashClose: number;
  /** Cash that a colleague brought to the bank. */
  bankDeposit: number;
  /** A payout to the bank. */
  payout: number;
  /** A credited deposit that the network took back. */
  depositReversal: number;
  /** References of payments: one pending, one credited. */
  waiting: string;
  paid: string;
  /** A payment in review, and an open chargeback. */
  review: number;
  chargeback: number;
  bulk: number;
  draft: number;
  /** The token of the agent's public price list. */
  priceList: string;
  /** A tier, and a change of prices. */
  tier: number;
  priceChange: number;
  /** Registrations: one waiting, one refused. */
  afa: number;
  refusedAfa: number;
  batch: number;
  /** A request for a second person. */
  approval: number;
  /** An open signal about the agent, and a closed one. */
  signal: number;
  closedSignal: number;
  /** Support requests: an ordinary one and a dispute; and an order that was delivered. */
  request: number;
  case: number;
  /** An answer that is kept to be sent again. */
  keptAnswer: number;
  delivered: number;
  /** A webhook with messages of every outcome, and one of these. */
  hook: number;
  hookDelivery: number;
  /** Requests of a program: one that was answered, and one that was refused. */
  apiRequest: number;
  refusedApiRequest: number;
  /** API keys: one in use with every limit, one that was replaced, and one that was revoked. */
  apiKeys: number[];
};

export type ListedPage = {
  as: "visitor" | "agent" | "admin";
  /** The path as its page declares it. */
  path: string;
  /** Whether it also opens in an empty shop, at its path. */
  needsNothing: boolean;
  addresses: (used: Used) => string[];
};

/** The ids of the pages' subjects in a shop in use. */
export const IDS: Record<Subject, (used: Used) => (number | string)[]> = {
  order: ({ order, unpaidOrder, delivered }) => [order, unpaidOrder, delivered],
  unpaidOrder: ({ unpaidOrder }) => [unpaidOrder],
  deliveredOrder: ({ delivered }) => [delivered],
  receipt: ({ order, unpaidOrder, delivered }) => [order, unpaidOrder, delivered].map(receiptToken),
  bulkOrder: ({ bulk }) => [bulk],
  draft: ({ draft }) => [draft],
  registration: ({ afa, refusedAfa }) => [afa, refusedAfa],
  deposit: ({ claim }) => [claim],
  statementDraft: ({ statementDraft }) => [statementDraft],
  cashClose: ({ cashClose }) => [cashClose],
  bankDeposit: ({ bankDeposit }) => [bankDeposit],
  payout: ({ payout }) => [payout],
  depositReversal: ({ depositReversal }) => [depositReversal],
  paymentReference: ({ waiting, paid }) => [waiting, paid],
  payment: ({ review }) => [review],
  chargeback: ({ chargeback }) => [chargeback],
  request: (used) => [used.request, used.case],
  dispute: (used) => [used.case],
  keptAnswer: (used) => [used.keptAnswer],
  webhook: ({ hook }) => [hook],
  apiRequest: (used) => [used.apiRequest, used.refusedApiRequest],
  webhookDelivery: ({ hookDelivery }) => [hookDelivery],
  apiKey: (used) => used.apiKeys,
  product: ({ product, paused }) => [product, paused],
  network: () => ["AIRTELTIGO"],
  priceList: ({ priceList }) => [priceList],
  tier: ({ tier }) => [tier],
  priceChange: ({ priceChange }) => [priceChange],
  user: ({ agent }) => [agent.id],
  approval: ({ approval }) => [approval],
  batch: ({ batch }) => [batch],
  signal: ({ signal, closedSignal }) => [signal, closedSignal],
  signalRule: () => ["losses", "young_top_up"],
  provider: () => ["paystack", "email"],
  vendor: () => ["hubnet"],
  apiCall: () => ["post-orders", "get-wallet-statement"],
};

/** The token of an order's receipt in a shop with the tests' secret. */
export function receiptToken(orderId: number): string {
  return receipts.tokenOf(receipts.receiptKeysOf(TEST_JWT_SECRET), orderId);
}

const AS = { anyone: "visitor", user: "agent" } as const;

/** A page with its addresses: one for each id that it can be about and each of its examples. */
function listed({ path, role, right, subject: of, examples = [""] }: Page): ListedPage {
  const filled = (example: string, used: Used) =>
    example.replace(/:(\w+)/, (_, subject: Subject) => String(IDS[subject](used)[0]));
  return {
    as: right ? "admin" : AS[role],
    path,
    needsNothing: of === undefined && examples.includes(""),
    addresses: (used) =>
      (of ? IDS[of](used) : [""]).flatMap((id) =>
        examples.map((example) => path.replace(/:\w+/, String(id)) + filled(example, used)),
      ),
  };
}

/** The addresses of a fresh shop's networks, each a page of its own to tests. */
const networkPages = allOperators().map(({ path }) => ({ ...networkPage, path }));
const shown = [...pages, ...networkPages].filter(({ show, examples }) => show && examples?.length !== 0).map(listed);
/** Pages that are shown to more than one kind of people. */
const ALSO = {
  "/status": "agent",
  "/orders": "admin",
  "/orders/:id": "admin",
  "/bulk/:id": "admin",
} as const;

export const PAGES: ListedPage[] = [
  ...shown,
  ...Object.entries(ALSO).map(([path, as]) => ({ ...shown.find((page) => page.path === path)!, as })),
];

/** Texts that people typed into a shop. */
export type Texts = {
  username: string;
  email: string;
  product: string;
  size: string;
  message: string;
  name: string;
};

export const ORDINARY: Texts = {
  username: "ama",
  email: "ama@example.com",
  product: "MTN UP2U",
  size: "1GB",
  message: "Back at noon, when the network answers again.",
  name: "Ama Mensah",
};

/**
 * Fills a shop with one of everything that pages show, with these texts. A clock of its own can be moved in `pause`, so
 * that one part happens after another.
 */
export async function fillShop(
  world: World,
  paystack: PaystackSimulator,
  texts = ORDINARY,
  pause = async () => {},
): Promise<Used> {
  const { db, yaw } = world;
  const admin = yaw.by("admin");
  await settings.change(db, {
    by: admin,
    values: {
      manual_payment_number: "0540000000",
      manual_payment_name: texts.name.slice(0, 80),
      support_email: "help@example.com",
      support_phone: "0300000000",
      support_hours: texts.message.slice(0, 80),
    },
  });
  const bundles = [];
  for (const operator of operatorCodes())
    bundles.push(
      (
        await products.add(db, {
          by: admin,
          operator,
          name: texts.product,
          size: "4GB",
          pricePesewas: 390,
        })
      ).answer,
    );
  // As entered before sizes were validated.
  await db.execute(sql`update products set size = ${texts.size} where line = 'bundle'`);
  const pausedBundle = { operator: "MTN", name: texts.product, size: "9GB", pricePesewas: 3000 } as const;
  const { answer: paused } = await products.add(db, { by: admin, ...pausedBundle });
  await pauseProduct(db, { by: admin, productId: paused.id, message: texts.message.slice(0, 200) });
  await costs.allow(db, { by: admin, productId: paused.id, reason: texts.message.slice(0, 200) });
  await products.edit(db, { by: admin, productId: bundles[0]!.id, pricePesewas: 400 });
  await pauseNetwork(db, { by: admin, operator: "TELECEL", message: texts.message.slice(0, 200) });

  await pause();
  const agent = await addAgent(world, texts);
  const banned = await world.person("banned");
  await users.ban(db, { by: admin, userId: banned.id });
  const bundle = bundles[0]!;
  await pause();
  const { order, unpaidOrder, delivered, completed } = await addOrders(world, agent, bundle, texts);
  await pause();
  await addMessages(world, agent, texts);
  await pause();
  const paid = await addPayments(world, paystack, agent);
  await pause();
  const requests = await addRequests(world, agent, order, texts);
  await pause();
  const notReceived = await disputes.open(db, {
    by: agent.by("web"),
    key: null,
    orderId: completed,
    message: texts.message,
  });
  await pause();
  const bulk = await addBulk(world, agent, bundle, texts);
  await pause();
  const people = await addPeople(world, agent, texts);
  await pause();
  const takenInCash = await addCash(world, agent, bundle);
  await pause();
  const batch = await addDelivery(world, agent, bundle, texts);
  await addDials(world);
  await pause();
  const hook = await addHook(world, agent, bundle, texts);
  await pause();
  const apiKeys = await addKeys(world, agent, texts);
  await pause();
  const apiRequests = await addApiRequests(world, agent, { keyId: apiKeys[0]!, order }, texts);
  await pause();
  const priceList = await addBooks(world, agent, bundles, [delivered, completed], texts);
  await pause();
  const prices = await addPrices(world, agent, bundle, texts);
  await pause();
  const approval = await addApprovals(world, agent, texts);
  await pause();
  await addProfit(world, [delivered, completed]);
  await pause();
  const raised = await addSignals(world, agent, texts);
  const made = {
    ...raised,
    order,
    unpaidOrder,
    delivered,
    batch,
    approval,
    ...prices,
    ...requests,
    ...takenInCash,
    ...paid,
    ...bulk,
    ...people,
    ...hook,
    ...apiRequests,
    apiKeys,
  };
  return { agent, product: bundle.id, paused: paused.id, case: notReceived.answer.id, priceList, ...made };
}

/** Dispatches orders to a vendor or the desk before they are due, without waiting for the worker. */
export async function dispatchNow({ db }: World, orderIds: number[], vendor: string): Promise<void> {
  await db.transaction(async (tx) => {
    const locked = await transitions.lockOrders(tx, orderIds);
    await attemptQueue.enqueue(
      tx,
      [...locked.values()].map((order) => ({ order, vendor, number: 1 })),
    );
  });
}

async function addAgent({ db, yaw, person }: World, texts: Texts): Promise<Person> {
  const by = yaw.by("admin");
  const made = await person(`first${texts.username.length}`);
  const {
    answer: { username, email },
  } = await users.edit(db, {
    by,
    userId: made.id,
    username: texts.username,
    email: texts.email,
  });
  await db.insert(phones).values({ userId: made.id, msisdn: "233541111111" });
  for (const amountPesewas of [60_000, -5_000])
    await wallet.adjust(db, {
      by,
      key: null,
      userId: made.id,
      amountPesewas,
      reason: texts.message.slice(0, 300),
    });
  return { ...made, username, email: email! };
}

/** Requests for a second person: one open, and one of each outcome that a person decides. */
async function addApprovals({ db, yaw }: World, agent: Person, texts: Texts): Promise<number> {
  const by = yaw.by("admin");
  const ask = (n: number) =>
    approvals.ask(db, by, correctionOf(agent, `wallet ${n}`, texts.message.slice(0, 300)), null);
  const withdrawn = await ask(1);
  await approvals.withdraw(db, { by, approvalId: withdrawn.id });
  return (await ask(agent.id)).id;
}

/** Messages of every outcome, with texts of people and networks. */
async function addMessages({ db }: World, agent: Person, texts: Texts): Promise<void> {
  const to = { userId: agent.id, kind: "support_answered", recipient: "233541111111", subject: "" };
  const body = texts.message.slice(0, 160);
  const ids = await db.transaction((tx) =>
    messages.queueAll(tx, [
      { ...to, channel: "sms", body },
      { ...to, channel: "sms", body },
      { ...to, channel: "sms", body, kind: "phone_code", codeSeconds: 900 },
      { ...to, channel: "email", recipient: agent.email, subject: body, body: texts.message },
    ]),
  );
  const [failed, undelivered] = ids as [number, number];
  await db.execute(sql`update messages set state = 'failed', last_error = ${body} where id = ${failed}`);
  await db.execute(sql`
    update messages set state = 'undelivered', report_status = 'Failed', report_reason = ${body}
    where id = ${undelivered}`);
}

/** An order in each status, an unpaid one, and some more, so that every list has several pages. */
async function addOrders({ db, yaw }: World, agent: Person, bundle: products.Product, texts: Texts) {
  const by = agent.by("web");
  const line = (n: number) => ({
    productId: bundle.id,
    msisdn: `054${1_000_000 + n}`,
    quantity: 1 + (n % 3),
  });
  const ids: number[] = [];
  for (let n = 0; n < 6; n++) ids.push((await orders.buy(db, { by, key: null, line: line(n) })).answer.order.id);
  const note = texts.message.slice(0, 300);
  const steps = [[], ["PROCESSING"], ["PROCESSING", "DELIVERED"], ["COMPLETED"], ["FAILED"]] as const;
  for (const [n, statuses] of steps.entries())
    for (const to of statuses)
      await statusChanges.move(db, { by: yaw.by("admin"), key: null, ids: [ids[n]!], to, reason: note });
  await cancelling.cancel(db, { by, key: null, orderId: ids[5]! });
  for (const isForAgent of [true, false])
    await timeline.addNote(db, { by: yaw.by("admin"), key: null, orderId: ids[1]!, note, isForAgent });
  const unpaid = await unpaidOrders.create(db, { by, key: null, line: line(7) });
  return { order: ids[1]!, unpaidOrder: unpaid.answer.id, delivered: ids[2]!, completed: ids[3]! };
}

/** Payments: one pending, one failed, one credited, one reversed, one in review, and one charged back. */
async function addPayments({ db }: World, paystack: PaystackSimulator, agent: Person) {
  const gateway = createPaystack({ baseUrl: paystack.url, secretKey: paystack.secretKey });
  const by = agent.by("web");
  const open = async (amountPesewas: number) => {
    const { answer } = await payments.startTopUp(db, { by, key: null, amountPesewas });
    const back = { callbackUrl: "http://localhost/payments/return", cancelUrl: "http://localhost/wallet" };
    const ask = { by, subject: { paymentId: answer.id }, email: "payer@example.com", ...back };
    return (await payments.checkOut(db, gateway, ask)).reference;
  };
  const [waiting, paid, failed, reversed, short, disputed] = [
    await open(2000),
    await open(3000),
    await open(4000),
    await open(5000),
    await open(6000),
    await open(7000),
  ];
  for (const reference of [paid, reversed, short, disputed]) await paystack.pay(reference);
  paystack.fail(failed);
  paystack.steer(short, { amount: 5500 });
  for (const reference of [paid, failed, reversed, short, disputed]) await settle(db, gateway, reference);
  const { id: review } = await payments.get(db, by, short);
  const chargeback = await disputedAt(db, await payments.get(db, by, disputed));
  const taken = await payments.get(db, by, reversed);
  await db.transaction(async (tx) => {
    await ledger.lockWallets(tx, [agent.id]);
    await reversals.bookWhole(tx, taken, "Refunded by the bank");
  });
  paystack.settle();
  await payouts.sync(db, gateway);
  return {
    payout: (await payouts.list(db, { limit: 1 }))[0]!.id,
    waiting,
    paid,
    review,
    chargeback,
  };
}

/** An open chargeback of this payment, with two days left. */
async function disputedAt(db: World["db"], payment: payments.Payment): Promise<number> {
  await db.transaction(async (tx) => {
    await ledger.lockWallets(tx, [payment.userId]);
    await reversals.applyChargeback(tx, payment, {
      id: "77",
      amountPesewas: null,
      state: "open",
      dueAt: new Date(Date.now() + 2 * 86_400_000),
      note: "awaiting-merchant-feedback",
    });
  });
  return (await reversals.list(db, { limit: 1 }))[0]!.id;
}

/** A deposit in each state, and requests about every possible subject. */
async function addRequests(
  { db, yaw }: World,
  agent: Person,
  orderId: number,
  texts: Texts,
): Promise<{
  claim: number;
  statementDraft: number;
  depositReversal: number;
  request: number;
  keptAnswer: number;
}> {
  const by = agent.by("web");
  const admin = yaw.by("admin");
  const file = async (transactionId: string) =>
    (await deposits.file(db, { by, transactionId, amountPesewas: 5000 })).id;
  const [open, approved, refused] = [await file("40125566778"), await file("40125566779"), await file("40125566780")];
  await deposits.approve(db, { by: admin, key: null, depositId: approved });
  await deposits.refuse(db, {
    by: admin,
    key: null,
    depositId: refused,
    reason: texts.message.slice(0, 300),
  });
  await deposits.reportDelay(db, { by, depositId: open, message: texts.message });
  await disputes.reportOrder(db, { by, orderId, message: texts.message });
  const { name: fullName, message } = texts;
  const subject = texts.message.slice(0, 150);
  const filed = await support.file(db, { by, fullName, email: agent.email, subject, message });
  await support.reply(db, { by: admin, key: null, requestId: filed.answer.id, message });
  const kept = await keptAnswers.keep(db, { by: admin, name: texts.name.slice(0, 60), message });
  const statementDraft = await addStatement(db, admin, "40125566779", texts.name);
  const depositReversal = (await depositReversals.listOpen(db)).at(-1)!.id;
  return { claim: open, statementDraft, depositReversal, request: filed.answer.id, keptAnswer: kept.answer.id };
}

/** The agent's dispute and a deposit reported again are signals; staff closed one, and wrote about the agent. */
async function addSignals({ db, yaw }: World, agent: Person, texts: Texts) {
  const by = yaw.by("admin");
  await deposits.file(db, { by: agent.by("web"), transactionId: "40125566780", amountPesewas: 5000 });
  await raising.raiseDue(db);
  const [closed, open] = await signals.list(db, { state: "open", userId: agent.id }, { limit: 2 });
  await signals.close(db, { by, signalId: closed!.id, note: texts.message });
  await agentNotes.add(db, { by, key: null, userId: agent.id, note: texts.message });
  return { signal: open!.id, closedSignal: closed!.id };
}

/** Cash that a colleague took for two orders and handed in on two days; the first day is accepted, and at the bank. */
async function addCash(
  { db, yaw }: World,
  agent: Person,
  bundle: products.Product,
): Promise<{ cashClose: number; bankDeposit: number }> {
  const by = yaw.by("admin");
  const colleague = { username: "cashier", email: "cashier@example.com", password: "correct horse battery" };
  const { id: userId } = await users.create(db, { by, ...colleague, roles: ["DESK"] });
  const cashier: ByUser = { userId, roles: ["DESK"], channel: "admin" };
  const handIn = async () => {
    const sold = {
      by: agent.by("web"),
      key: null,
      line: { productId: bundle.id, msisdn: "0543000019", quantity: 1 },
      allowDuplicate: true,
    };
    const { answer } = await unpaidOrders.create(db, sold);
    const paid = { by: cashier, key: null, orderId: answer.id, to: "COMPLETED", paidInCash: true } as const;
    await statusChanges.moveOne(db, paid);
    const { openPesewas } = await cash.standing(db, userId);
    const counted = { expectedPesewas: openPesewas, countedPesewas: openPesewas };
    const given = { by: cashier, key: null, toUserId: yaw.id, ...counted };
    return { ...counted, closeId: (await cash.handIn(db, given)).answer.closeId };
  };
  const first = await handIn();
  await db.execute(sql`update cash_closes set day = day - 1`);
  await cash.decide(db, { by, key: null, ...first, decision: "accept" });
  const bookkeeper = { username: "keeper", email: "keeper@example.com", password: "correct horse battery" };
  const { id: keeperId } = await users.create(db, { by, ...bookkeeper, roles: ["ACCOUNTS"] });
  const keeper: ByUser = { userId: keeperId, roles: ["ACCOUNTS"], channel: "admin" };
  const brought = { by: keeper, key: null, amountPesewas: first.countedPesewas, slip: "0042" };
  const { bankDepositId } = (await cashBank.bring(db, brought)).answer;
  return { cashClose: (await handIn()).closeId, bankDeposit: bankDepositId };
}

/** The statement takes back a credited transfer, and has one that nobody reported; another import is being checked. */
async function addStatement(db: Db, by: ByUser, credited: string, name: string): Promise<number> {
  const network = "mtn";
  const line = { amountPesewas: 5000, senderName: name, senderMsisdn: "233240000001", at: null };
  const lines: statements.NewLine[] = [
    { ...line, direction: "in", transactionId: "40125566790", originalId: null },
    { ...line, direction: "reversal", transactionId: credited, originalId: credited },
  ];
  await statements.importLines(db, { by, key: null, network, source: "api", lines });
  const cells = [
    ["Transaction ID", "Amount", "Direction", "Sender name"],
    ["40125566791", "20.00", "in", name],
    ["none", "20.00", "in", name],
  ];
  return statements.keepDraft(db, { by, network, source: "file", name, cells });
}

/** A bulk order, and a draft with readable and unreadable lines. */
async function addBulk({ db }: World, agent: Person, bundle: products.Product, texts: Texts) {
  const by = agent.by("web");
  const lines = [1, 2, 3].map((n) => ({ productId: bundle.id, msisdn: `054300000${n}`, quantity: n }));
  const { answer } = await buyBulk(db, { by, key: null, lines });
  const draft = await drafts.save(db, {
    by,
    draft: {
      draftId: null,
      key: crypto.randomUUID(),
      operator: "MTN",
      productId: bundle.id,
      lines: `0543000009\n${texts.message}`,
      lineCount: 2,
      isKept: true,
    },
  });
  return { bulk: answer.bulkOrderId, draft };
}

/** Somebody waiting for AFA, and somebody who was refused. */
async function addPeople({ db, yaw }: World, agent: Person, texts: Texts) {
  await products.ensureAfa(db);
  const person = (n: number) => ({
    fullName: texts.name.slice(0, 100),
    phone: `054400000${n}`,
    ghCardId: `GHA-12345678${n}-1`,
    location: texts.message.slice(0, 100),
  });
  const people = [person(1), person(2)];
  const { answer } = await afa.register(db, TEST_CARDS, { by: agent.by("web"), key: null, people });
  const [waiting, refused] = answer.registrations.map(({ id }) => id);
  const reason = texts.message.slice(0, 300);
  await statusChanges.move(db, { by: yaw.by("admin"), key: null, ids: [refused!], to: "FAILED", reason });
  return { afa: waiting!, refusedAfa: refused! };
}

/**
 * An agent's books: customers, one of whom was removed, owing and paid orders, selling prices, one of them below its
 * cost, and a public price list, whose token it returns.
 */
async function addBooks(
  { db }: World,
  agent: Person,
  bundles: products.Product[],
  orderIds: number[],
  texts: Texts,
): Promise<string> {
  const by = agent.by("web");
  const name = texts.name.slice(0, 60);
  for (const msisdn of ["0541000000", "0541000001", "0541000002"])
    await contacts.save(db, { by, msisdn, name, note: texts.message.slice(0, 200) });
  await contacts.remove(db, { by, msisdn: "233541000001" });
  for (const orderId of orderIds) await customerDebts.mark(db, { by, orderId });
  await customerDebts.setPaid(db, { by, orderId: orderIds[1]!, isPaid: true });
  const prices = new Map(bundles.map(({ id }, i) => [id, i === 0 ? 300 : 450]));
  await sellingPrices.save(db, { by, prices });
  return (await priceLists.publish(db, { by, heading: name, msisdn: "0541111111" })).token;
}

/** A webhook with a delivered message, one waiting for a retry, and a failed one. */
async function addHook(world: World, agent: Person, bundle: products.Product, texts: Texts) {
  const { db, yaw } = world;
  const by = agent.by("web");
  const keys = { key: hooks.hookKey(TEST_JWT_SECRET), sender: createTestHooks() };
  const description = texts.message.slice(0, 100);
  const url = `http://hook.example:60000/${encodeURIComponent(texts.username)}`;
  const { hook } = await openHook(db, keys, { by, url, description });
  const line = { productId: bundle.id, msisdn: "0546000001", quantity: 1 };
  const { order } = (await orders.buy(db, { by, key: null, line })).answer;
  for (const to of ["PROCESSING", "DELIVERED", "COMPLETED"] as const)
    await statusChanges.move(db, { by: yaw.by("admin"), key: null, ids: [order.id], to });
  const { answer: ping } = await webhookDeliveries.ping(db, { by, key: null, hookId: hook.id });
  const [, failed, arrived] = await webhookDeliveries.list(db, hook.id, { limit: 4 });
  await db.execute(sql`
    update hook_deliveries set attempts = 2, last_error = 'The connection was refused',
      due_at = now() + interval '1 year' where hook_id = ${hook.id}`);
  await db.execute(sql`
    update hook_deliveries set state = 'failed', attempts = 11, last_status = 500, last_error = null, ended_at = now()
    where id = ${failed!.id}`);
  await db.execute(sql`
    update hook_deliveries set state = 'delivered', attempts = 1, last_status = 204, last_error = null, ended_at = now()
    where id in (${arrived!.id}, ${ping.id})`);
  return { hook: hook.id, hookDelivery: failed!.id };
}

/** Two requests that a program made: an order, and the same once more with too long a note. */
async function addApiRequests({ db }: World, agent: Person, ids: { keyId: number; order: number }, texts: Texts) {
  const { message } = texts;
  const { keyId, order: orderId } = ids;
  const answered = {
    ...{ key: { keyId, userId: agent.id }, at: Date.now(), method: "POST", route: "/api/v1/orders" },
    ...{
      url: `http://localhost/api/v1/orders?from=${encodeURIComponent(message)}`,
      address: "41.66.1.2",
      ms: 14,
    },
    ...{ bulkOrderId: null, idempotencyKey: "sale-17", isReplayed: false, isPurchase: false },
    request: { value: { msisdn: "0541234567", note: message } },
  };
  const recorder = createRequestRecorder(db);
  const accepted = { status: 201, code: null, orderId, answer: { value: { id: orderId, note: message } } };
  recorder.record({ ...answered, ...accepted, requestId: newRequestId(Date.now()) });
  const refused = { status: 422, code: "request.invalid", orderId: null };
  const long = { value: { code: "request.invalid", message, details: message.repeat(200) } };
  recorder.record({ ...answered, ...refused, answer: long, requestId: newRequestId(Date.now()) });
  await recorder.flush();
  const rows = await db.execute<{ id: number }>(sql`select id from api_requests order by id`);
  return { apiRequest: rows[0]!.id, refusedApiRequest: rows[1]!.id };
}

/** API keys in every state. */
async function addKeys({ db }: World, agent: Person, texts: Texts): Promise<number[]> {
  const by = agent.by("web");
  const one = await makeKey(db, by, {
    name: texts.message.slice(0, 60).trim(),
    addresses: ["203.0.113.7", "2001:db8::/32"],
    dayMaxPesewas: 5_000,
    endsAt: new Date(Date.now() + 30 * 86_400_000),
  });
  await db.execute(sql`
    update api_keys set last_used_at = now(), last_used_address = '203.0.113.7' where id = ${one.id}`);
  const replaced = await makeKey(db, by);
  await rotateKey(db, by, replaced.id);
  const revoked = await makeKey(db, by);
  await ownKeys.keeperOf(db, "live").revoke({ by, keyId: revoked.id });
  return [one.id, replaced.id, revoked.id];
}

/** A tier with prices, an exception, a planned price, and a bundle with a cost. */
async function addPrices({ db, yaw }: World, agent: Person, bundle: products.Product, texts: Texts) {
  const by = yaw.by("admin");
  const { answer: tier } = await tiers.add(db, { by, name: texts.name.slice(0, 30) });
  const note = texts.message.slice(0, 200);
  const set = { by, key: null, note, isConfirmed: true };
  const ofTier = { productId: bundle.id, tierId: tier.id };
  const prices = [
    { ...ofTier, pricePesewas: 395 },
    { productId: bundle.id, userId: agent.id, pricePesewas: 400 },
  ];
  const { answer } = await priceChanges.set(db, { ...set, prices, since: null });
  const later = [{ ...ofTier, pricePesewas: 410 }];
  await priceChanges.set(db, { ...set, prices: later, since: new Date(Date.now() + 86_400_000) });
  await deskTakes(db, bundle.id, 385);
  return { tier: tier.id, priceChange: answer.changeId! };
}

/** The profit of orders that have a cost, beside others without one. */
async function addProfit({ db }: World, orderIds: number[]) {
  await db.execute(sql`update orders set cost_pesewas = 385 where id = any(${sql.param(orderIds)}::bigint[])`);
  await profitDays.countDue(db);
}

/** USSD figures of today and the day before. */
async function addDials({ db }: World) {
  await db.execute(sql`
    insert into ussd_days (day, sessions, hops, bought, "left", stumbles)
    values (now()::date, 40, 190, 21, 12, 9), (now()::date - 1, 31, 150, 17, 8, 4)`);
  await db.execute(sql`
    insert into ussd_screen_days (day, screen, shown, "left", stumbles)
    values (now()::date, 'home', 40, 2, 1), (now()::date, 'pay', 31, 7, 5), (now()::date, 'other_network', 6, 3, 0),
           (now()::date, 'bought', 21, 0, 0), (now()::date - 1, 'number', 28, 8, 4)`);
}

/**
 * A desk batch, orders waiting at the desk, a paused vendor with an order that waits for it, and everything that needs
 * attention: an unknown outcome, a vendor's contradiction, a late order, abandoned work.
 */
async function addDelivery(world: World, agent: Person, bundle: products.Product, texts: Texts) {
  const { db, yaw } = world;
  const by = yaw.by("admin");
  const placed: Order[] = [];
  for (let n = 0; n < 6; n++) {
    const line = { productId: bundle.id, msisdn: `054500000${n}`, quantity: 1 };
    placed.push((await orders.buy(db, { by: agent.by("web"), key: null, line })).answer.order);
  }
  const [unknown, loss, waiting, late] = placed.map(({ id }) => id);
  const note = texts.message.slice(0, 200);
  await dispatchNow(world, [unknown!, loss!, waiting!], "hubnet");
  await dispatchNow(
    world,
    placed.slice(3).map(({ id }) => id),
    DESK,
  );
  await db.transaction(async (tx) => {
    // Status checks leave these alone.
    await tx.execute(sql`
      update attempts set state = 'unknown', vendor_message = ${note}, sent_at = now(),
        due_at = now() + interval '1 year'
      where order_id = ${unknown!}`);
    await tx.execute(sql`
      update attempts set state = 'delivered', concern = ${note}, sent_at = now(), ended_at = now()
      where order_id = ${loss!}`);
    await tx.execute(sql`
      insert into jobs (kind, subject_id, dead_at, last_error) values ('complete_order', ${late!}, now(), ${note})`);
  });
  await paidHoursAgo(db, late!, 3);
  await vendors.enrol(db, [{ code: "hubnet" }]);
  await vendors.setPause(db, { by, code: "hubnet", note });
  const { answer } = await desk.take(db, { by, key: null, operator: "MTN", countMax: 2 });
  return answer.batchId;
}
