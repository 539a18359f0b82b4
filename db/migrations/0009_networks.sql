-- Operators and families become what admins keep. The program's routes of families stay rows of settings, so that none
-- is lost. The rules of products and drafts hold for every row already, so that none need be read under a lock:
-- NOT VALID.
CREATE TABLE "number_prefixes" (
	"prefix" text PRIMARY KEY NOT NULL,
	"operator" text NOT NULL,
	CONSTRAINT "number_prefixes_form" CHECK ("number_prefixes"."prefix" ~ '^[25][0-9]{1,2}$')
);
--> statement-breakpoint
CREATE TABLE "operator_state" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"version" uuid DEFAULT gen_random_uuid() NOT NULL,
	CONSTRAINT "operator_state_one_row" CHECK ("operator_state"."only")
);
--> statement-breakpoint
ALTER TABLE "operators" DROP CONSTRAINT "operators_code_known";--> statement-breakpoint
ALTER TABLE "product_families" DROP CONSTRAINT "product_families_code_known";--> statement-breakpoint
ALTER TABLE "products" DROP CONSTRAINT "products_afa_stays";--> statement-breakpoint
ALTER TABLE "bulk_drafts" DROP CONSTRAINT "bulk_drafts_operator_known";--> statement-breakpoint
ALTER TABLE "operators" ADD COLUMN "short_name" text;--> statement-breakpoint
ALTER TABLE "operators" ADD COLUMN "letters" text;--> statement-breakpoint
ALTER TABLE "operators" ADD COLUMN "color" text;--> statement-breakpoint
ALTER TABLE "operators" ADD COLUMN "path" text;--> statement-breakpoint
ALTER TABLE "operators" ADD COLUMN "position" integer;--> statement-breakpoint
ALTER TABLE "operators" ADD COLUMN "ussd_label" text;--> statement-breakpoint
ALTER TABLE "operators" ADD COLUMN "ussd_position" integer;--> statement-breakpoint
ALTER TABLE "operators" ADD COLUMN "aliases" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "operators" ADD COLUMN "momo" text;--> statement-breakpoint
ALTER TABLE "operators" ADD COLUMN "retired_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "operators" ADD COLUMN "merged_into" text;--> statement-breakpoint
ALTER TABLE "product_families" ADD COLUMN "ussd_label" text;--> statement-breakpoint
ALTER TABLE "product_families" ADD COLUMN "position" integer;--> statement-breakpoint
ALTER TABLE "product_families" ADD COLUMN "aliases" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "product_families" ADD COLUMN "retired_at" timestamp with time zone;
--> statement-breakpoint
-- What was written down in the program until now.
UPDATE operators o SET short_name = f.short_name, letters = f.letters, color = f.color, path = f.path,
  position = f.position, ussd_label = f.ussd_label, ussd_position = f.ussd_position, aliases = f.aliases, momo = f.momo
FROM (VALUES
  ('MTN', 'MTN', 'M', '#ffcc08', '/mtn-data', 1, 'MTN', 1, '{}'::text[], 'mtn'),
  ('AIRTELTIGO', 'AT', 'AT', '#d8232a', '/airtel-tigo', 2, 'AT (AirtelTigo)', 3,
   '{AT,Airtel Tigo,Airtel,Tigo}', 'atl'),
  ('TELECEL', 'Telecel', 'T', '#2a9d4c', '/telecel', 3, 'Telecel', 2, '{Vodafone,Voda}', 'vod')
) AS f (code, short_name, letters, color, path, position, ussd_label, ussd_position, aliases, momo)
WHERE o.code = f.code;
--> statement-breakpoint
UPDATE product_families p SET ussd_label = f.ussd_label, position = f.position, aliases = f.aliases
FROM (VALUES
  ('MTN', 'MTN', 1, '{}'::text[]), ('AT_ISHARE', 'iShare', 1, '{i-Share}'), ('AT_BIGTIME', 'BigTime', 2, '{Big Time}'),
  ('TELECEL', 'Telecel', 1, '{}')
) AS f (code, ussd_label, position, aliases)
WHERE p.code = f.code;
--> statement-breakpoint
-- libphonenumber's carrier file, 2026-07.
INSERT INTO number_prefixes (prefix, operator) VALUES
  ('24', 'MTN'), ('25', 'MTN'), ('53', 'MTN'), ('54', 'MTN'), ('55', 'MTN'), ('59', 'MTN'),
  ('20', 'TELECEL'), ('50', 'TELECEL'),
  ('23', 'AIRTELTIGO'), ('26', 'AIRTELTIGO'), ('27', 'AIRTELTIGO'), ('56', 'AIRTELTIGO'), ('57', 'AIRTELTIGO');
