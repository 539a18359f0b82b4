-- each statement alone
CREATE INDEX CONCURRENTLY IF NOT EXISTS "attempts_held" ON "attempts" USING btree ("hold_until") WHERE "attempts"."state" in ('accepted', 'processing', 'held') and "attempts"."hold_until" is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_due" ON "orders" USING btree ("deliver_by","id") WHERE "orders"."status" in ('PENDING', 'PAID', 'PROCESSING') and "orders"."paid_at" is not null;
