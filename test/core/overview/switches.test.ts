// Kill switches: each closes what it names on every channel, at once for every process, and nothing else. What was paid
// is credited and delivered, and what an owner promised by a deadline is kept.
import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { messages } from "../../../db/schema/messaging.ts";
import * as afaDesk from "../../../src/core/afa/desk.ts";
import * as afa from "../../../src/core/afa/registrations.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import { buyBulk } from "../../../src/core/buying/buy-bulk.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as operators from "../../../src/core/catalog/operators/operators.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as deadlines from "../../../src/core/fulfilment/deadlines.ts";
import { codeKey } from "../../../src/core/identity/logins/codes.ts";
import * as pinReset from "../../../src/core/identity/phones/pin-reset.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import * as disputes from "../../../src/core/orders/disputes.ts";
import * as orderQueries from "../../../src/core/orders/queries.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as switches from "../../../src/core/overview/switches.ts";
import * as today from "../../../src/core/overview/waiting.ts";
import * as deposits from "../../../src/core/payments/deposits/deposits.ts";
import * as prompts from "../../../src/core/payments/momo-prompts.ts";
import * as payments from "../../../src/core/payments/payments.ts";
import * as auditLog from "../../../src/core/platform/audit-log.ts";
import type { Channel } from "../../../src/shared/domain.ts";
import { type Closing, channelSwitch, SWITCH_NAMES, type SwitchName } from "../../../src/shared/switches.ts";
import { staff } from "../../support/approvals.ts";
import {
  count,
  freshNumber,
  hold,
  key,
  lineFor,
  outcome,
  refusal,
  times,
  withSecondServer,
} from "../../support/asking.ts";
import { ownClock } from "../../support/clock.ts";
import { type Person, TEST_CARDS, TEST_JWT_SECRET } from "../../support/world.ts";
import { openPaying, withoutBudgets } from "../payments/paying.ts";

const shop = await openPaying();
const { world, db, gateway, paystack } = shop;
const { yaw } = world;
const by = yaw.by("admin");
await products.ensureAfa(db);
const bundle = await world.product("MTN", "2GB", "10.00");
const codeKeys = { key: codeKey(TEST_JWT_SECRET), channels: { sms: true, email: true } };
/** A payer whose phone has not been prompted before. */
const newPayer = () => ({
  network: "mtn" as const,
  msisdn: `233${freshNumber().slice(1)}`,
  serviceCode: "*920*55#",
});

const MESSAGE = "We are fixing something.";
const close = (name: SwitchName, more: Partial<Closing> = {}) =>
  switches.close(db, { by, name, message: MESSAGE, reason: "A test", until: null, ...more });
const open = (name: SwitchName) => switches.open(db, { by, name });
/** Does something while these are closed. */
async function whileClosed<T>(names: readonly SwitchName[], work: () => Promise<T>): Promise<T> {
  for (const name of names) await close(name);
  try {
    return await work();
  } finally {
    for (const name of names) await open(name);
  }
}

let people = 0;
async function somebody(): Promise<Person> {
  const person = await world.person(`agent${++people}`, "GH₵ 100.00");
  await withoutBudgets(db, person);
  return person;
}
const keyOf = (person: Person) => key(`of ${person.id}`);
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);

/** A way to move money: what closes it beside its channel, if that does, and how somebody goes it. */
type Way = {
  closedBy: readonly SwitchName[];
  hasChannel: boolean;
  /** Makes what it starts from, and returns what then goes it. */
  ready: (person: Person, channel: Channel) => Promise<() => Promise<unknown>>;
};
const SALE = { closedBy: ["sales"], hasChannel: true } as const;
const PAYMENT = { closedBy: ["sales", "top_ups"], hasChannel: true } as const;
const TOP_UP = { closedBy: ["top_ups"], hasChannel: true } as const;
const REFUND = { closedBy: ["refunds"], hasChannel: false } as const;
const unpaid = (person: Person) =>
  unpaidOrders.create(db, { by: person.by(), key: null, line: lineFor(bundle) }).then(({ answer }) => answer);
const bought = (person: Person) =>
  orders.buy(db, { by: person.by(), key: null, line: lineFor(bundle) }).then(({ answer }) => answer.order);
