DROP INDEX "api_request_rows_orders";--> statement-breakpoint
CREATE INDEX "api_request_rows_orders" ON "api_request_rows" USING gin ("order_ids") WHERE "api_request_rows"."order_ids" <> '{}';