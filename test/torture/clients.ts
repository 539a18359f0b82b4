// The clients: agents, a payer and an admin who do everything that people do to the shop, over HTTP and by phone, from many
// hands at once. They retry, double, hang up and give up, and write down what they were told.
import type { Phone } from "../simulators/phone.ts";
import { openPhone } from "../simulators/phone.ts";
import { type Agent, PIN, type Program, type Rig } from "./rig.ts";
import {
  type Answer,
  isPassing,
  isRefusal,
  isSuccess,
  type Line,
  type Numbers,
  numbers,
  pesewasOf,
  stateOf,
  type Told,
  type Violation,
} from "./told.ts";

export type Clients = {
  /** Everything that was asked for, with what was answered. */
  told: Told[];
  /** What was seen on the way that may never be. */
  seen: Violation[];
  /** Every request that was sent, whatever came of it. */
  requests: () => number;
  /** No new operations are begun; resolves when each one that was begun has its answer. */
  finish: () => Promise<void>;
};

type Random = (below: number) => number;
/** Who asks: somebody with a password, at an address of their own. */
type Caller = { id: number; email: string; password: string; address: string; token: Promise<string> | null };
type Hand = {
  rig: Rig;
  random: Random;
  clients: Pick<Clients, "told" | "seen">;
  sent: { count: number; isOver: boolean; overSinceMs: number };
  numbers: Numbers;
  callers: Map<number, Caller>;
  /** Phones that are in a session: an agent has one. */
  onPhone: Set<number>;
  /** What can be asked for again under the same key. */
  repeatable: { told: Told; again: () => Promise<Answer | null>; atMs: number }[];
};

/** Of a vendor's troubles, those that answer; calls that hang hold a worker up for long, and are rare. */
const TROUBLES = ["0003", "0009", "0010", "0012", "0013", "0014", "0015"];
const HANGING = ["0005", "0006", "0007", "0008"];
/** By the shop's clock a key is remembered for two days; an older one may not be asked for again. */
const REPEAT_MS = 60_000;
const PATIENCE_MS = 15_000;
/** Once everything runs again, whoever is still without an answer after this was forgotten. */
const LAST_WORD_MS = 90_000;

/** Lets `count` clients loose on a shop until `finish` is called. */
export function startClients(rig: Rig, count: number, randomOf: (n: number) => Random): Clients {
  const clients = { told: [] as Told[], seen: [] as Violation[] };
  const sent = { count: 0, isOver: false, overSinceMs: 0 };
  const people = [...rig.agents, rig.admin];
  const callers = new Map(
    people.map(({ id, email, password }, n) => [
      id,
      { id, email, password, address: `10.0.${n >> 8}.${n & 255}`, token: null } as Caller,
    ]),
  );
  const shared = { numbers: numbers(), onPhone: new Set<number>(), repeatable: [] };
  const hands = Array.from({ length: count }, (_, n) =>
    work({ rig, clients, sent, callers, ...shared, random: randomOf(n) }),
  );
  return {
    ...clients,
    requests: () => sent.count,
    finish: async () => {
      sent.isOver = true;
      sent.overSinceMs = performance.now();
      await Promise.all(hands);
    },
  };
}

async function work(hand: Hand): Promise<void> {
  while (!hand.sent.isOver) {
    const agent = hand.rig.agents[hand.random(hand.rig.agents.length)]!;
    await pick(hand.random, DEEDS)(hand, agent);
  }
}

/** What people do, and how often beside each other. */
const DEEDS: [number, (hand: Hand, agent: Agent) => Promise<unknown>][] = [
  [34, buy],
  [6, createAndSpend],
  [6, checkOut],
  [8, buyInBulk],
  [12, topUp],
  [10, cancel],
  [5, failAsAdmin],
  [8, dial],
  [6, repeat],
  [5, readHistory],
];

// ---------------------------------------------------------------- buying

async function buy(hand: Hand, agent: Agent): Promise<void> {
  const line = lineFor(hand, 1 + hand.random(2));
  const told = begin(hand, "purchase", agent, [line]);
  await perform(hand, told, agent.id, "POST", "/orders", { ...asked(line), pay: "wallet" });
  told.orderIds = told.answers.filter(isSuccess).map(({ body }) => body.id);
}

/** The two steps of a basket: the order is made, and paid by another request. */
async function createAndSpend(hand: Hand, agent: Agent): Promise<void> {
  const line = lineFor(hand);
  const created = begin(hand, "order", agent, [line]);
  const order = await perform(hand, created, agent.id, "POST", "/orders", asked(line));
  if (!order) return;
  created.orderIds = [order.body.id];
  const paid = begin(hand, "spend", agent, []);
  paid.orderIds = [order.body.id];
  await perform(hand, paid, agent.id, "POST", "/wallet/spend", { orderId: order.body.id });
}

