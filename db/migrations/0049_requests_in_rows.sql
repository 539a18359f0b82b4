-- What was logged so far, a row each.
INSERT INTO "api_request_rows" ("user_id", "at", "count", "order_ids", "requests")
SELECT "user_id", "at", 1, CASE WHEN "order_id" IS NULL THEN '{}' ELSE array["order_id"] END,
       array_to_string(array[
         (extract(epoch FROM "at") * 1000)::bigint::text, "key_id"::text, "method", "route", "path", "status"::text, "code",
         "ms"::text, "request_id", "order_id"::text, "bulk_order_id"::text, "idempotency_key",
         CASE WHEN "is_replayed" THEN '1' END, NULL, "address", "request_body", "answer_body"], chr(31), '')
FROM "api_requests" ORDER BY "user_id", "id";--> statement-breakpoint
DROP TABLE "api_requests" CASCADE;--> statement-breakpoint
-- The requests, one by one. OFFSET keeps each from being taken apart once for every column.
CREATE VIEW "api_requests" AS
SELECT r."id" * 1000 + f."place" - 1 AS "id", r."id" AS "row_id", f."place"::int AS "place",
       to_timestamp(f."is"[1]::float8 / 1000) AS "at", r."user_id", f."is"[2]::bigint AS "key_id", f."is"[3] AS "method",
       f."is"[4] AS "route", f."is"[5] AS "path", f."is"[6]::smallint AS "status", nullif(f."is"[7], '') AS "code",
       f."is"[8]::int AS "ms", f."is"[9] AS "request_id", nullif(f."is"[10], '')::bigint AS "order_id",
       nullif(f."is"[11], '')::bigint AS "bulk_order_id", nullif(f."is"[12], '') AS "idempotency_key",
       f."is"[13] = '1' AS "is_replayed", f."is"[14] = '1' AS "is_purchase", f."is"[15] AS "address",
       nullif(f."is"[16], '') AS "request_body", nullif(f."is"[17], '') AS "answer_body", r."order_ids"
FROM "api_request_rows" r, LATERAL (
  SELECT "place", string_to_array("line", chr(31)) AS "is"
  FROM string_to_table(r."requests", chr(30)) WITH ORDINALITY AS lines("line", "place") OFFSET 0) f;
