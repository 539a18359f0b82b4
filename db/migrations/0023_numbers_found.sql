-- each statement alone
-- What a recipient's number is found by: each four digits in a row of its national part, below the block of 131,072 ids
-- that the order is in. It is short, so that Postgres writes it into each statement that asks, and no call is made.
CREATE OR REPLACE FUNCTION number_parts(id bigint, msisdn text) RETURNS int[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ARRAY[
    (id / 131072)::int * 16384 + substr(msisdn, 4, 4)::int,
    (id / 131072)::int * 16384 + substr(msisdn, 5, 4)::int,
    (id / 131072)::int * 16384 + substr(msisdn, 6, 4)::int,
    (id / 131072)::int * 16384 + substr(msisdn, 7, 4)::int,
    (id / 131072)::int * 16384 + substr(msisdn, 8, 4)::int,
    (id / 131072)::int * 16384 + substr(msisdn, 9, 4)::int]
$$;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_number_parts" ON "orders" USING gin (number_parts("id", "msisdn"));--> statement-breakpoint
-- The searches of a version from before this one are slower without it, and cut to the newest orders when too slow.
DROP INDEX CONCURRENTLY IF EXISTS "orders_msisdn_part";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "phones_number_part" ON "phones" USING gin ("msisdn" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_name_part" ON "users" USING gin ("username" gin_trgm_ops,"email" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "claims_transaction" ON "claims" USING btree ("transaction_id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payments_payer" ON "payments" USING btree ("payer_msisdn","id") WHERE "payments"."payer_msisdn" is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payments_amount" ON "payments" USING btree ("amount_pesewas","id");
