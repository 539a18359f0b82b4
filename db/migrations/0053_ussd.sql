ALTER TABLE "ussd_sessions" ADD COLUMN "left_after_ms" integer DEFAULT 0;--> statement-breakpoint
ALTER TABLE "ussd_sessions" ADD COLUMN "repeat_mac" text;--> statement-breakpoint
-- The number that agents type for a size: 5 for 5GB. Only whole sizes have one, and 9 and 99 mean other things.
CREATE FUNCTION ussd_number_of_size(volume_mb integer) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT volume_mb / 1000 WHERE volume_mb % 1000 = 0 AND volume_mb / 1000 BETWEEN 1 AND 9999
    AND volume_mb / 1000 NOT IN (9, 99)
$$;
--> statement-breakpoint
-- A bundle gets the number of its size, unless another bundle of its network has it: it means the size, whosever it was
-- before, and need not rest. Any other bundle gets the smallest from 51 up that was never given and is nobody's size.
-- Up to 50 a number is a size and nothing else.
CREATE OR REPLACE FUNCTION number_bundle() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  size_number integer := ussd_number_of_size(NEW.volume_mb);
BEGIN
  PERFORM FROM operators WHERE code = NEW.operator FOR NO KEY UPDATE;
  IF TG_OP = 'INSERT' AND NEW.ussd_number IS NULL
      -- It has another size now, or comes back from a time when numbers were no sizes.
      OR TG_OP = 'UPDATE' AND NEW.retired_at IS NULL AND NEW.ussd_number = OLD.ussd_number
        AND NEW.ussd_number <= 50 AND NEW.ussd_number IS DISTINCT FROM size_number THEN
    NEW.ussd_number := coalesce(
      (SELECT size_number WHERE NOT EXISTS (
        SELECT FROM ussd_numbers WHERE operator = NEW.operator AND number = size_number AND freed_at IS NULL
          AND product_id <> NEW.id)),
      (SELECT min(n) FROM generate_series(51, 9999) n
       WHERE n <> 99 AND NOT EXISTS (SELECT FROM ussd_numbers WHERE operator = NEW.operator AND number = n)
         AND n NOT IN (SELECT ussd_number_of_size(p.volume_mb) FROM products p
                       WHERE p.operator = NEW.operator AND p.line = 'bundle' AND p.retired_at IS NULL
                         AND ussd_number_of_size(p.volume_mb) IS NOT NULL)));
  END IF;
  IF TG_OP = 'UPDATE' AND (NEW.ussd_number IS DISTINCT FROM OLD.ussd_number OR NEW.retired_at IS NOT NULL
      OR NEW.operator <> OLD.operator) THEN
    UPDATE ussd_numbers SET freed_at = now()
    WHERE operator = OLD.operator AND number = OLD.ussd_number AND product_id = OLD.id AND freed_at IS NULL;
  END IF;
  IF NEW.retired_at IS NULL THEN
    IF NEW.ussd_number <= 50 AND NEW.ussd_number NOT IN (0, 9) AND NEW.ussd_number IS DISTINCT FROM size_number THEN
      RAISE unique_violation USING CONSTRAINT = 'ussd_numbers_rest',
        MESSAGE = format('the USSD number %s is a size, and not that of this bundle', NEW.ussd_number);
    END IF;
    INSERT INTO ussd_numbers AS given (operator, number, product_id)
    VALUES (NEW.operator, NEW.ussd_number, NEW.id)
    ON CONFLICT (operator, number) DO UPDATE SET product_id = excluded.product_id, freed_at = NULL
      WHERE given.product_id = excluded.product_id OR given.freed_at < now() - interval '90 days'
        OR given.freed_at IS NOT NULL AND given.number = size_number;
    IF NOT FOUND THEN
      RAISE unique_violation USING CONSTRAINT = 'ussd_numbers_rest',
        MESSAGE = format('the USSD number %s of %s belongs to another bundle', NEW.ussd_number, NEW.operator);
    END IF;
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
-- The bundles on sale get their new numbers at once, also where another had one of them until now: nobody can learn two
-- meanings of a digit one after the other. Where several have the same size, it is the number of the network's first
-- kind. The first update makes room, because two bundles of a network may never have one number.
DROP TRIGGER products_renumbered ON products;--> statement-breakpoint
UPDATE products SET ussd_number = ussd_number + 100000 WHERE line = 'bundle' AND retired_at IS NULL;
--> statement-breakpoint
WITH on_sale AS (
  SELECT p.id, p.operator, p.ussd_number - 100000 AS number, ussd_number_of_size(p.volume_mb) AS size_number,
    row_number() OVER (PARTITION BY p.operator, p.volume_mb ORDER BY coalesce(f.position, 0), p.ussd_number) AS place
  FROM products p LEFT JOIN product_families f ON f.code = p.family
  WHERE p.line = 'bundle' AND p.retired_at IS NULL),
sized AS (SELECT id, size_number AS number FROM on_sale WHERE size_number IS NOT NULL AND place = 1),
others AS (
  SELECT o.id, o.operator, o.number, o.number > 50 AND NOT EXISTS (
      SELECT FROM on_sale s WHERE s.operator = o.operator AND s.size_number = o.number) AS keeps
  FROM on_sale o WHERE o.id NOT IN (SELECT id FROM sized)),
moving AS (
  SELECT id, operator, row_number() OVER (PARTITION BY operator ORDER BY number) AS place FROM others WHERE NOT keeps),
free AS (
  SELECT o.operator, n AS number, row_number() OVER (PARTITION BY o.operator ORDER BY n) AS place
  FROM (SELECT DISTINCT operator FROM moving) o, generate_series(51, 9999) n
  WHERE n <> 99 AND NOT EXISTS (SELECT FROM ussd_numbers u WHERE u.operator = o.operator AND u.number = n)
    AND NOT EXISTS (SELECT FROM on_sale s WHERE s.operator = o.operator AND s.size_number = n)),
plan AS (
  SELECT id, number FROM sized
  UNION ALL SELECT id, number FROM others WHERE keeps
  UNION ALL SELECT m.id, f.number FROM moving m JOIN free f USING (operator, place))
UPDATE products p SET ussd_number = plan.number FROM plan WHERE plan.id = p.id;
--> statement-breakpoint
UPDATE ussd_numbers u SET freed_at = now() WHERE freed_at IS NULL AND NOT EXISTS (
  SELECT FROM products p WHERE p.id = u.product_id AND p.retired_at IS NULL
    AND p.operator = u.operator AND p.ussd_number = u.number);
--> statement-breakpoint
INSERT INTO ussd_numbers (operator, number, product_id)
  SELECT operator, ussd_number, id FROM products WHERE line = 'bundle' AND retired_at IS NULL
  ON CONFLICT (operator, number) DO UPDATE SET product_id = excluded.product_id, freed_at = NULL;
--> statement-breakpoint
CREATE TRIGGER products_renumbered BEFORE UPDATE ON products
  FOR EACH ROW WHEN (NEW.line = 'bundle' AND (NEW.ussd_number IS DISTINCT FROM OLD.ussd_number
    OR NEW.retired_at IS DISTINCT FROM OLD.retired_at OR NEW.operator <> OLD.operator
    OR NEW.volume_mb IS DISTINCT FROM OLD.volume_mb)) EXECUTE FUNCTION number_bundle();
