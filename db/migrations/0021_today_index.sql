-- each statement alone
CREATE INDEX CONCURRENTLY IF NOT EXISTS "losses_unsettled" ON "losses" USING btree ("id") WHERE "losses"."settled_at" is null;