async function delivered(person: Person) {
  const { id } = await bought(person);
  for (const to of ["PROCESSING", "DELIVERED"] as const)
    await statusChanges.moveOne(db, { by, key: null, orderId: id, to });
  return id;
}
const pages = { email: "a@example.com", callbackUrl: "http://localhost/x", cancelUrl: "http://localhost/y" };

const WAYS: Record<string, Way> = {
  "buys a bundle": {
    ...SALE,
    ready: async (person, channel) => {
      const line = lineFor(bundle);
      return () => orders.buy(db, { by: person.by(channel), key: keyOf(person), line });
    },
  },
  "buys while the wallet is locked first": {
    ...SALE,
    ready: async (person, channel) => {
      const line = lineFor(bundle);
      const alongside = async () => {};
      return () => orders.buy(db, { by: person.by(channel), key: keyOf(person), line, alongside });
    },
  },
  "buys in bulk": {
    ...SALE,
    ready: async (person, channel) => {
      const lines = [lineFor(bundle), lineFor(bundle)];
      return () => buyBulk(db, { by: person.by(channel), key: keyOf(person), lines });
    },
  },
  "orders for later": {
    ...SALE,
    ready: async (person, channel) => {
      const line = lineFor(bundle);
      return () => unpaidOrders.create(db, { by: person.by(channel), key: keyOf(person), line });
    },
  },
  "registers people for AFA": {
    ...SALE,
    ready: async (person, channel) => {
      const people = [someone()];
      return () => afa.register(db, TEST_CARDS, { by: person.by(channel), key: keyOf(person), people });
    },
  },
  "pays an order": {
    ...SALE,
    ready: async (person, channel) => {
      const { id: orderId } = await unpaid(person);
      return () => unpaidOrders.spend(db, { by: person.by(channel), key: keyOf(person), orderId });
    },
  },
  "opens the page for an order": {
    ...PAYMENT,
    ready: async (person, channel) => {
      const { id: orderId } = await unpaid(person);
      return () => payments.checkOut(db, gateway, { by: person.by(channel), subject: { orderId }, ...pages });
    },
  },
  "is prompted for an order": {
    ...PAYMENT,
    ready: async (person, channel) => {
      const [line, payer] = [lineFor(bundle), newPayer()];
      return () => prompts.requestForOrder(db, { by: person.by(channel), key: keyOf(person), line, ...payer });
    },
  },
  "starts a top-up": {
    ...TOP_UP,
    ready: async (person, channel) => () =>
      payments.startTopUp(db, { by: person.by(channel), key: keyOf(person), amountPesewas: 2000 }),
  },
  "opens the page for a top-up": {
    ...TOP_UP,
    ready: async (person, channel) => {
      const { answer } = await payments.startTopUp(db, { by: person.by(), key: null, amountPesewas: 2000 });
      const subject = { paymentId: answer.id };
      return () => payments.checkOut(db, gateway, { by: person.by(channel), subject, ...pages });
    },
  },
  "is charged for a top-up": {
    ...TOP_UP,
    ready: async (person, channel) => {
      const { answer } = await payments.startTopUp(db, { by: person.by(), key: null, amountPesewas: 2000 });
      const subject = { paymentId: answer.id };
      const { network, msisdn } = newPayer();
      return () => payments.charge(db, gateway, { by: person.by(channel), subject, network, msisdn });
    },
  },
  "asks for a prompt": {
    ...TOP_UP,
    ready: async (person, channel) => {
      const payer = newPayer();
      return () => prompts.request(db, { by: person.by(channel), key: keyOf(person), amountPesewas: 2000, ...payer });
    },
  },
  "gets a code for a new PIN": {
    ...{ closedBy: [], hasChannel: true },
    ready: async (person, channel) => {
      await db.execute(sql`
        insert into phones (user_id, msisdn, proved_at)
        values (${person.id}, ${`233547${String(people).padStart(6, "0")}`}, now())`);
      return () => pinReset.sendCode(db, codeKeys, person.by(channel));
    },
  },
  "cancels an order": {
    ...{ closedBy: ["cancelling"], hasChannel: false },
    ready: async (person, channel) => {
      const { id: orderId } = await bought(person);
      return () => cancelling.cancel(db, { by: person.by(channel), key: keyOf(person), orderId });
    },
  },
  "reports an order as not received": {
    ...REFUND,
    ready: async (person, channel) => {
      const orderId = await delivered(person);
      return () => disputes.open(db, { by: person.by(channel), key: keyOf(person), orderId, message: "" });
    },
  },
  "is refunded by staff": {
    ...REFUND,
    ready: async (person) => {
      const { id: orderId } = await bought(person);
      return () => statusChanges.moveOne(db, { by, key: keyOf(person), orderId, to: "FAILED", reason: "No" });
    },
  },
  "is refunded by the desk of AFA": {
    ...REFUND,
    ready: async (person) => {
      const request = { by: person.by(), key: null, people: [someone()] };
      const { id } = (await afa.register(db, TEST_CARDS, request)).answer.registrations[0]!;
      return () => afaDesk.moveOne(db, { by, key: keyOf(person), id, to: "FAILED", reason: "Expired" });
    },
  },
  "is refunded by staff after a report": {
    ...REFUND,
    ready: async (person) => {
      const orderId = await delivered(person);
      const { answer } = await disputes.open(db, { by: person.by(), key: null, orderId, message: "" });
      const decision = { requestId: answer.id, outcome: "refunded" as const };
      return () => disputes.decide(db, { by, key: keyOf(person), ...decision });
    },
  },
};