--> statement-breakpoint
INSERT INTO operator_state DEFAULT VALUES;
--> statement-breakpoint
ALTER TABLE "operators" ALTER COLUMN "short_name" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "operators" ALTER COLUMN "letters" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "operators" ALTER COLUMN "color" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "operators" ALTER COLUMN "path" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "operators" ALTER COLUMN "position" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "operators" ALTER COLUMN "ussd_label" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "operators" ALTER COLUMN "ussd_position" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "product_families" ALTER COLUMN "ussd_label" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "product_families" ALTER COLUMN "position" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "number_prefixes" ADD CONSTRAINT "number_prefixes_operator_operators_code_fk" FOREIGN KEY ("operator") REFERENCES "public"."operators"("code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operators" ADD CONSTRAINT "operators_merged_into_operators_code_fk" FOREIGN KEY ("merged_into") REFERENCES "public"."operators"("code") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "bulk_drafts" ADD CONSTRAINT "bulk_drafts_operator_operators_code_fk" FOREIGN KEY ("operator") REFERENCES "public"."operators"("code") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "operators" ADD CONSTRAINT "operators_code_form" CHECK ("operators"."code" ~ '^[A-Z][A-Z0-9_]{1,15}$') NOT VALID;--> statement-breakpoint
ALTER TABLE "operators" ADD CONSTRAINT "operators_color_form" CHECK ("operators"."color" ~ '^#[0-9a-f]{6}$') NOT VALID;--> statement-breakpoint
ALTER TABLE "operators" ADD CONSTRAINT "operators_path_form" CHECK ("operators"."path" ~ '^/[a-z][a-z0-9-]{1,30}$') NOT VALID;--> statement-breakpoint
ALTER TABLE "operators" ADD CONSTRAINT "operators_momo_known" CHECK ("operators"."momo" in ('mtn', 'vod', 'atl')) NOT VALID;--> statement-breakpoint
ALTER TABLE "operators" ADD CONSTRAINT "operators_merged_is_retired" CHECK ("operators"."merged_into" is null or "operators"."retired_at" is not null) NOT VALID;--> statement-breakpoint
ALTER TABLE "product_families" ADD CONSTRAINT "product_families_code_form" CHECK ("product_families"."code" ~ '^[A-Z][A-Z0-9_]{1,15}$') NOT VALID;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_afa_stays" CHECK ("products"."line" <> 'afa' or ("products"."retired_at" is null and "products"."volume_mb" is null)) NOT VALID;
--> statement-breakpoint
-- As before, and a bundle that moves to another operator, which brings a number that is free there.
CREATE OR REPLACE FUNCTION number_bundle() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM operators WHERE code = NEW.operator FOR NO KEY UPDATE;
  IF TG_OP = 'INSERT' AND NEW.ussd_number IS NULL THEN
    SELECT min(n) INTO NEW.ussd_number FROM generate_series(1, 9999) n
    WHERE n NOT IN (9, 99) AND NOT EXISTS (SELECT FROM ussd_numbers WHERE operator = NEW.operator AND number = n);
  END IF;
  IF TG_OP = 'UPDATE' AND (NEW.ussd_number IS DISTINCT FROM OLD.ussd_number OR NEW.retired_at IS NOT NULL
      OR NEW.operator <> OLD.operator) THEN
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
DROP TRIGGER products_renumbered ON products;--> statement-breakpoint
CREATE TRIGGER products_renumbered BEFORE UPDATE ON products
  FOR EACH ROW WHEN (NEW.line = 'bundle' AND (NEW.ussd_number IS DISTINCT FROM OLD.ussd_number
    OR NEW.retired_at IS DISTINCT FROM OLD.retired_at OR NEW.operator <> OLD.operator)) EXECUTE FUNCTION number_bundle();