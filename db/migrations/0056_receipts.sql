-- each statement alone
ALTER TABLE "orders" DROP CONSTRAINT IF EXISTS "orders_failure_known", ADD CONSTRAINT "orders_failure_known" CHECK ("orders"."failure" in ('cancelled', 'not_paid', 'not_delivered_in_time', 'network_refused', 'out_of_stock', 'not_deliverable', 'delivery_reversed', 'not_received', 'registration_refused', 'refunded_by_shop', 'ended_by_shop', 'other')) NOT VALID;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "claims_decided" ON "claims" USING btree ("decided_at") WHERE "claims"."decided_at" is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payments_paid" ON "payments" USING btree ("paid_at","id") WHERE "payments"."paid_at" is not null;--> statement-breakpoint
-- Orders that were never paid were not refunded.
UPDATE orders SET failure = 'ended_by_shop' WHERE status = 'FAILED' AND failure = 'refunded_by_shop' AND paid_at IS NULL;
