-- each statement alone
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_staff" ON "users" USING btree ("id") WHERE "users"."roles" <> array['USER']::text[];
