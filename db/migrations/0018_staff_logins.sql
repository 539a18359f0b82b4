-- each statement alone
ALTER TABLE "users" ADD COLUMN IF NOT EXISTS "last_login_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_staff" ON "users" USING btree ("id") WHERE "users"."roles" <> array['USER'];
