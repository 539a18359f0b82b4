// The one search of staff: each kind of thing by all that people read out of it, and for nobody who may not see it.
import { beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { attempts } from "../../../db/schema/fulfilment.ts";
import { phones } from "../../../db/schema/identity.ts";
import { payments } from "../../../db/schema/payments.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import { find, type Kind, named } from "../../../src/core/finding/find.ts";
import * as desk from "../../../src/core/fulfilment/desk/desk.ts";
import * as routing from "../../../src/core/fulfilment/routing.ts";
import * as deposits from "../../../src/core/payments/deposits/deposits.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import * as support from "../../../src/core/support/requests.ts";
import type { Role } from "../../../src/shared/domain.ts";
import { outcome } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const ama = await world.person("ama-mensah", "GH₵ 500.00");
const oneGb = await world.product("MTN", "1GB", "3.90");
const staff = {
  MANAGER: await world.person("efua", undefined, ["MANAGER"]),
  DESK: await world.person("kwame", undefined, ["DESK"]),
  SUPPORT: await world.person("adwoa", undefined, ["SUPPORT"]),
  ACCOUNTS: await world.person("kojo", undefined, ["ACCOUNTS"]),
} satisfies Partial<Record<Role, unknown>>;

const reference = "or-1a2b3c4d-0000-4000-8000-00000000beef";
let ids: Record<"order" | "payment" | "deposit" | "request" | "batch" | "product", number | string>;

beforeAll(async () => {
  await settings.change(db, { by: yaw.by("admin"), values: { dispatch_hold_seconds: 0 } });
  const line = { productId: oneGb.id, msisdn: "0241112223", quantity: 1 };
  const { answer } = await orders.buy(db, { by: ama.by(), key: null, line });
  await routing.routeDue(db, [], 10);
  const { answer: batch } = await desk.take(db, {
    by: yaw.by("admin"),
    key: null,
    operator: "MTN",
    countMax: 1,
  });
  await db.execute(sql`insert into vendors (code) values ('elsewhere')`);
  const other = await orders.buy(db, { by: ama.by(), key: null, line: { ...line, msisdn: "0549000386" } });
  await db.insert(attempts).values({
    orderId: other.answer.order.id,
    userId: ama.id,
    vendor: "elsewhere",
    reference: "DF0002T1",
    state: "accepted",
    sentAt: new Date(),
    vendorReference: "TRX-7917396C",
  });
  const [payment] = await db
    .insert(payments)
    .values({
      userId: ama.id,
      amountPesewas: 12_345,
      reference,
      domain: "test",
      providerId: "4099260516",
      payerMsisdn: "233559876543",
    })
    .returning();
  const deposit = await deposits.file(db, {
    by: ama.by(),
    transactionId: "40125566778",
    amountPesewas: 5_000,
  });
  await db.insert(phones).values({ userId: ama.id, msisdn: "233541234567" });
  const { answer: request } = await support.file(db, { by: ama.by(), message: "Where is my data?" });
  ids = {
    order: answer.order.id,
    payment: payment!.id,
    deposit: deposit.transactionId,
    request: request.id,
    batch: batch.batchId,
    product: oneGb.id,
  };
});

const foundBy = async (typed: string, by = yaw.by("admin")) =>
  (await find(db, by, typed)).map(({ kind, id }) => `${kind} ${id}`);

describe("the owner finds", () => {
  test.each<[typed: string, kind: Kind]>([
    ["#1", "order"],
    ["order 1", "order"],
    ["trx-7917396c", "order"],
    ["DF0002T1", "order"],
    ["0241112223", "order"],
    ["0549000386", "number"],
    ["2223", "order"],
    ["mensah", "agent"],
    ["ama-mensah@", "agent"],
    ["054 123 4567", "agent"],
    ["4567", "agent"],
    [reference.toUpperCase(), "payment"],
    ["beef", "payment"],
    ["4099260516", "payment"],
    ["055 987 6543", "payment"],
    ["GH₵ 123.45", "payment"],
    ["40125566778", "deposit"],
    ["0000 4012 5566 778", "deposit"],
    ["request 1", "request"],
    ["batch 1", "batch"],
    ["mtn 1gb", "product"],
    ["1 GB", "product"],
  ])("by %p what it is of: %p", async (typed, kind) => {
    expect((await find(db, yaw.by("admin"), typed)).map((hit) => hit.kind)).toContain(kind);
  });

  test("the very thing first, with what tells it apart", async () => {
    const [hit] = await find(db, yaw.by("admin"), String(ids.order));
    expect(hit).toEqual({
      kind: "order",
      id: ids.order,
      title: `Order #${ids.order}`,
      subtitle: "MTN 1GB, 024 111 2223, PROCESSING, ama-mensah",
    });
  });

  test("only the kind that is named", async () => {
    expect(await foundBy("batch 1")).toEqual([`batch ${ids.batch}`]);
    expect(await foundBy("request 1")).toEqual([`request ${ids.request}`]);
    expect(await foundBy("agent mensah")).toEqual([`agent ${ama.id}`]);
    expect(await foundBy("payment 1")).toEqual([`payment ${ids.payment}`]);
  });

  test.each(["", " ", "%", "_", "\0", "nobodyatall", "zz", "9".repeat(500), "%%%%", "'; --"])(
    "nothing by %p",
    async (typed) => expect(await foundBy(typed)).toEqual([]),
  );
});

describe("a hit is", () => {
  const KINDS: Record<keyof typeof staff, Kind[]> = {
    MANAGER: ["order", "number", "agent", "payment", "deposit", "request", "batch", "product"],
    DESK: ["order", "number", "agent", "batch"],
    SUPPORT: ["order", "number", "agent", "payment", "deposit", "request"],
    ACCOUNTS: ["order", "number", "agent", "payment", "deposit"],
  };
  const TYPED = ["1", "0241112223", "mensah", reference, "40125566778", "1gb"];

  test.each(Object.keys(KINDS) as (keyof typeof staff)[])("of a kind that %p may see", async (role) => {
    const by = staff[role].by("admin");
    const hits = (await Promise.all(TYPED.map((typed) => find(db, by, typed)))).flat();
    expect([...new Set(hits.map(({ kind }) => kind))].sort()).toEqual([...KINDS[role]].sort());
    const wanted = Object.entries({ ...ids, agent: ama.id }).map(([kind, id]) => ({
      kind: kind as Kind,
      id: String(id),
    }));
    const again = await named(db, by, wanted);
    expect(again.map(({ kind }) => kind).sort()).toEqual(KINDS[role].filter((kind) => kind !== "number").sort());
  });

  test("nothing for an agent, nor for somebody who was staff", async () => {
    expect(await outcome(find(db, ama.by(), "1"))).toBe("auth.forbidden");
    expect(await outcome(named(db, ama.by(), [{ kind: "order", id: "1" }]))).toBe("auth.forbidden");
  });
});

test("chosen things come back in the order of the choice, without those that are gone", async () => {
  const wanted = [
    { kind: "agent", id: String(ama.id) },
    { kind: "order", id: "999999" },
    { kind: "order", id: String(ids.order) },
    { kind: "batch", id: "x" },
    { kind: "number", id: "233241112223" },
  ] as const;
  expect((await named(db, yaw.by("admin"), wanted)).map(({ title }) => title)).toEqual([
    "ama-mensah",
    `Order #${ids.order}`,
    "024 111 2223",
  ]);
});
