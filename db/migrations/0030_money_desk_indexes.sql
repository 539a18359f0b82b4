-- each statement alone
CREATE INDEX CONCURRENTLY IF NOT EXISTS "claims_credited_by_imports" ON "claims" USING btree ("decided_by_user_id","decided_at") WHERE "claims"."is_automatic";--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "claims_line_credited_once" ON "claims" USING btree ("line_id") WHERE "claims"."state" = 'approved';
