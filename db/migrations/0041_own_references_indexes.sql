-- each statement alone
CREATE INDEX CONCURRENTLY IF NOT EXISTS "bulk_orders_reference" ON "bulk_orders" USING btree ("reference","user_id","id") WHERE "bulk_orders"."reference" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "bulk_orders_reference_once" ON "bulk_orders" USING btree ("user_id","reference") WHERE "bulk_orders"."is_reference_unique";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_bulk_lines" ON "orders" USING btree ("bulk_order_id","id") WHERE "orders"."bulk_order_id" is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_reference" ON "orders" USING btree ("reference","user_id","id") WHERE "orders"."reference" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "orders_reference_once" ON "orders" USING btree ("user_id","reference") WHERE "orders"."is_reference_unique";--> statement-breakpoint
-- The index above does what this one did, and in the order of the lines.
DROP INDEX CONCURRENTLY IF EXISTS "orders_bulk";--> statement-breakpoint
-- Why earlier orders failed, from their timelines, as far as these say it. It runs again where it was interrupted.
UPDATE orders o SET failure = (
  SELECT CASE
      WHEN e.by_user_id = o.user_id THEN 'cancelled'
      WHEN e.kind = 'taken_back' THEN 'delivery_reversed'
      WHEN e.kind IS NOT NULL THEN 'network_refused'
      WHEN o.paid_at IS NULL AND e.by_user_id IS NULL THEN 'not_paid'
      WHEN o.product_size = 'AFA' AND e.by_user_id IS NOT NULL THEN 'registration_refused'
      WHEN EXISTS (SELECT FROM support_requests r WHERE r.subject_id = o.id AND r.kind = 'not_received'
        AND r.outcome = 'refunded') THEN 'not_received'
      WHEN e.by_user_id IS NULL THEN 'not_delivered_in_time'
      ELSE 'refunded_by_shop' END
  FROM order_events e WHERE e.order_id = o.id AND e.to_status = 'FAILED' ORDER BY e.id DESC LIMIT 1)
WHERE o.status = 'FAILED' AND o.failure IS NULL;