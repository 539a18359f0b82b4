-- Bundles get numbers that stay: those on sale as they stand in today's lists, paused ones behind them, so that a shortcut
-- learnt until today means the same tomorrow. 9 is left out: it turns the page.
ALTER TABLE "products" ADD COLUMN "ussd_number" integer;--> statement-breakpoint
UPDATE "products" p SET "ussd_number" = CASE WHEN n.place < 9 THEN n.place ELSE n.place + 1 END
  FROM (SELECT id, row_number() OVER (PARTITION BY operator ORDER BY paused_message IS NOT NULL, price_pesewas, id) AS place
          FROM "products" WHERE line = 'bundle' AND retired_at IS NULL) n
  WHERE p.id = n.id;--> statement-breakpoint
CREATE UNIQUE INDEX "products_ussd_number_once" ON "products" USING btree ("operator","ussd_number")
  WHERE "products"."retired_at" is null and "products"."line" = 'bundle';--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_ussd_number_is_free_to_type"
  CHECK ("products"."ussd_number" > 0 and "products"."ussd_number" <> 9);--> statement-breakpoint

-- Whoever makes a bundle, the version before this one included, gets it numbered. Two made at once wait for each other.
CREATE FUNCTION number_bundle() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM operators WHERE code = NEW.operator FOR NO KEY UPDATE;
  SELECT coalesce(max(ussd_number), 0) + 1 INTO NEW.ussd_number FROM products WHERE operator = NEW.operator;
  IF NEW.ussd_number = 9 THEN NEW.ussd_number := 10; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER products_numbered BEFORE INSERT ON products
  FOR EACH ROW WHEN (NEW.line = 'bundle' AND NEW.ussd_number IS NULL) EXECUTE FUNCTION number_bundle();--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_bundle_has_ussd_number"
  CHECK ("products"."line" <> 'bundle' or "products"."retired_at" is not null or "products"."ussd_number" is not null);--> statement-breakpoint

CREATE TABLE "unfinished_purchases" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"product_id" bigint NOT NULL,
	"msisdn" text NOT NULL,
	"quantity" integer NOT NULL,
	"price_pesewas" bigint NOT NULL,
	"service_code" text NOT NULL,
	"kept_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "unfinished_purchases_msisdn_is_ghanaian" CHECK ("unfinished_purchases"."msisdn" ~ '^233[25][0-9]{8}$'),
	CONSTRAINT "unfinished_purchases_amount_above_zero"
	  CHECK ("unfinished_purchases"."quantity" > 0 and "unfinished_purchases"."price_pesewas" > 0)
);
--> statement-breakpoint
ALTER TABLE "ussd_days" ADD COLUMN "failed" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "ussd_days" ADD COLUMN "failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "prompts" ADD COLUMN "given_up_at" timestamp with time zone;
