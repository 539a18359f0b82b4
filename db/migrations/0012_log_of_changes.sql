-- each statement alone
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_log_author" ON "audit_log" USING btree ("by_user_id","created_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_log_day" ON "audit_log" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "afa_to_forget" ON "afa_registrations" USING btree ("created_at") WHERE "afa_registrations"."full_name" <> 'Deleted';--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "contacts_msisdn" ON "contacts" USING btree ("msisdn");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "phones_unconfirmed" ON "phones" USING btree ("code_awaited_since") WHERE "phones"."code_awaited_since" is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "customer_debts_msisdn" ON "customer_debts" USING btree ("msisdn");
