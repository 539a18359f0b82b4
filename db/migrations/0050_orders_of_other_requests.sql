-- each statement alone
CREATE INDEX CONCURRENTLY IF NOT EXISTS "api_request_rows_order_ids" ON "api_request_rows" USING gin ("order_ids") WHERE "api_request_rows"."order_ids" <> '{}';--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "api_request_rows_orders";