CREATE TABLE "afa_registrations" (
	"order_id" bigint PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"full_name" text NOT NULL,
	"msisdn" text NOT NULL,
	"location" text NOT NULL,
	"card_sealed" text NOT NULL,
	"card_digest" text NOT NULL,
	"card_last4" text NOT NULL,
	"refused_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "afa_name_given" CHECK (btrim("afa_registrations"."full_name") <> ''),
	CONSTRAINT "afa_location_given" CHECK (btrim("afa_registrations"."location") <> ''),
	CONSTRAINT "afa_card_is_sealed" CHECK ("afa_registrations"."card_sealed" ~ '^1[.][A-Za-z0-9_-]{6}[.][A-Za-z0-9_-]{40,}$'),
	CONSTRAINT "afa_card_last4_digits" CHECK ("afa_registrations"."card_last4" ~ '^[0-9]{4}$')
);
--> statement-breakpoint
DROP INDEX "products_on_sale_once";--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "line" text DEFAULT 'bundle' NOT NULL;--> statement-breakpoint
ALTER TABLE "afa_registrations" ADD CONSTRAINT "afa_registrations_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "afa_registrations_user" ON "afa_registrations" USING btree ("user_id","order_id");--> statement-breakpoint
CREATE INDEX "afa_registrations_search" ON "afa_registrations" USING gin ("full_name" gin_trgm_ops,"msisdn" gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "afa_card_once" ON "afa_registrations" USING btree ("card_digest") WHERE "afa_registrations"."refused_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "afa_number_once" ON "afa_registrations" USING btree ("msisdn") WHERE "afa_registrations"."refused_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "products_afa_once" ON "products" USING btree ("line") WHERE "products"."line" = 'afa';--> statement-breakpoint
CREATE UNIQUE INDEX "products_on_sale_once" ON "products" USING btree ("operator",lower("name"),lower("size")) WHERE "products"."retired_at" is null and "products"."line" = 'bundle';--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_line_known" CHECK ("products"."line" in ('bundle', 'afa'));--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_afa_stays" CHECK ("products"."line" <> 'afa' or ("products"."retired_at" is null and "products"."volume_mb" is null and "products"."operator" = 'MTN'));