async function buyInBulk(hand: Hand, agent: Agent): Promise<void> {
  const length = hand.random(20) === 0 ? 200 + hand.random(200) : 2 + hand.random(25);
  const lines = Array.from({ length }, () => lineFor(hand));
  const told = begin(hand, "bulk", agent, lines);
  await perform(hand, told, agent.id, "POST", "/orders/bulk", { orders: lines.map(asked) });
  const placed = told.answers.find(isSuccess);
  if (placed) told.orderIds = placed.body.orders.map(({ id }: { id: number }) => id);
}

async function dial(hand: Hand, agent: Agent): Promise<void> {
  if (hand.onPhone.has(agent.id)) return;
  hand.onPhone.add(agent.id);
  const line = { ...lineFor(hand), productId: hand.rig.bundles[0]!.id };
  line.amountPesewas = hand.rig.bundles[0]!.pricePesewas;
  const phone = openPhone({ msisdn: agent.msisdn, ussdUrl: hand.rig.ussdUrl(serverFor(hand)) });
  try {
    hand.sent.count += 1;
    const screen = await phone.dial(`1*1*1*${line.msisdn}`).catch(() => null);
    if (!screen?.words.includes("Enter PIN")) return;
    await payByPhone(hand, phone, begin(hand, "ussd", agent, [line]));
  } finally {
    hand.onPhone.delete(agent.id);
  }
}

/** The gateway sends the PIN's request again while it hears nothing; sometimes nobody ever hears. */
async function payByPhone(hand: Hand, phone: Phone, told: Told): Promise<void> {
  const tries = hand.random(5) === 0 ? 1 : 40;
  for (let n = 0; n < tries; n++) {
    hand.sent.count += 1;
    const askedAtMs = performance.now();
    const screen = await (n === 0 ? phone.reply(PIN) : phone.redeliver()).catch(() => null);
    if (!screen) {
      told.lost += 1;
      await Bun.sleep(100 + hand.random(200));
      continue;
    }
    const accepted = /Order (\d+) paid/.exec(screen.words);
    if (accepted) told.orderIds.push(Number(accepted[1]));
    const isNo = screen.words.startsWith("Not enough money");
    const status = accepted ? 201 : isNo ? 422 : 503;
    told.answers.push({ askedAtMs, atMs: performance.now(), status, code: null, body: screen.words });
    if (accepted || isNo) break;
    await Bun.sleep(100 + hand.random(200));
  }
  told.state = stateOf(told);
}

// ---------------------------------------------------------------- paying in

async function topUp(hand: Hand, agent: Agent): Promise<void> {
  const amountPesewas = 500 + hand.random(4_000);
  const told = begin(hand, "top-up", agent, []);
  const ask = { amount: amountPesewas / 100 };
  const started = await perform(hand, told, agent.id, "POST", "/wallet/topup/init", ask);
  if (!started) return;
  const id = started.body.transactionId as number;
  told.payment = { id, reference: "", amountPesewas, isPaid: false };
  await payAtPaystack(hand, agent, told, { transactionId: id }, amountPesewas);
}

async function checkOut(hand: Hand, agent: Agent): Promise<void> {
  const line = lineFor(hand);
  const told = begin(hand, "checkout", agent, [line]);
  const order = await perform(hand, told, agent.id, "POST", "/orders", asked(line));
  if (!order) return;
  told.orderIds = [order.body.id];
  await payAtPaystack(hand, agent, told, { orderId: order.body.id }, line.amountPesewas);
}

/** Leads to Paystack's page and pays there; of three payers, one comes back, one closes the page, and one is told of by a webhook. */
async function payAtPaystack(
  hand: Hand,
  agent: Agent,
  told: Told,
  subject: { transactionId: number } | { orderId: number },
  amountPesewas: number,
): Promise<void> {
  const { random, rig } = hand;
  const email = agent.email;
  const opened = await insist(hand, agent.id, "POST", "/paystack/init", {
    ...subject,
    email,
    amount: amountPesewas / 100,
  });
  if (!opened || !isSuccess(opened)) return;
  const { reference, transactionId } = opened.body as { reference: string; transactionId: number };
  told.payment = { id: transactionId, reference, amountPesewas, isPaid: false };
  if (random(8) === 0) return;
  const way = random(3);
  const delivery = random(4) === 0 ? { copies: 3, parallel: random(2) === 0 } : {};
  rig.paystack.steer(reference, way === 0 ? { webhook: "auto", delivery } : { webhook: "lost" });
  await rig.paystack.pay(reference);
  told.payment.isPaid = true;
  if (way !== 1) return;
  const verified = await insist(hand, agent.id, "POST", "/paystack/verify", { reference });
  if (verified && isSuccess(verified) && verified.body.status !== "paid")
    hand.clients.seen.push({
      rule: "a verified payment is paid",
      detail: `${reference}: ${verified.body.status}`,
    });
}

