-- What programs write on their orders, and why orders fail. New columns are empty, and their rules admit that, so no row
-- need be read under a lock: NOT VALID.
ALTER TABLE "attempts" ADD COLUMN "not_taken" text;--> statement-breakpoint
ALTER TABLE "bulk_orders" ADD COLUMN "reference" text;--> statement-breakpoint
ALTER TABLE "bulk_orders" ADD COLUMN "metadata" jsonb;--> statement-breakpoint
ALTER TABLE "bulk_orders" ADD COLUMN "is_reference_unique" boolean;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "failure" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "reference" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "metadata" jsonb;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "is_reference_unique" boolean;--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_not_taken_known" CHECK ("attempts"."not_taken" in ('out_of_stock', 'not_servable')) NOT VALID;--> statement-breakpoint
ALTER TABLE "bulk_orders" ADD CONSTRAINT "bulk_orders_reference_fits" CHECK (octet_length("bulk_orders"."reference") between 1 and 64
    and ("bulk_orders"."is_reference_unique" is null or "bulk_orders"."reference" is not null)) NOT VALID;--> statement-breakpoint
ALTER TABLE "bulk_orders" ADD CONSTRAINT "bulk_orders_metadata_fits" CHECK (jsonb_typeof("bulk_orders"."metadata") = 'object' and octet_length("bulk_orders"."metadata"::text) <= 16384) NOT VALID;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_failure_known" CHECK ("orders"."failure" in ('cancelled', 'not_paid', 'not_delivered_in_time', 'network_refused', 'out_of_stock', 'not_deliverable', 'delivery_reversed', 'not_received', 'registration_refused', 'refunded_by_shop', 'other')) NOT VALID;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_reference_fits" CHECK (octet_length("orders"."reference") between 1 and 64
    and ("orders"."is_reference_unique" is null or "orders"."reference" is not null)) NOT VALID;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_metadata_fits" CHECK (jsonb_typeof("orders"."metadata") = 'object' and octet_length("orders"."metadata"::text) <= 16384) NOT VALID;