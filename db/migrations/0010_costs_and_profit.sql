-- What follows from costs on products, and the marks of days whose profit must be counted again. It is all functions
-- and triggers, which the schema does not describe.
-- The number in a setting; its default where it is not set.
CREATE FUNCTION setting_number(name text, otherwise bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT (value #>> '{}')::bigint FROM settings WHERE key = name), otherwise)
$$;
--> statement-breakpoint
-- What a sale of each product is expected to cost, and the lowest price at which it is sold. By the route of its family,
-- the desk for AFA: the first of the route whose cost is known, or the cheapest where the route goes by cost. Pauses and
-- slow days of a vendor do not count: a price must not come and go with them.
CREATE FUNCTION expected_costs() RETURNS TABLE (product_id bigint, cost bigint, lowest bigint) LANGUAGE sql STABLE AS $$
  SELECT p.id, c.cost_pesewas, CASE WHEN p.below_cost_reason IS NULL THEN
    CASE WHEN g.pauses THEN greatest(c.cost_pesewas + g.pesewas, (c.cost_pesewas * (100 + g.percent) + 99) / 100)
         ELSE c.cost_pesewas END END
  FROM products p
  CROSS JOIN (
    SELECT setting_number('margin_floor_percent', 0) AS percent, setting_number('margin_floor_pesewas', 0) AS pesewas,
           coalesce((SELECT value #>> '{}' FROM settings WHERE key = 'margin_guard'), 'warn') = 'pause' AS pauses,
           regexp_split_to_array(upper((SELECT value #>> '{}' FROM settings WHERE key = 'routes_by_cost')), '[ ,]+')
             AS by_cost) g
  CROSS JOIN LATERAL (
    SELECT CASE WHEN p.line = 'afa' THEN '' ELSE coalesce(p.family,
      (SELECT code FROM product_families WHERE operator = p.operator AND retired_at IS NULL
       ORDER BY position LIMIT 1)) END AS code) f
  LEFT JOIN LATERAL (
    SELECT n.cost_pesewas
    FROM unnest(string_to_array(coalesce(nullif(replace(lower((
           SELECT value #>> '{}' FROM settings WHERE key = 'route_' || lower(f.code))), ' ', ''), ''), 'desk'), ','))
         WITH ORDINALITY AS r(vendor, place)
    CROSS JOIN LATERAL (
      SELECT k.cost_pesewas FROM product_costs k WHERE k.product_id = p.id AND k.vendor = r.vendor
      ORDER BY k.seen_at DESC LIMIT 1) n
    ORDER BY CASE WHEN f.code = ANY (g.by_cost) THEN n.cost_pesewas END, r.place LIMIT 1) c ON true
$$;
--> statement-breakpoint
-- Two changes at once would each leave out the other's: the lock comes first, and what is read after it is committed.
CREATE FUNCTION lock_costs() RETURNS void LANGUAGE sql AS $$ SELECT pg_advisory_xact_lock(7265303) $$;
--> statement-breakpoint
CREATE FUNCTION keep_expected_costs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_costs();
  IF TG_WHEN = 'BEFORE' THEN RETURN NULL; END IF;
  UPDATE products p SET cost_pesewas = e.cost, lowest_price_pesewas = e.lowest
  FROM expected_costs() e
  WHERE e.product_id = p.id
    AND (p.cost_pesewas, p.lowest_price_pesewas) IS DISTINCT FROM (e.cost, e.lowest);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER product_costs_expected AFTER INSERT OR UPDATE OR DELETE ON product_costs
  FOR EACH STATEMENT EXECUTE FUNCTION keep_expected_costs();
--> statement-breakpoint
-- Before its rows are locked: the lock of costs always comes first.
CREATE TRIGGER products_costs_locked BEFORE UPDATE OF operator, family, line, below_cost_reason ON products
  FOR EACH STATEMENT EXECUTE FUNCTION keep_expected_costs();
--> statement-breakpoint
CREATE TRIGGER products_expected AFTER UPDATE OF operator, family, line, below_cost_reason ON products
  FOR EACH STATEMENT EXECUTE FUNCTION keep_expected_costs();
--> statement-breakpoint
CREATE TRIGGER settings_expected AFTER INSERT OR UPDATE ON settings FOR EACH ROW
  WHEN (NEW.key LIKE 'route%' OR NEW.key LIKE 'margin\_%') EXECUTE FUNCTION keep_expected_costs();
--> statement-breakpoint
CREATE TRIGGER settings_gone_expected AFTER DELETE ON settings FOR EACH ROW
  WHEN (OLD.key LIKE 'route%' OR OLD.key LIKE 'margin\_%') EXECUTE FUNCTION keep_expected_costs();
--> statement-breakpoint
-- Notes that the profit of a day must be counted again, once for all that a transaction changes. Of today nothing is
-- noted: it is counted again and again until it is over.
CREATE FUNCTION mark_profit_day(paid timestamptz) RETURNS void LANGUAGE sql AS $$
  INSERT INTO profit_days_stale (day)
  SELECT paid_on FROM (SELECT (paid AT TIME ZONE 'Africa/Accra')::date AS paid_on) d
  WHERE paid < date_trunc('day', now(), 'Africa/Accra')
    AND NOT EXISTS (
      SELECT FROM profit_days_stale m WHERE m.day = paid_on AND m.xmin = pg_current_xact_id()::xid AND NOT m.is_open)
$$;
--> statement-breakpoint
CREATE FUNCTION mark_profit_of_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_profit_day(OLD.paid_at);
  PERFORM mark_profit_day(NEW.paid_at);
  RETURN NULL;
END $$;
--> statement-breakpoint
-- There is none for new orders: they are paid today, and purchases are not to wait for one.
CREATE TRIGGER orders_change_profit AFTER UPDATE ON orders
  FOR EACH ROW WHEN (least(OLD.paid_at, NEW.paid_at) < date_trunc('day', now(), 'Africa/Accra')
    AND (OLD.paid_at, OLD.status = 'FAILED', OLD.amount_pesewas, OLD.cost_pesewas, OLD.user_id, OLD.product_id,
         OLD.operator, OLD.tier_id)
      IS DISTINCT FROM (NEW.paid_at, NEW.status = 'FAILED', NEW.amount_pesewas, NEW.cost_pesewas, NEW.user_id,
         NEW.product_id, NEW.operator, NEW.tier_id))
  EXECUTE FUNCTION mark_profit_of_order();
--> statement-breakpoint
CREATE FUNCTION mark_profit_of_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_profit_day((SELECT paid_at FROM orders WHERE id = NEW.order_id));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER attempts_begin_profit AFTER INSERT ON attempts
  FOR EACH ROW WHEN (NEW.state NOT IN ('failed', 'refunded', 'withdrawn')) EXECUTE FUNCTION mark_profit_of_attempt();
--> statement-breakpoint
CREATE TRIGGER attempts_change_profit AFTER UPDATE ON attempts
  FOR EACH ROW WHEN ((OLD.vendor, OLD.state IN ('failed', 'refunded', 'withdrawn'))
    IS DISTINCT FROM (NEW.vendor, NEW.state IN ('failed', 'refunded', 'withdrawn')))
  EXECUTE FUNCTION mark_profit_of_attempt();