let cards = 200_000_000;
const someone = () => ({
  ...{ fullName: "Akosua Mensah", phone: freshNumber(), ghCardId: `GHA-${++cards}-1` },
  location: "Kumasi, Adum",
});

const CHANNELS = ["web", "api", "ussd", "sms"] as const;

/** Everything that money leaves behind. */
const TABLES = [
  ...["orders", "transfers", "payments", "prompts", "jobs", "idempotency", "support_requests", "messages"],
  ...["order_events", "bulk_orders"],
];
async function traces(): Promise<Record<string, number>> {
  const counts = await Promise.all(TABLES.map((table) => count(db, sql`from ${sql.identifier(table)}`)));
  return Object.fromEntries(TABLES.map((table, i) => [table, counts[i]!]));
}

describe.each(CHANNELS)("by %s", (channel) => {
  test.each(Object.entries(WAYS))("an agent %s: only what closes it does, with its words", async (_, way) => {
    const closing: SwitchName[] = [...way.closedBy, ...(way.hasChannel ? [channel] : [])];
    const person = await somebody();
    const go = await way.ready(person, channel);
    for (const name of closing)
      await whileClosed([name], async () => {
        const before = await traces();
        const refused = await refusal(go());
        expect(refused).toMatchObject({
          ...{ code: "service.closed", status: 409, message: MESSAGE },
          details: { switch: name, message: MESSAGE, until: null },
        });
        expect(refused.details).not.toHaveProperty("retryAfterSeconds");
        expect(await traces()).toEqual(before);
      });
    const others = SWITCH_NAMES.filter((name) => !closing.includes(name));
    await whileClosed(others, go);
  });
});

