-- each statement alone
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_log_author" ON "audit_log" USING btree ("by_user_id","created_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_log_day" ON "audit_log" USING btree ("created_at","id");