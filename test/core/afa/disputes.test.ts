// Disputed AFA registrations: a registration at MTN outlasts its refund, so no deadline refunds it, and a refund frees
// neither card nor number until an admin confirms that MTN has no registration.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { sweep } from "../../../src/app/worker.ts";
import * as desk from "../../../src/core/afa/desk.ts";
import * as afa from "../../../src/core/afa/registrations.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as disputes from "../../../src/core/orders/disputes.ts";
import * as orderQueries from "../../../src/core/orders/queries.ts";
import { freshNumber, outcome } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openWorld, TEST_CARDS } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
await products.ensureAfa(db);
const ama = await world.person("ama", "GH₵ 500.00");
const by = yaw.by("admin");

let cards = 300_000_000;
const someone = () => ({
  fullName: "Akosua Mensah",
  phone: freshNumber(),
  ghCardId: `GHA-${++cards}-1`,
  location: "Kumasi",
});
const register = async (person: afa.PersonInput) => {
  const ask = { by: ama.by(), key: null, people: [person] };
  return (await afa.register(db, TEST_CARDS, ask)).answer.registrations[0]!.id;
};
const move = (id: number, to: desk.AfaTarget, reason?: string) => desk.moveOne(db, { by, key: null, id, to, reason });
/** A person whom MTN has registered, and whose agent disputes it. */
const disputed = async () => {
  const person = someone();
  const id = await register(person);
  for (const to of ["PROCESSING", "COMPLETED"] as const) await move(id, to);
  const { answer } = await disputes.open(db, { by: ama.by(), key: null, orderId: id, message: "" });
  return { person, id, requestId: answer.id };
};
const isPaidBack = async (id: number) => (await orderQueries.get(db, by, id)).refundedAt !== null;

describe("a registration that is reported as not received", () => {
  longTest("is only decided by an admin: its deadline lists it as overdue, and refunds nothing", async () => {
    const { id, person, requestId } = await disputed();
    expect(await disputes.isRefundedAutomatically(db, id)).toBe(false);
    await db.execute(sql`update support_requests set due_at = now() - interval '1 hour' where id = ${requestId}`);
    await sweep(db);
    expect(await isPaidBack(id)).toBe(false);
    expect((await disputes.listOpen(db, { limit: 50 })).map(({ order }) => order.id)).toContain(id);
    expect(await outcome(register(person))).toBe("afa.people_refused");
  });

  longTest("and refunded keeps card and number, unless the admin confirms that MTN has none", async () => {
    const kept = await disputed();
    const refund = { outcome: "refunded" } as const;
    const decide = (requestId: number, verdict: { outcome: "refunded"; freesRegistration?: boolean }) =>
      disputes.decide(db, { by, key: null, requestId, ...verdict });
    await decide(kept.requestId, refund);
    expect(await isPaidBack(kept.id)).toBe(true);
    expect(await outcome(register(kept.person))).toBe("afa.people_refused");
    const freed = await disputed();
    await decide(freed.requestId, { ...refund, freesRegistration: true });
    expect(await outcome(register(freed.person))).toBe("done");
  });
});

describe("a registration that MTN has completed and that is refunded", () => {
  test("keeps card and number until an admin frees them, with an audit entry", async () => {
    const person = someone();
    const id = await register(person);
    await move(id, "COMPLETED");
    expect((await move(id, "FAILED", "Registered twice")).answer).toMatchObject({ isKept: true });
    expect(await outcome(register(person))).toBe("afa.people_refused");
    expect(await outcome(desk.free(db, { by: ama.by(), id }))).toBe("auth.forbidden");
    await desk.free(db, { by, id });
    await desk.free(db, { by, id });
    expect(await afa.get(db, by, id)).toMatchObject({ isKept: false });
    expect(await outcome(register(person))).toBe("done");
    const [row] = await db.execute<{ count: number }>(
      sql`select count(*)::int as count from audit_log where action = 'afa.free' and subject_id = ${String(id)}`,
    );
    expect(row!.count).toBe(1);
  });

  test("frees them at once when it was refused before MTN had completed it", async () => {
    const person = someone();
    const id = await register(person);
    await move(id, "PROCESSING");
    await move(id, "FAILED", "The card has expired");
    expect(await outcome(register(person))).toBe("done");
  });
});
