// Webhooks from vendors: stored before they are acknowledged, processed by the worker, in any order and however often
// they arrive. An event changes an attempt only as `outcomes` allows.
import { createHmac } from "node:crypto";
import { and, desc, eq, or, sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { attempts } from "../../../db/schema/fulfilment.ts";
import { webhookEvents } from "../../../db/schema/payments.ts";
import * as jobs from "../platform/jobs.ts";
import { applyReports } from "./outcomes.ts";
import type { BundleVendor, VendorEvent } from "./vendor.ts";

export type Received = "stored" | "known" | "unsigned" | "unreadable";

/** The secret part of the URL that a vendor calls, which authenticates vendors that do not sign. */
export function addressToken(secret: string, code: string): string {
  return createHmac("sha256", secret).update(`vendor webhooks: ${code}`).digest("base64url").slice(0, 32);
}

/** The URL for a vendor's webhooks; null while the shop's own address is not configured. */
export function addressOf(baseUrl: string | null, secret: string, code: string): string | null {
  return baseUrl && `${baseUrl}/webhooks/vendors/${code}/${addressToken(secret, code)}`;
}

/** Stores and queues the events of one call, in one commit; only then may the call be acknowledged. */
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

/** Processes one stored event; idempotent. */
export async function process(db: Db, vendors: readonly BundleVendor[], eventId: number): Promise<void> {
  const [stored] = await db.select().from(webhookEvents).where(eq(webhookEvents.id, eventId));
  if (!stored || stored.processedAt) return;
  const vendor = vendors.find(({ code }) => code === stored.provider);
  const outcome = vendor ? await apply(db, vendor, stored.body as VendorEvent) : "unknown vendor";
  await db.update(webhookEvents).set({ processedAt: sql`now()`, outcome }).where(eq(webhookEvents.id, eventId));
}

async function apply(db: Db, vendor: BundleVendor, event: VendorEvent): Promise<string> {
  const { reference, vendorReference, state, costPesewas = null, message } = event;
  const named = [
    ...(reference === null ? [] : [eq(attempts.reference, reference)]),
    ...(vendorReference === null ? [] : [eq(attempts.vendorReference, vendorReference)]),
  ];
  if (named.length === 0) return "no reference";
  const [attempt] = await db
    .select({ id: attempts.id })
    .from(attempts)
    .where(and(eq(attempts.vendor, vendor.code), or(...named)))
    // Our own reference identifies exactly one; a vendor may reuse its own, and then means the newest.
    .orderBy(desc(sql`${attempts.reference} = ${reference}`), desc(attempts.id))
    .limit(1);
  if (!attempt) return "unknown reference";
  await applyReports(db, vendor, [
    { attemptId: attempt.id, report: { kind: "state", state, vendorReference, costPesewas, message } },
  ]);
  return `applied: ${state}`;
}