// ---------------------------------------------------------------- taking back

async function cancel(hand: Hand, agent: Agent): Promise<void> {
  const orderId = recentOrder(hand, agent.id);
  if (!orderId) return;
  const told = begin(hand, "cancel", agent, []);
  told.orderIds = [orderId];
  await perform(hand, told, agent.id, "POST", `/orders/${orderId}/cancel`, undefined);
}

async function failAsAdmin(hand: Hand, agent: Agent): Promise<void> {
  const orderId = recentOrder(hand, agent.id);
  if (!orderId) return;
  const told = begin(hand, "fail", agent, []);
  told.orderIds = [orderId];
  const ask = { status: "FAILED", reason: "The network refused it" };
  await perform(hand, told, hand.rig.admin.id, "PATCH", `/admin/orders/${orderId}/status`, ask);
}

function recentOrder({ clients, random }: Hand, agentId: number): number | undefined {
  for (let tries = 0; tries < 20; tries++) {
    const told = clients.told[clients.told.length - 1 - random(Math.min(200, clients.told.length || 1))];
    if (told?.agentId === agentId && told.lines.length > 0 && told.orderIds.length > 0)
      return told.orderIds[random(told.orderIds.length)];
  }
  return undefined;
}

// ---------------------------------------------------------------- asking again, and looking

/** Somebody's program repeats what was answered long ago. */
async function repeat(hand: Hand): Promise<void> {
  const one = hand.repeatable[hand.random(hand.repeatable.length || 1)];
  if (!one || performance.now() - one.atMs > REPEAT_MS) return;
  const answer = await one.again();
  if (answer) one.told.answers.push(answer);
}

/** A page of a wallet's history fits together at every moment: each balance follows from the one before. */
async function readHistory(hand: Hand, agent: Agent): Promise<void> {
  const answer = await insist(hand, agent.id, "GET", "/wallet/transactions?limit=50", undefined);
  if (!answer || !isSuccess(answer)) return;
  const entries = answer.body as { id: number; change: number; balanceAfter: number }[];
  for (const [n, entry] of entries.entries()) {
    const before = entries[n + 1];
    const follows =
      !before || pesewasOf(entry.balanceAfter) - pesewasOf(entry.change) === pesewasOf(before.balanceAfter);
    if (!follows || entry.balanceAfter < 0)
      hand.clients.seen.push({ rule: "a history fits together", detail: `entry ${entry.id}` });
  }
}

// ---------------------------------------------------------------- requests

/**
 * Asks under one key in the manner of some client: most insist until they are answered, some send everything twice at
 * once, some hang up, and some give up. Returns the acknowledgement, or null.
 */
async function perform(
  hand: Hand,
  told: Told,
  callerId: number,
  method: string,
  path: string,
  body: unknown,
): Promise<Answer | null> {
  const key = crypto.randomUUID();
  const manner = pick(hand.random, MANNERS);
  let haste = manner === "hasty" ? HANG_UPS : 0;
  const once = () => request(hand, callerId, method, path, body, key, haste-- > 0);
  const keep = (answer: Answer | null) => {
    if (answer) told.answers.push(answer);
    else told.lost += 1;
  };
  for (let tries = 0; isWorthTrying(hand, tries, manner); tries++) {
    const copies = manner === "double" ? 2 : 1;
    const answers = await Promise.all(Array.from({ length: copies }, once));
    for (const answer of answers) keep(answer);
    if (answers.some((answer) => answer && (isSuccess(answer) || isRefusal(answer)))) break;
    await Bun.sleep(20 + hand.random(100));
  }
  told.state = stateOf(told);
  const done = told.answers.find(isSuccess) ?? null;
  if (done) {
    hand.repeatable.push({ told, again: once, atMs: performance.now() });
    if (hand.repeatable.length > 400) hand.repeatable.shift();
  }
  return done;
}

type Manner = "insists" | "double" | "hasty" | "gives up";
/** So often somebody hangs up; then they wait for the answer after all. */
const HANG_UPS = 2;
const MANNERS: [number, Manner][] = [
  [70, "insists"],
  [12, "double"],
  [12, "hasty"],
  [6, "gives up"],
];

