-- What kind of bundle a product is, as data: until now it was read out of AirtelTigo's products' names.
CREATE TABLE "product_families" (
	"code" text PRIMARY KEY NOT NULL,
	"operator" text NOT NULL,
	"name" text NOT NULL,
	CONSTRAINT "product_families_operator_once" UNIQUE("code","operator"),
	CONSTRAINT "product_families_code_known" CHECK ("product_families"."code" in ('MTN', 'AT_ISHARE', 'AT_BIGTIME', 'TELECEL'))
);
--> statement-breakpoint
ALTER TABLE "product_families" ADD CONSTRAINT "product_families_operator_operators_code_fk" FOREIGN KEY ("operator") REFERENCES "public"."operators"("code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
INSERT INTO product_families (code, operator, name) VALUES
  ('MTN', 'MTN', 'MTN'), ('AT_ISHARE', 'AIRTELTIGO', 'AT iShare'),
  ('AT_BIGTIME', 'AIRTELTIGO', 'AT BigTime'), ('TELECEL', 'TELECEL', 'Telecel');
--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "family" text;--> statement-breakpoint
UPDATE products SET family = CASE
    WHEN operator <> 'AIRTELTIGO' THEN operator
    WHEN name ~* 'big\s*time' THEN 'AT_BIGTIME'
    ELSE 'AT_ISHARE' END
  WHERE line = 'bundle';
--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_family_of_operator" FOREIGN KEY ("family","operator") REFERENCES "public"."product_families"("code","operator") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_family_of_bundle" CHECK ("products"."line" = 'bundle' or "products"."family" is null);--> statement-breakpoint

-- Without a family an order is of its operator's first one, so that only the others have to be written.
ALTER TABLE "orders" ADD COLUMN "family" text;--> statement-breakpoint
UPDATE orders SET family = 'AT_BIGTIME' FROM products p WHERE p.id = orders.product_id AND p.family = 'AT_BIGTIME';
--> statement-breakpoint

ALTER TABLE "attempts" ADD COLUMN "sent_together" smallint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "alone" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "seen_by_vendor" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "checks_left" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
-- What was delivered in the last days is compared with the vendors' own records, too.
UPDATE attempts SET checks_left = 3, due_at = now() + random() * interval '1 day'
  WHERE state = 'delivered' AND vendor <> 'desk' AND ended_at > now() - interval '3 days';
--> statement-breakpoint
CREATE INDEX "attempts_to_compare" ON "attempts" USING btree ("vendor","due_at","id") WHERE "attempts"."state" = 'delivered' and "attempts"."checks_left" > 0;--> statement-breakpoint

-- What a vendor said goes where only admins read it; agents read what the kind says.
ALTER TABLE "order_events" ADD COLUMN "kind" text;--> statement-breakpoint
ALTER TABLE "order_events" ADD COLUMN "detail" text;--> statement-breakpoint
UPDATE order_events SET note = NULL, detail = note, kind = CASE
    WHEN to_status = 'DELIVERED' THEN 'delivered'
    WHEN to_status = 'FAILED' AND note ~ ' took the delivery back' THEN 'taken_back'
    WHEN to_status = 'FAILED' THEN 'refused'
    WHEN note ~ '^Sent to ' THEN 'sent'
    WHEN note ~ '^Waiting for ' THEN 'waiting'
    WHEN note ~ '^No clear answer from ' THEN 'checking'
    WHEN note ~ ' never received it: sending it again$' THEN 'resending'
    WHEN note ~ ' is at work on it' THEN 'working'
    WHEN note ~ ' holds it back' THEN 'held'
    WHEN note ~ ' delivered after all' THEN 'delivered_late'
    WHEN note ~ ' (could not|cannot) deliver it| never received it$| did not take it' THEN 'refused'
    WHEN to_status = 'PROCESSING' THEN 'sent'
    ELSE 'waiting' END
  WHERE channel = 'system' AND by_user_id IS NULL AND note IS NOT NULL AND NOT is_internal
    AND note !~ '^(At the desk, waiting to be sent|Not paid within 24 hours|Not delivered|Not delivered by [0-9:]+, as promised)$'
    AND note !~ '^A payment of GH₵ [0-9,.]+ arrived when this order could no longer be paid';
--> statement-breakpoint
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_kind_known" CHECK ("order_events"."kind" in ('queued', 'sent', 'checking', 'working', 'held', 'waiting', 'resending', 'refused', 'delivered', 'delivered_late', 'taken_back'));--> statement-breakpoint
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_detail_of_kind" CHECK ("order_events"."detail" is null or "order_events"."kind" is not null);--> statement-breakpoint
-- The same words stand in failed orders, and in the messages to developers' endpoints about them.
UPDATE hook_deliveries d SET body = replace(d.body, '"note":' || to_json(o.note)::text, '"note":"The network could not deliver it"')
  FROM orders o JOIN order_events e ON e.order_id = o.id
  WHERE o.id = d.order_id AND o.status = 'FAILED' AND e.to_status = 'FAILED' AND e.kind IS NOT NULL AND e.detail = o.note;
--> statement-breakpoint
UPDATE orders o SET note = CASE e.kind WHEN 'taken_back' THEN 'The network took the delivery back' ELSE 'The network could not deliver it' END
  FROM order_events e
  WHERE e.order_id = o.id AND o.status = 'FAILED' AND e.to_status = 'FAILED' AND e.kind IS NOT NULL AND e.detail = o.note;
--> statement-breakpoint
UPDATE support_messages m SET message = 'The money for this order is back in your wallet.'
  FROM support_requests r JOIN order_events e ON e.order_id = r.subject_id
  WHERE r.id = m.request_id AND r.kind = 'not_received' AND m.by_user_id IS NULL AND e.to_status = 'FAILED'
    AND e.detail IS NOT NULL AND m.message = 'The money for this order is back in your wallet. ' || e.detail;