describe("what goes on while everything is closed", () => {
  test("a payment that was made is credited, by its webhook too; it pays no order while sales are closed", async () => {
    const [ama, esi, kofi] = [await somebody(), await somebody(), await somebody()];
    const page = await shop.topUp(ama);
    const other = await shop.topUp(esi);
    const ordered = await shop.orderPage(kofi);
    await whileClosed(SWITCH_NAMES, async () => {
      // Opened again, the same page is still open: its payer is on the way.
      await paystack.pay(page.reference);
      await shop.settle(page.reference);
      expect(await world.balanceOf(ama)).toBe(12_000);
      await paystack.pay(other.reference);
      await paystack.deliver(other.reference);
      await shop.workOff();
      expect(await world.balanceOf(esi)).toBe(12_000);
      await paystack.pay(ordered.page.reference);
      await shop.settle(ordered.page.reference);
      expect(await world.balanceOf(kofi)).toBe(10_390);
      expect((await shop.orderNow(ordered.order.id)).paidAt).toBeNull();
      const [event] = await db.execute<{ note: string }>(sql`
        select note from order_events where order_id = ${ordered.order.id} order by id desc limit 1`);
      expect(event!.note).toContain("sales are closed for now. The money is in the wallet.");
    });
  });

  test("a payment that has begun is shown again, so that its payer can end it", async () => {
    const ama = await somebody();
    const { answer } = await payments.startTopUp(db, { by: ama.by(), key: null, amountPesewas: 2000 });
    const page = await shop.checkOut(ama, { paymentId: answer.id });
    await whileClosed(["top_ups"], async () =>
      expect(await shop.checkOut(ama, { paymentId: answer.id })).toEqual(page),
    );
  });

  test("transfers are reported, paid orders delivered, unpaid orders expire; refunds at a deadline wait", async () => {
    const ama = await somebody();
    const [sent, late, waiting] = [await bought(ama), await bought(ama), await unpaid(ama)];
    const reported = await delivered(ama);
    await disputes.open(db, { by: ama.by(), key: null, orderId: reported, message: "" });
    await db.execute(sql`
      update support_requests set due_at = now() - interval '1 minute' where subject_id = ${reported}`);
    await db.execute(sql`update orders set deliver_by = now() - interval '1 minute' where id = ${late.id}`);
    await db.execute(sql`update orders set created_at = now() - interval '2 days' where id = ${waiting.id}`);
    const statusOf = async (id: number) => {
      const { status, refundedAt } = await orderQueries.get(db, by, id);
      return [status, refundedAt !== null];
    };
    const keepDeadlines = async () => [await deadlines.refundOverdue(db), await disputes.endOverdue(db)];
    await whileClosed(SWITCH_NAMES, async () => {
      await deposits.file(db, { by: ama.by("web"), transactionId: "30125566778", amountPesewas: 5000 });
      for (const to of ["PROCESSING", "DELIVERED", "COMPLETED"] as const)
        await statusChanges.moveOne(db, { by, key: null, orderId: sent.id, to });
      expect(await keepDeadlines()).toEqual([0, 0]);
      expect(await statusOf(late.id)).toEqual(["PENDING", false]);
      expect(await statusOf(reported)).toEqual(["DELIVERED", false]);
      await unpaidOrders.expire(db);
    });
    // They are kept once it is open again.
    expect(await keepDeadlines()).toEqual([1, 1]);
    expect(await statusOf(sent.id)).toEqual(["COMPLETED", false]);
    expect(await statusOf(late.id)).toEqual(["FAILED", true]);
    expect(await statusOf(reported)).toEqual(["FAILED", true]);
    expect(await statusOf(waiting.id)).toEqual(["FAILED", false]);
  });

  test.each(Object.entries(WAYS))("who %s and asks again with the same key gets the same answer", async (_, way) => {
    const person = await somebody();
    const go = await way.ready(person, "web");
    const first = await go();
    const isKeyed = first !== null && typeof first === "object" && "replayed" in first;
    await whileClosed(SWITCH_NAMES, async () => {
      const again = (await go().catch((error) => error)) as { replayed?: boolean; code?: string };
      if (isKeyed) expect(again.replayed).toBe(true);
      // A code cannot be sent again, and what is not keyed is a payment that has begun.
      else if (again instanceof Error) expect(again.code).toBe("service.closed");
    });
  });
});

