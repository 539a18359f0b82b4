-- What was logged so far, a row each.
INSERT INTO "api_request_rows" ("user_id", "at", "count", "order_ids", "requests", "bodies")
SELECT "user_id", "at", 1, CASE WHEN "order_id" IS NULL THEN '{}' ELSE array["order_id"] END,
       array_to_string(array[
         (extract(epoch FROM "at") * 1000)::bigint::text, "key_id"::text, "method", "route", "path", "status"::text, "code",
         "ms"::text, "request_id", "order_id"::text, "bulk_order_id"::text, "idempotency_key",
         CASE WHEN "is_replayed" THEN '1' END, NULL, "address"], chr(31), ''),
       coalesce("request_body", '') || chr(31) || coalesce("answer_body", '')
FROM "api_requests" ORDER BY "user_id", "id";--> statement-breakpoint
DROP TABLE "api_requests" CASCADE;--> statement-breakpoint
-- A request's fields from its line.
CREATE FUNCTION "api_request_fields"("line" text) RETURNS TABLE (
  "at" timestamptz, "key_id" bigint, "method" text, "route" text, "path" text, "status" smallint, "code" text, "ms" int,
  "request_id" text, "order_id" bigint, "bulk_order_id" bigint, "idempotency_key" text, "is_replayed" boolean,
  "is_purchase" boolean, "address" text) LANGUAGE sql STABLE AS $$
SELECT to_timestamp(f[1]::float8 / 1000), f[2]::bigint, f[3], f[4], f[5], f[6]::smallint, nullif(f[7], ''), f[8]::int, f[9],
       nullif(f[10], '')::bigint, nullif(f[11], '')::bigint, nullif(f[12], ''), f[13] = '1', f[14] = '1', f[15]
FROM (SELECT string_to_array("line", chr(31)) AS f OFFSET 0) fields $$;--> statement-breakpoint
-- The requests, one by one, without their bodies, which are not read.
CREATE VIEW "api_requests" AS
SELECT r."id" * 1000 + l."place" - 1 AS "id", r."id" AS "row_id", l."place"::int AS "place", r."user_id", r."order_ids", f.*
FROM "api_request_rows" r, string_to_table(r."requests", chr(30)) WITH ORDINALITY AS l("line", "place"),
  LATERAL "api_request_fields"(l."line") f;--> statement-breakpoint
-- And with them.
CREATE VIEW "whole_api_requests" AS
SELECT r."id" * 1000 + l."place" - 1 AS "id", r."id" AS "row_id", l."place"::int AS "place", r."user_id", r."order_ids", f.*,
       nullif(split_part(l."bodies", chr(31), 1), '') AS "request_body",
       nullif(split_part(l."bodies", chr(31), 2), '') AS "answer_body"
FROM "api_request_rows" r,
  ROWS FROM (string_to_table(r."requests", chr(30)), string_to_table(r."bodies", chr(30))) WITH ORDINALITY
    AS l("line", "bodies", "place"),
  LATERAL "api_request_fields"(l."line") f;