function isWorthTrying({ sent, clients }: Hand, tries: number, manner: Manner): boolean {
  if (tries > 0 && manner === "gives up") return false;
  const isForgotten = sent.isOver && performance.now() - sent.overSinceMs > LAST_WORD_MS;
  if (isForgotten) clients.seen.push({ rule: "everybody is answered", detail: `${tries} tries` });
  return !isForgotten;
}

/** Asks without a key until there is an answer, for what may be asked twice. */
async function insist(
  hand: Hand,
  callerId: number,
  method: string,
  path: string,
  body: unknown,
): Promise<Answer | null> {
  for (let tries = 0; isWorthTrying(hand, tries, "insists"); tries++) {
    const answer = await request(hand, callerId, method, path, body);
    if (answer && !isPassing(answer) && answer.status < 500) return answer;
    await Bun.sleep(20 + hand.random(100));
  }
  return null;
}

/** One request to one of the servers; null when nothing came back. A fault of ours is written down. */
async function request(
  hand: Hand,
  callerId: number,
  method: string,
  path: string,
  body: unknown,
  key?: string,
  isHasty = false,
): Promise<Answer | null> {
  const caller = hand.callers.get(callerId)!;
  const token = await tokenOf(hand, caller);
  if (!token) return null;
  const headers = { authorization: `Bearer ${token}`, ...(key && { "idempotency-key": key }) };
  const patienceMs = isHasty ? 2 + hand.random(60) : PATIENCE_MS;
  const answer = await send(hand, caller, { method, path, body, headers, patienceMs });
  if (answer?.status === 401) caller.token = null;
  return answer;
}

async function tokenOf(hand: Hand, caller: Caller): Promise<string | null> {
  caller.token ??= (async () => {
    const { email, password } = caller;
    const ask = { method: "POST", path: "/auth/login", body: { email, password } };
    const answer = await send(hand, caller, { ...ask, headers: {}, patienceMs: PATIENCE_MS });
    if (answer?.status === 200) return answer.body.token as string;
    caller.token = null;
    return "";
  })();
  return (await caller.token) || null;
}

type Request = {
  method: string;
  path: string;
  body: unknown;
  headers: Record<string, string>;
  patienceMs: number;
};

async function send(hand: Hand, caller: Caller, ask: Request): Promise<Answer | null> {
  const { method, path, body, headers, patienceMs } = ask;
  hand.sent.count += 1;
  const askedAtMs = performance.now();
  try {
    const response = await fetch(`${serverFor(hand).url}/api/v1${path}`, {
      method,
      headers: {
        ...headers,
        "x-forwarded-for": caller.address,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(patienceMs),
    });
    const text = await response.text();
    const content = JSON.parse(text);
    const answer = { askedAtMs, atMs: performance.now(), status: response.status, body: content };
    checkManners(hand, response, `${method} ${path}`);
    return { ...answer, code: response.status < 400 ? null : (content.code ?? null) };
  } catch {
    return null;
  }
}

/** Whatever is down, the shop answers with words of its own, and says when to come again. */
function checkManners({ clients }: Hand, response: Response, what: string): void {
  if (response.status < 500) return;
  if (response.status !== 503)
    clients.seen.push({ rule: "no fault of ours is answered", detail: `${what}: ${response.status}` });
  else if (!response.headers.has("retry-after"))
    clients.seen.push({ rule: "a 503 says when to come again", detail: what });
}

const serverFor = ({ rig, random }: Hand): Program => rig.servers[random(rig.servers.length)]!;

function begin({ clients }: Hand, what: Told["what"], agent: Agent, lines: Line[]): Told {
  const told: Told = {
    ...{ what, agentId: agent.id, lines, orderIds: [], answers: [] },
    ...{ lost: 0, state: "unknown" as const },
  };
  clients.told.push(told);
  return told;
}

/** A bundle for a number of its own. A third of the numbers mean trouble, while there are such. */
function lineFor({ random, numbers, rig }: Hand, quantity = 1): Line {
  const bundle = rig.bundles[random(rig.bundles.length)]!;
  const ending = random(150) === 0 ? HANGING[random(4)]! : TROUBLES[random(TROUBLES.length)]!;
  const isTroubled = random(3) === 0 && numbers.troubledLeft() > 0;
  return {
    productId: bundle.id,
    msisdn: isTroubled ? numbers.troubled(ending) : numbers.plain(),
    quantity,
    amountPesewas: bundle.pricePesewas * quantity,
  };
}

const asked = ({ productId, msisdn, quantity }: Line) => ({ productId, msisdn, quantity });

function pick<T>(random: Random, choices: [number, T][]): T {
  let left = random(choices.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, choice] of choices) {
    if (left < weight) return choice;
    left -= weight;
  }
  throw new Error("nothing to choose from");
}
