-- The rules of phones and products hold for every row by the time they are added, so that none need be read under a lock:
-- NOT VALID.
CREATE TABLE "ussd_numbers" (
	"operator" text NOT NULL,
	"number" integer NOT NULL,
	"product_id" bigint NOT NULL,
	"freed_at" timestamp with time zone,
	CONSTRAINT "ussd_numbers_pkey" PRIMARY KEY("operator","number")
);
--> statement-breakpoint
ALTER TABLE "ussd_numbers" ADD CONSTRAINT "ussd_numbers_operator_operators_code_fk" FOREIGN KEY ("operator") REFERENCES "public"."operators"("code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "phones" ADD COLUMN "notify_customers" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "phones" ADD COLUMN "shop_name" text;--> statement-breakpoint
ALTER TABLE "phones" ADD COLUMN "requires_pin" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "phones" ADD CONSTRAINT "phones_shop_name_is_short" CHECK (char_length("phones"."shop_name") between 1 and 20) NOT VALID;--> statement-breakpoint
-- Every number that a bundle has or had, except 99, which means another network from now on.
INSERT INTO ussd_numbers (operator, number, product_id, freed_at)
  SELECT DISTINCT ON (operator, ussd_number) operator, ussd_number, id, retired_at FROM products
  WHERE line = 'bundle' AND ussd_number <> 99 ORDER BY operator, ussd_number, retired_at DESC NULLS FIRST;
--> statement-breakpoint
-- Gives a new bundle the smallest number that its operator never gave, and keeps the record of numbers. The operator's
-- row is locked, so that two bundles do not get the same one.
CREATE OR REPLACE FUNCTION number_bundle() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM operators WHERE code = NEW.operator FOR NO KEY UPDATE;
  IF TG_OP = 'INSERT' AND NEW.ussd_number IS NULL THEN
    SELECT min(n) INTO NEW.ussd_number FROM generate_series(1, 9999) n
    WHERE n NOT IN (9, 99) AND NOT EXISTS (SELECT FROM ussd_numbers WHERE operator = NEW.operator AND number = n);
  END IF;
  IF TG_OP = 'UPDATE' AND (NEW.ussd_number IS DISTINCT FROM OLD.ussd_number OR NEW.retired_at IS NOT NULL) THEN
    UPDATE ussd_numbers SET freed_at = now()
    WHERE operator = OLD.operator AND number = OLD.ussd_number AND product_id = OLD.id AND freed_at IS NULL;
  END IF;
  IF NEW.retired_at IS NULL THEN
    INSERT INTO ussd_numbers AS given (operator, number, product_id)
    VALUES (NEW.operator, NEW.ussd_number, NEW.id)
    ON CONFLICT (operator, number) DO UPDATE SET product_id = excluded.product_id, freed_at = NULL
      WHERE given.product_id = excluded.product_id OR given.freed_at < now() - interval '90 days';
    IF NOT FOUND THEN
      RAISE unique_violation USING CONSTRAINT = 'ussd_numbers_rest',
        MESSAGE = format('the USSD number %s of %s belongs to another bundle', NEW.ussd_number, NEW.operator);
    END IF;
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
DROP TRIGGER products_numbered ON products;--> statement-breakpoint
CREATE TRIGGER products_numbered BEFORE INSERT ON products
  FOR EACH ROW WHEN (NEW.line = 'bundle') EXECUTE FUNCTION number_bundle();
--> statement-breakpoint
CREATE TRIGGER products_renumbered BEFORE UPDATE ON products
  FOR EACH ROW WHEN (NEW.line = 'bundle' AND (NEW.ussd_number IS DISTINCT FROM OLD.ussd_number
    OR NEW.retired_at IS DISTINCT FROM OLD.retired_at)) EXECUTE FUNCTION number_bundle();
--> statement-breakpoint
UPDATE products SET ussd_number = CASE WHEN retired_at IS NULL THEN (
    SELECT min(n) FROM generate_series(1, 9999) n WHERE n NOT IN (9, 99) AND NOT EXISTS (
      SELECT FROM ussd_numbers u WHERE u.operator = products.operator AND u.number = n)) END
  WHERE line = 'bundle' AND ussd_number = 99;
--> statement-breakpoint
ALTER TABLE "products" DROP CONSTRAINT "products_ussd_number_is_free_to_type";--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_ussd_number_is_free_to_type" CHECK ("products"."ussd_number" > 0 and "products"."ussd_number" not in (9, 99)) NOT VALID;