-- each statement alone
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transfers_top_ups" ON "transfers" USING btree ("created_at") WHERE "transfers"."reason" in ('topup', 'claim');--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "bulk_orders_age" ON "bulk_orders" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "losses_age" ON "losses" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "claims_age" ON "claims" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "claims_refused" ON "claims" USING btree ("decided_at") WHERE "claims"."state" = 'refused';--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_reversals_user" ON "payment_reversals" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_reversals_age" ON "payment_reversals" USING btree ("created_at");