// What vendors tell of their own accord: kept before it is acknowledged, acted upon by the worker, in whatever order
// and however often it comes. An event may only move a hand-over the way that `outcomes` allows.
import { createHmac } from "node:crypto";
import { and, desc, eq, or, sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { attempts } from "../../../db/schema/fulfilment.ts";
import { webhookEvents } from "../../../db/schema/payments.ts";
import * as jobs from "../platform/jobs.ts";
import { applyReports } from "./outcomes.ts";
import type { BundleVendor, VendorEvent } from "./vendor.ts";

export type Received = "stored" | "known" | "unsigned" | "unreadable";

/** The part of a vendor's address with us that only the vendor is told: what stands in for a signature it does not make. */
export function addressToken(secret: string, code: string): string {
  return createHmac("sha256", secret).update(`vendor webhooks: ${code}`).digest("base64url").slice(0, 32);
}

/** Where a vendor calls us; null while the shop's own address is not known. */
export function addressOf(baseUrl: string | null, secret: string, code: string): string | null {
  return baseUrl && `${baseUrl}/webhooks/vendors/${code}/${addressToken(secret, code)}`;
}

/** Keeps the events of one call and queues them, in one commit. Only after that may the call be acknowledged. */
export async function receive(
  db: Db,
  vendor: BundleVendor,
  call: { raw: Uint8Array; headers: Headers; hasToken: boolean },
): Promise<Received> {
  const events = vendor.readWebhook(call);
  if (typeof events === "string") return events;
  if (events.length === 0) return "known";
  return db.transaction(async (tx) => {
    const stored = await tx
      .insert(webhookEvents)
      .values(
        events.map((event) => ({
          provider: vendor.code,
          dedupeKey: event.dedupeKey.slice(0, 300),
          event: event.state,
          reference: event.reference,
          body: event,
        })),
      )
      .onConflictDoNothing()
      .returning({ id: webhookEvents.id });
    await jobs.enqueueAll(
      tx,
      "process_vendor_event",
      stored.map(({ id }) => id),
    );
    return stored.length > 0 ? "stored" : "known";
  });
}

/** Acts on one stored event; twice has the effect of once. */
export async function process(db: Db, vendors: readonly BundleVendor[], eventId: number): Promise<void> {
  const [stored] = await db.select().from(webhookEvents).where(eq(webhookEvents.id, eventId));
  if (!stored || stored.processedAt) return;
  const vendor = vendors.find(({ code }) => code === stored.provider);
  const outcome = vendor ? await act(db, vendor, stored.body as VendorEvent) : "a vendor that is gone";
  await db
    .update(webhookEvents)
    .set({ processedAt: sql`now()`, outcome })
    .where(eq(webhookEvents.id, eventId));
}

async function act(db: Db, vendor: BundleVendor, event: VendorEvent): Promise<string> {
  const { reference, vendorReference, state, words } = event;
  const named = [
    ...(reference === null ? [] : [eq(attempts.reference, reference)]),
    ...(vendorReference === null ? [] : [eq(attempts.vendorReference, vendorReference)]),
  ];
  if (named.length === 0) return "names no order";
  const [attempt] = await db
    .select({ id: attempts.id })
    .from(attempts)
    .where(and(eq(attempts.vendor, vendor.code), or(...named)))
    // Our own reference names exactly one; a vendor may give a number of its own twice, and means the newest.
    .orderBy(desc(sql`${attempts.reference} = ${reference}`), desc(attempts.id))
    .limit(1);
  if (!attempt) return "unknown reference";
  await applyReports(db, vendor, [
    { attemptId: attempt.id, news: { kind: "state", state, vendorReference, words } },
  ]);
  return `heard: ${state}`;
}