describe("a switch", () => {
  test("opens by itself at its end, which programs read", async () => {
    const ama = await somebody();
    const until = inHours(2);
    await close("sales", { until });
    const refused = await refusal(bought(ama));
    expect(refused.message).toMatch(/^We are fixing something\. Open again from .*\d\d:\d\d\.$/);
    expect(refused.details!.until).toBe(until.toISOString());
    expect(refused.details!.retryAfterSeconds).toBeWithin(7_000, 7_201);
    // The channel says more: it opens later.
    await close("web");
    expect(
      (await refusal(orders.buy(db, { by: ama.by("web"), key: null, line: lineFor(bundle) }))).details,
    ).toMatchObject({
      switch: "web",
      until: null,
    });
    await open("web");
    const clock = await ownClock(db);
    await withSecondServer(world, async (later) => {
      const buy = () => orders.buy(later, { by: ama.by(), key: null, line: lineFor(bundle) });
      await clock.advance(2 * 3600 - 60);
      expect(await outcome(buy())).toBe("service.closed");
      await clock.advance(61);
      expect(await outcome(buy())).toBe("done");
      expect((await switches.closedNow(later)).map(({ label }) => label)).toEqual([]);
      expect((await switches.list(later)).filter(({ closed }) => closed)).toEqual([]);
      await clock.advance(-2 * 3600 - 1);
    });
    await open("sales");
  });

  test("counts for every process in its next statement", async () => {
    const ama = await somebody();
    await withSecondServer(world, async (other) => {
      const buy = () => orders.buy(other, { by: ama.by(), key: null, line: lineFor(bundle) });
      expect(await outcome(buy())).toBe("done");
      for (let round = 0; round < 3; round++) {
        await close("api");
        expect(await outcome(buy())).toBe("service.closed");
        await open("api");
        expect(await outcome(buy())).toBe("done");
      }
    });
  });

  test("waits for a purchase that is under way, which is placed before it closes", async () => {
    const ama = await somebody();
    const [placed, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const alongside = async () => {
      placed.resolve();
      await goOn.promise;
    };
    const buying = orders.buy(db, { by: ama.by(), key: null, line: lineFor(bundle), alongside });
    await placed.promise;
    let isClosed = false;
    const closing = close("sales").then(() => {
      isClosed = true;
    });
    const waiters = sql`from pg_locks where locktype = 'advisory' and objid = 7265331 and not granted`;
    while ((await count(db, waiters)) === 0) await Bun.sleep(5);
    expect(isClosed).toBe(false);
    goOn.resolve();
    expect(await outcome(buying)).toBe("done");
    await closing;
    expect(await outcome(bought(ama))).toBe("service.closed");
    await open("sales");
  });

  test("that is being closed stops a purchase that began before", async () => {
    const ama = await somebody();
    const before = await count(db, sql`from orders`);
    const closing = await hold(
      db,
      sql`
        with held as materialized (select pg_advisory_xact_lock(7265331))
        insert into switches (name, message, reason, closed_by_user_id)
        select 'sales', ${MESSAGE}, 'A test', ${yaw.id}::bigint from held`,
    );
    const buying = outcome(bought(ama));
    const paying = outcome(buyBulk(db, { by: ama.by(), key: null, lines: [lineFor(bundle)] }));
    await closing.waiting(2);
    await closing.release();
    expect([await buying, await paying]).toEqual(["service.closed", "service.closed"]);
    expect(await count(db, sql`from orders`)).toBe(before);
    await open("sales");
  });

  test("lets no order be placed after it is closed, whatever is under way in two processes", async () => {
    const placedSoFar = () => count(db, sql`from orders`);
    await withSecondServer(world, async (other) => {
      for (const name of ["sales", "web", "sales", "web"] as const) {
        const buyers = await Promise.all(times(6, somebody));
        let placed = 0;
        const buyUntilRefused = async (buyer: Person, i: number) => {
          for (let got = "done"; got === "done"; ) {
            const order = { by: buyer.by("web"), key: null, line: lineFor(bundle) };
            got = await outcome(orders.buy(i % 2 ? other : db, order));
            expect(got).toBeOneOf(["done", "service.closed", "wallet.insufficient_balance"]);
            if (got === "done") placed++;
          }
        };
        const buying = buyers.map(buyUntilRefused);
        while (placed < 3) await Bun.sleep(1);
        await close(name);
        const then = await placedSoFar();
        await Promise.all(buying);
        expect(await placedSoFar()).toBe(then);
        await open(name);
      }
    });
  });

  test("is thrown even if what is under way does not end", async () => {
    const stuck = await hold(db, sql`select pg_advisory_xact_lock_shared(7265331)`);
    await close("refunds");
    expect((await switches.closedNow(db)).map(({ name }) => name)).toEqual(["refunds"]);
    await stuck.release();
    await open("refunds");
  });
});

describe("throwing a switch", () => {
  test("is for those who say again who they are, and its end is ahead", async () => {
    const terms = { name: "sales", message: MESSAGE, reason: "A test", until: null } as const;
    const unconfirmed = { ...by, isUnconfirmed: true as const };
    expect(await outcome(switches.close(db, { by: unconfirmed, ...terms }))).toBe("auth.confirm_needed");
    expect(await outcome(switches.open(db, { by: unconfirmed, name: "sales" }))).toBe("auth.confirm_needed");
    for (const until of [inHours(-1), inHours(91 * 24)])
      expect(await outcome(close("sales", { until }))).toBe("pause.end_invalid");
    expect(await switches.closedNow(db)).toEqual([]);
  });

  test("is logged, with who, when and why; the other owners get an e-mail", async () => {
    const [owner, manager] = [await staff(world, "ADMIN"), await staff(world, "MANAGER")];
    const mailsTo = async (person: Person) =>
      (await db.select().from(messages).where(eq(messages.userId, person.id)).orderBy(messages.id))
        .filter(({ kind }) => kind === "switch_thrown")
        .map(({ subject, body }) => `${subject}\n${body}`);
    const until = inHours(1);
    const terms = { message: "Prices are wrong", reason: "MTN is at 1 pesewa", until };
    await switches.close(db, { by: owner.by(), name: "sales", ...terms });
    const [sales] = await switches.list(db);
    expect(sales).toEqual({
      ...{ name: "sales", label: "Sales" },
      closed: { ...terms, by: owner.username, since: expect.any(Date) },
    });
    await switches.close(db, { by: owner.by(), name: "sales", ...terms, message: "Prices are being fixed" });
    await switches.open(db, { by: owner.by(), name: "sales" });
    const log = await auditLog.list(db, { subjectType: "switch", subjectId: "sales" }, { limit: 3 });
    expect(log.map(({ action, byUsername }) => [action, byUsername])).toEqual([
      ["switch.open", owner.username],
      ["switch.close", owner.username],
      ["switch.close", owner.username],
    ]);
    expect(log[2]!.after).toEqual({ ...terms, until: until.toISOString() });
    expect(log[1]!.before).toMatchObject({ message: "Prices are wrong" });
    const mails = await mailsTo(yaw);
    expect(mails.at(-1)).toContain("Open again: Sales");
    expect(mails.at(-3)).toContain("Closed: Sales");
    expect(mails.at(-3)).toContain("Prices are wrong");
    expect(mails.at(-3)).toContain("MTN is at 1 pesewa");
    expect(await mailsTo(owner)).toEqual([]);
    expect(await mailsTo(manager)).toEqual([]);
    // Opening what is open is not reported.
    await switches.open(db, { by: owner.by(), name: "sales" });
    expect(await mailsTo(yaw)).toEqual(mails);
  });

  test("of a network is its pause, which counts as closed like the others", async () => {
    const manager = await staff(world, "MANAGER");
    const until = inHours(1);
    await close("ussd", { until });
    await switches.pauseNetwork(db, { by: manager.by(), operator: "MTN", pausedMessage: "MTN is down" });
    expect((await operators.list(db))[0]).toMatchObject({
      operator: "MTN",
      paused: { message: "MTN is down" },
    });
    expect(await switches.closedNow(db)).toEqual([
      { name: "ussd", label: "USSD", message: MESSAGE, until },
      { name: null, label: "MTN", message: "MTN is down", until: null },
    ]);
    const [mail] = await db.select().from(messages).where(eq(messages.userId, yaw.id)).orderBy(sql`id desc`);
    expect([mail!.kind, mail!.subject]).toEqual(["switch_thrown", "Closed: MTN"]);
    const waiting = (await today.waiting(db)).find(({ kind }) => kind === "switches_closed");
    expect(waiting).toMatchObject({ count: 2, deadline: until });
    await switches.pauseNetwork(db, { by: manager.by(), operator: "MTN", pausedMessage: null });
    await open("ussd");
    expect((await today.waiting(db)).some(({ kind }) => kind === "switches_closed")).toBe(false);
  });
});

test("each channel is a switch, and the shop's own acts have none", () => {
  for (const channel of CHANNELS) expect(channelSwitch({ channel })).toBe(channel);
  for (const channel of ["admin", "system"] as const) expect(channelSwitch({ channel })).toBeNull();
});
