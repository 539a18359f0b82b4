-- What Drizzle's schema cannot express, by room: storage options, triggers, functions, views, and the first rows.

-- Platform
INSERT INTO shop_facts (demonstration) VALUES (false);
-- Vacuumed early, because rows change a few times each within seconds.
ALTER TABLE jobs SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

CREATE FUNCTION refuse_recorded_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% stays as it was recorded: % is refused', TG_TABLE_NAME, TG_OP
    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = TG_NAME;
END $$;

-- A live shop stays one, and so does a sandbox: test keys never reach a live shop's rows.
CREATE TRIGGER shop_facts_mode_stays BEFORE UPDATE ON shop_facts
  FOR EACH ROW WHEN (OLD.mode IS NOT NULL AND OLD.mode IS DISTINCT FROM NEW.mode)
  EXECUTE FUNCTION refuse_recorded_change();
CREATE TRIGGER shop_facts_kept BEFORE DELETE ON shop_facts
  FOR EACH ROW EXECUTE FUNCTION refuse_recorded_change();

-- A setting's number, or its default when it is not set.
CREATE FUNCTION setting_number(name text, otherwise bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT (value #>> '{}')::bigint FROM settings WHERE key = name), otherwise)
$$;

-- The rule of what is paused now. It is short and has no settings of its own, so that Postgres writes it into each
-- statement that asks, and no call is made.
CREATE FUNCTION is_paused(message text, until timestamptz) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT message IS NOT NULL AND coalesce(until > now(), true)
$$;
-- The pause that is in force, as JSON with its message and its end; null if there is none.
CREATE FUNCTION pause_of(message text, until timestamptz) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN is_paused(message, until) THEN json_build_object('message', message, 'until', until) END
$$;

-- The switches that are off now, for transactions that move money. The shared lock makes whoever turns a switch off wait
-- for the transactions that have asked, and those that ask later wait for the switch. Volatile, so that it reads what was
-- committed while it waited, and not as of the beginning of the statement that calls it.
CREATE FUNCTION closed_switches() RETURNS TABLE (name text, message text, until timestamptz)
LANGUAGE plpgsql VOLATILE ROWS 1 AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7265331);
  RETURN QUERY SELECT s.name, s.message, s.until FROM switches s WHERE is_paused(s.message, s.until);
END $$;

-- The audit log only grows for the shop. Only what names the owner of a closed account may be removed from it.
CREATE FUNCTION forget_names_in_audit_log(closed_user_id bigint) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE audit_log SET before = before - 'username' - 'email', after = after - 'username' - 'email'
    WHERE subject_type = 'user' AND subject_id = closed_user_id::text
      AND EXISTS (SELECT FROM users WHERE id = closed_user_id AND status = 'CLOSED')
  $$;
--> statement-breakpoint

-- Ledger
INSERT INTO ledger_accounts (code, name) VALUES
  ('wallet', 'Agents'' wallets'),
  ('sales', 'Sales'),
  ('paystack', 'Money held by Paystack'),
  ('fees', 'Fees kept by Paystack'),
  ('momo', 'Mobile money received'),
  ('cash', 'Cash with staff'),
  ('safe', 'Cash in the safe'),
  ('bank', 'Shop''s bank account'),
  ('paid_out', 'Paid out to owners of wallets'),
  ('receivables', 'Owed by agents'),
  ('adjustments', 'Corrections by admins');
-- Room for updates on the same page: balances change, and then no index is touched.
ALTER TABLE wallets SET (fillfactor = 50);
ALTER TABLE user_days SET (fillfactor = 70);

CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'transfers are append-only: % is refused', TG_OP
    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'transfers_append_only';
END $$;
CREATE TRIGGER transfers_append_only BEFORE UPDATE OR DELETE ON transfers
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
CREATE TRIGGER transfers_never_truncated BEFORE TRUNCATE ON transfers
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();

-- The limits of accounts: their own if they have some, otherwise those of their tier.
CREATE FUNCTION limits_of(ids bigint[])
RETURNS TABLE (user_id bigint, is_own boolean, until timestamptz, day_max_pesewas bigint, hour_orders_max integer,
               young_days integer, young_top_ups_max integer, balance_max_pesewas bigint)
LANGUAGE sql STABLE AS $$
  SELECT u.id, o.id IS NOT NULL, o.until,
         CASE WHEN o.id IS NOT NULL THEN o.day_max_pesewas ELSE t.day_max_pesewas END,
         CASE WHEN o.id IS NOT NULL THEN o.hour_orders_max ELSE t.hour_orders_max END,
         CASE WHEN o.id IS NOT NULL THEN o.young_days ELSE t.young_days END,
         CASE WHEN o.id IS NOT NULL THEN o.young_top_ups_max ELSE t.young_top_ups_max END,
         CASE WHEN o.id IS NOT NULL THEN o.balance_max_pesewas ELSE t.balance_max_pesewas END
  FROM users u
  LEFT JOIN account_limits o ON o.user_id = u.id AND o.ended_at IS NULL
  LEFT JOIN tier_limits t ON t.tier_id = u.tier_id
  WHERE u.id = ANY(ids)
$$;
-- A new wallet takes the limits of its account's tier, whoever creates it. The tier is locked, so that a change of its
-- limits either sees the wallet or is seen by it.
CREATE FUNCTION limit_new_wallet() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM tiers t JOIN users u ON u.tier_id = t.id WHERE u.id = NEW.user_id FOR SHARE OF t;
  SELECT l.day_max_pesewas, l.hour_orders_max INTO NEW.day_max_pesewas, NEW.hour_orders_max
  FROM limits_of(ARRAY[NEW.user_id]) l;
  RETURN NEW;
END $$;
CREATE TRIGGER wallets_begin_limited BEFORE INSERT ON wallets FOR EACH ROW EXECUTE FUNCTION limit_new_wallet();
--> statement-breakpoint

-- Catalog: operators and their bundles
INSERT INTO operators
  (code, name, short_name, letters, color, path, position, ussd_label, ussd_position, aliases, momo) VALUES
  ('MTN', 'MTN', 'MTN', 'M', '#ffcc08', '/mtn-data', 1, 'MTN', 1, '{}', 'mtn'),
  ('AIRTELTIGO', 'AirtelTigo', 'AT', 'AT', '#d8232a', '/airtel-tigo', 2, 'AT (AirtelTigo)', 3,
   '{AT,Airtel Tigo,Airtel,Tigo}', 'atl'),
  ('TELECEL', 'Telecel', 'Telecel', 'T', '#2a9d4c', '/telecel', 3, 'Telecel', 2, '{Vodafone,Voda}', 'vod');
INSERT INTO operator_state DEFAULT VALUES;
-- libphonenumber's carrier file, 2026-07.
INSERT INTO number_prefixes (prefix, operator) VALUES
  ('24', 'MTN'), ('25', 'MTN'), ('53', 'MTN'), ('54', 'MTN'), ('55', 'MTN'), ('59', 'MTN'),
  ('20', 'TELECEL'), ('50', 'TELECEL'),
  ('23', 'AIRTELTIGO'), ('26', 'AIRTELTIGO'), ('27', 'AIRTELTIGO'), ('56', 'AIRTELTIGO'), ('57', 'AIRTELTIGO');
INSERT INTO product_families (code, operator, name, ussd_label, position, aliases) VALUES
  ('MTN', 'MTN', 'MTN', 'MTN', 1, '{}'),
  ('AT_ISHARE', 'AIRTELTIGO', 'AT iShare', 'iShare', 1, '{i-Share}'),
  ('AT_BIGTIME', 'AIRTELTIGO', 'AT BigTime', 'BigTime', 2, '{Big Time}'),
  ('TELECEL', 'TELECEL', 'Telecel', 'Telecel', 1, '{}');

-- The number that agents type for a size: 5 for 5GB. Only whole sizes have one, and 9 and 99 mean other things.
CREATE FUNCTION ussd_number_of_size(volume_mb integer) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT volume_mb / 1000 WHERE volume_mb % 1000 = 0 AND volume_mb / 1000 BETWEEN 1 AND 9999
    AND volume_mb / 1000 NOT IN (9, 99)
$$;
-- A bundle gets the number of its size, unless another bundle of its operator has it: it means the size, whosever it was
-- before, and need not rest. Any other bundle gets the smallest from 51 up that was never given and is nobody's size.
-- Up to 50 a number is a size and nothing else. The operator's row is locked, so that two bundles do not get the same
-- number.
CREATE FUNCTION number_bundle() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER products_numbered BEFORE INSERT ON products
  FOR EACH ROW WHEN (NEW.line = 'bundle') EXECUTE FUNCTION number_bundle();
CREATE TRIGGER products_renumbered BEFORE UPDATE ON products
  FOR EACH ROW WHEN (NEW.line = 'bundle' AND (NEW.ussd_number IS DISTINCT FROM OLD.ussd_number
    OR NEW.retired_at IS DISTINCT FROM OLD.retired_at OR NEW.operator <> OLD.operator
    OR NEW.volume_mb IS DISTINCT FROM OLD.volume_mb)) EXECUTE FUNCTION number_bundle();
--> statement-breakpoint

-- Catalog: prices
INSERT INTO tiers (id, name) VALUES (1, 'Standard');
SELECT setval(pg_get_serial_sequence('tiers', 'id'), 1);

-- A product's standard price stands in its row as well. Written there, as a new product's is, it goes to the prices.
CREATE FUNCTION keep_price_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO prices (product_id, tier_id, since, price_pesewas)
  VALUES (NEW.id, 1, CASE WHEN TG_OP = 'INSERT' THEN NEW.created_at ELSE clock_timestamp() END, NEW.price_pesewas)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER products_priced AFTER INSERT ON products FOR EACH ROW EXECUTE FUNCTION keep_price_rows();
CREATE TRIGGER products_repriced AFTER UPDATE OF price_pesewas ON products
  FOR EACH ROW WHEN (NEW.price_pesewas <> OLD.price_pesewas AND pg_trigger_depth() = 0) EXECUTE FUNCTION keep_price_rows();
-- And back, when it begins at once.
CREATE FUNCTION keep_product_price() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE products SET price_pesewas = NEW.price_pesewas WHERE id = NEW.product_id;
  RETURN NULL;
END $$;
CREATE TRIGGER prices_kept_on_product AFTER INSERT ON prices
  FOR EACH ROW WHEN (NEW.tier_id = 1 AND NEW.since <= clock_timestamp() + interval '5 seconds' AND pg_trigger_depth() = 0)
  EXECUTE FUNCTION keep_product_price();

-- Prices are committed before they begin, so that no purchase pays an old one after that. A commit that comes too late is
-- tried again.
CREATE FUNCTION keep_prices_ahead() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.since <= clock_timestamp() THEN
    RAISE EXCEPTION 'prices begin after their commit' USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER price_changes_ahead AFTER INSERT ON price_changes DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION keep_prices_ahead();

-- Prices that have begun are history: what was paid is compared with them. Only planned ones can be taken back, at least
-- a second before, so that this is committed before a purchase could have paid them.
CREATE FUNCTION keep_begun_prices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.since <= clock_timestamp() + interval '1 second' THEN
    RAISE EXCEPTION 'a price that has begun stays' USING ERRCODE = 'check_violation', CONSTRAINT = 'prices_begun_stay';
  END IF;
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER prices_begun_stay BEFORE UPDATE OR DELETE ON prices FOR EACH ROW EXECUTE FUNCTION keep_begun_prices();
CREATE TRIGGER account_prices_begun_stay BEFORE UPDATE OR DELETE ON account_prices
  FOR EACH ROW EXECUTE FUNCTION keep_begun_prices();

-- An account with prices of its own is marked in the commit of the first: every purchase then looks for them.
CREATE FUNCTION keep_own_prices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE users SET has_own_prices = true WHERE id = NEW.user_id AND NOT has_own_prices;
  RETURN NULL;
END $$;
CREATE TRIGGER account_prices_noted AFTER INSERT ON account_prices FOR EACH ROW EXECUTE FUNCTION keep_own_prices();
--> statement-breakpoint

-- Catalog: costs
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
-- Two changes at once would each leave out the other's: the lock comes first, and what is read after it is committed.
CREATE FUNCTION lock_costs() RETURNS void LANGUAGE sql AS $$ SELECT pg_advisory_xact_lock(7265303) $$;
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
CREATE TRIGGER product_costs_expected AFTER INSERT OR UPDATE OR DELETE ON product_costs
  FOR EACH STATEMENT EXECUTE FUNCTION keep_expected_costs();
-- Before its rows are locked: the lock of costs always comes first.
CREATE TRIGGER products_costs_locked BEFORE UPDATE OF operator, family, line, below_cost_reason ON products
  FOR EACH STATEMENT EXECUTE FUNCTION keep_expected_costs();
CREATE TRIGGER products_expected AFTER UPDATE OF operator, family, line, below_cost_reason ON products
  FOR EACH STATEMENT EXECUTE FUNCTION keep_expected_costs();
CREATE TRIGGER settings_expected AFTER INSERT OR UPDATE ON settings FOR EACH ROW
  WHEN (NEW.key LIKE 'route%' OR NEW.key LIKE 'margin\_%') EXECUTE FUNCTION keep_expected_costs();
CREATE TRIGGER settings_gone_expected AFTER DELETE ON settings FOR EACH ROW
  WHEN (OLD.key LIKE 'route%' OR OLD.key LIKE 'margin\_%') EXECUTE FUNCTION keep_expected_costs();
--> statement-breakpoint

-- Orders and fulfilment
INSERT INTO order_counts (status, count)
  SELECT unnest(ARRAY['PENDING', 'PAID', 'PROCESSING', 'DELIVERED', 'COMPLETED', 'FAILED']), 0;
-- Room for updates of the status on the same page.
ALTER TABLE orders SET (fillfactor = 90);
ALTER TABLE order_count_deltas SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
-- Vacuumed early, because rows change a few times each while they are on their way.
ALTER TABLE attempts SET (autovacuum_vacuum_scale_factor = 0.05);

-- Notes that the profit of a day must be counted again, once for all that a transaction changes. Nothing is noted for
-- today, which is counted again and again until it is over.
CREATE FUNCTION mark_profit_day(paid timestamptz) RETURNS void LANGUAGE sql AS $$
  INSERT INTO profit_days_stale (day)
  SELECT paid_on FROM (SELECT (paid AT TIME ZONE 'Africa/Accra')::date AS paid_on) d
  WHERE paid < date_trunc('day', now(), 'Africa/Accra')
    AND NOT EXISTS (
      SELECT FROM profit_days_stale m WHERE m.day = paid_on AND m.xmin = pg_current_xact_id()::xid AND NOT m.is_open)
$$;
CREATE FUNCTION mark_profit_of_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_profit_day(OLD.paid_at);
  PERFORM mark_profit_day(NEW.paid_at);
  RETURN NULL;
END $$;
-- There is none for new orders: they are paid today, and purchases should not wait for a trigger.
CREATE TRIGGER orders_change_profit AFTER UPDATE ON orders
  FOR EACH ROW WHEN (least(OLD.paid_at, NEW.paid_at) < date_trunc('day', now(), 'Africa/Accra')
    AND (OLD.paid_at, OLD.status = 'FAILED', OLD.amount_pesewas, OLD.cost_pesewas, OLD.user_id, OLD.product_id,
         OLD.operator, OLD.tier_id)
      IS DISTINCT FROM (NEW.paid_at, NEW.status = 'FAILED', NEW.amount_pesewas, NEW.cost_pesewas, NEW.user_id,
         NEW.product_id, NEW.operator, NEW.tier_id))
  EXECUTE FUNCTION mark_profit_of_order();
CREATE FUNCTION mark_profit_of_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_profit_day((SELECT paid_at FROM orders WHERE id = NEW.order_id));
  RETURN NULL;
END $$;
CREATE TRIGGER attempts_begin_profit AFTER INSERT ON attempts
  FOR EACH ROW WHEN (NEW.state NOT IN ('failed', 'refunded', 'withdrawn')) EXECUTE FUNCTION mark_profit_of_attempt();
CREATE TRIGGER attempts_change_profit AFTER UPDATE ON attempts
  FOR EACH ROW WHEN ((OLD.vendor, OLD.state IN ('failed', 'refunded', 'withdrawn'))
    IS DISTINCT FROM (NEW.vendor, NEW.state IN ('failed', 'refunded', 'withdrawn')))
  EXECUTE FUNCTION mark_profit_of_attempt();
--> statement-breakpoint

-- Payments
-- A line of a statement stays as it was imported; only a person's name and number may be removed.
CREATE TRIGGER statement_lines_stay BEFORE UPDATE ON statement_lines
  FOR EACH ROW WHEN (
    (OLD.id, OLD.import_id, OLD.network, OLD.direction, OLD.transaction_id, OLD.original_id, OLD.amount_pesewas, OLD.at)
      IS DISTINCT FROM (NEW.id, NEW.import_id, NEW.network, NEW.direction, NEW.transaction_id, NEW.original_id,
        NEW.amount_pesewas, NEW.at)
    OR coalesce(NEW.sender_name, OLD.sender_name, '') <> coalesce(OLD.sender_name, '')
    OR coalesce(NEW.sender_msisdn, OLD.sender_msisdn, '') <> coalesce(OLD.sender_msisdn, ''))
  EXECUTE FUNCTION refuse_recorded_change();
CREATE TRIGGER statement_lines_kept BEFORE DELETE ON statement_lines
  FOR EACH ROW EXECUTE FUNCTION refuse_recorded_change();
CREATE TRIGGER cash_closes_stay BEFORE UPDATE OR DELETE ON cash_closes
  FOR EACH ROW WHEN (OLD.state = 'accepted') EXECUTE FUNCTION refuse_recorded_change();
-- What was brought to the bank stays as it was booked; what the bank's statement shows is written once, beside it.
CREATE TRIGGER bank_deposits_stay BEFORE UPDATE ON bank_deposits
  FOR EACH ROW WHEN (
    OLD.seen_at IS NOT NULL
    OR (OLD.id, OLD.amount_pesewas, OLD.slip, OLD.by_user_id, OLD.created_at)
      IS DISTINCT FROM (NEW.id, NEW.amount_pesewas, NEW.slip, NEW.by_user_id, NEW.created_at))
  EXECUTE FUNCTION refuse_recorded_change();
CREATE TRIGGER bank_deposits_kept BEFORE DELETE ON bank_deposits
  FOR EACH ROW EXECUTE FUNCTION refuse_recorded_change();
CREATE TRIGGER wallet_payouts_stay BEFORE UPDATE OR DELETE ON wallet_payouts
  FOR EACH ROW EXECUTE FUNCTION refuse_recorded_change();
--> statement-breakpoint

-- Support
CREATE FUNCTION refuse_message_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'support messages are append-only: % is refused', TG_OP
    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'support_messages_append_only';
END $$;
CREATE TRIGGER support_messages_append_only BEFORE UPDATE OR DELETE ON support_messages
  FOR EACH ROW EXECUTE FUNCTION refuse_message_change();
--> statement-breakpoint

-- Signals
INSERT INTO signal_rules (kind, effect, parameters, message) VALUES
  ('young_top_up', 'hold', '{"accountDays": 7, "topUpPesewas": 50000, "minutes": 30, "percent": 80}',
   'We are checking a payment of yours'),
  ('takeover', 'hold', '{"hours": 24, "lines": 10}', 'We are checking that it is you who buys'),
  ('wrong_pins', 'note', '{"count": 5, "minutes": 60}', 'Somebody tried wrong PINs on your phone'),
  ('deposits_refused', 'note', '{"count": 3, "days": 7}', 'We are checking the deposits that you reported'),
  ('deposit_repeated', 'note', '{"days": 30}', 'We are checking a deposit that you reported'),
  ('losses', 'note', '{"count": 2, "days": 30}', 'We are checking orders of yours that were refunded'),
  ('disputes', 'note', '{"count": 1, "days": 90}', 'We are checking a payment that was disputed');

-- A signal stays as it was raised, and a closed one stays closed.
CREATE TRIGGER signals_stay BEFORE UPDATE ON signals
  FOR EACH ROW WHEN (
    OLD.closed_at IS NOT NULL
    OR (OLD.id, OLD.kind, OLD.cause, OLD.user_id, OLD.effect, OLD.evidence, OLD.happened_at, OLD.created_at)
      IS DISTINCT FROM (NEW.id, NEW.kind, NEW.cause, NEW.user_id, NEW.effect, NEW.evidence, NEW.happened_at,
        NEW.created_at))
  EXECUTE FUNCTION refuse_recorded_change();
CREATE TRIGGER signals_open_kept BEFORE DELETE ON signals
  FOR EACH ROW WHEN (OLD.closed_at IS NULL) EXECUTE FUNCTION refuse_recorded_change();
CREATE TRIGGER agent_notes_stay BEFORE UPDATE ON agent_notes
  FOR EACH ROW EXECUTE FUNCTION refuse_recorded_change();
--> statement-breakpoint

-- Approvals
-- A decided request stays as it is; only the secret in its command may be wiped.
CREATE FUNCTION refuse_approval_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.state = 'open' OR to_jsonb(NEW) - 'command' = to_jsonb(OLD) - 'command' AND NEW.command IS NULL)
  THEN
    -- Of an open request only what decides it may change.
    IF OLD.state = 'open' AND
       to_jsonb(NEW) - '{state,decided_by_user_id,decided_at,note,command}'::text[]
         <> to_jsonb(OLD) - '{state,decided_by_user_id,decided_at,note,command}'::text[] THEN
      RAISE EXCEPTION 'what was asked for stays as it was'
        USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'approvals_decided_stay';
    END IF;
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'approvals stay: % is refused', TG_OP
    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'approvals_decided_stay';
END $$;
CREATE TRIGGER approvals_decided_stay BEFORE UPDATE OR DELETE ON approvals
  FOR EACH ROW EXECUTE FUNCTION refuse_approval_change();
--> statement-breakpoint

-- Accounting
-- A closed month and its files stay as they are, and so do receipts.
CREATE FUNCTION refuse_closed_month_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'accounting_months' AND OLD.closed_at IS NULL AND TG_OP = 'UPDATE' THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'a closed month stays: % is refused', TG_OP
    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'closed_months_stay';
END $$;
CREATE TRIGGER accounting_months_stay BEFORE UPDATE OR DELETE ON accounting_months
  FOR EACH ROW EXECUTE FUNCTION refuse_closed_month_change();
CREATE TRIGGER month_file_parts_stay BEFORE UPDATE OR DELETE ON month_file_parts
  FOR EACH ROW EXECUTE FUNCTION refuse_closed_month_change();
CREATE FUNCTION refuse_month_file_part() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM accounting_months WHERE month = NEW.month AND closed_at IS NOT NULL) THEN
    RAISE EXCEPTION 'a closed month stays: no file is added'
      USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'closed_months_stay';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER month_file_parts_before_closing BEFORE INSERT ON month_file_parts
  FOR EACH ROW EXECUTE FUNCTION refuse_month_file_part();

CREATE FUNCTION refuse_receipt_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'receipts stay: % is refused', TG_OP
    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'sales_receipts_stay';
END $$;
CREATE TRIGGER sales_receipts_stay BEFORE UPDATE OR DELETE ON sales_receipts
  FOR EACH ROW EXECUTE FUNCTION refuse_receipt_change();
--> statement-breakpoint

-- API requests
-- Up to a page in place, and never compressed: both would cost more than they save.
ALTER TABLE api_request_rows ALTER COLUMN requests SET STORAGE EXTERNAL, ALTER COLUMN bodies SET STORAGE EXTERNAL;
ALTER TABLE api_request_rows SET (toast_tuple_target = 8160);

-- A request's fields from its line.
CREATE FUNCTION "api_request_fields"("line" text) RETURNS TABLE (
  "at" timestamptz, "key_id" bigint, "method" text, "route" text, "path" text, "status" smallint, "code" text, "ms" int,
  "request_id" text, "order_id" bigint, "bulk_order_id" bigint, "idempotency_key" text, "is_replayed" boolean,
  "is_purchase" boolean, "address" text) LANGUAGE sql STABLE AS $$
SELECT to_timestamp(f[1]::float8 / 1000), f[2]::bigint, f[3], f[4], f[5], f[6]::smallint, nullif(f[7], ''), f[8]::int, f[9],
       nullif(f[10], '')::bigint, nullif(f[11], '')::bigint, nullif(f[12], ''), f[13] = '1', f[14] = '1', f[15]
FROM (SELECT string_to_array("line", chr(31)) AS f OFFSET 0) fields $$;
-- The requests, one by one, without their bodies, which are not read.
CREATE VIEW "api_requests" AS
SELECT r."id" * 1000 + l."place" - 1 AS "id", r."id" AS "row_id", l."place"::int AS "place", r."user_id", r."order_ids", f.*
FROM "api_request_rows" r, string_to_table(r."requests", chr(30)) WITH ORDINALITY AS l("line", "place"),
  LATERAL "api_request_fields"(l."line") f;
-- And with them.
CREATE VIEW "whole_api_requests" AS
SELECT r."id" * 1000 + l."place" - 1 AS "id", r."id" AS "row_id", l."place"::int AS "place", r."user_id", r."order_ids", f.*,
       nullif(split_part(l."bodies", chr(31), 1), '') AS "request_body",
       nullif(split_part(l."bodies", chr(31), 2), '') AS "answer_body"
FROM "api_request_rows" r,
  ROWS FROM (string_to_table(r."requests", chr(30)), string_to_table(r."bodies", chr(30))) WITH ORDINALITY
    AS l("line", "bodies", "place"),
  LATERAL "api_request_fields"(l."line") f;
--> statement-breakpoint

-- External auditors: fixed names and columns, whole pesewas, nothing of the code that wrote them
CREATE SCHEMA audit;
-- Kinds are in the auditor's words: deposits are money that came in, reversals are corrections. A refund that is taken
-- back is spent again on the same order: an order's SPEND less its REFUND is what it brings in.
CREATE VIEW audit.entry AS
  SELECT t.id * 2 + side.credit AS id,
         t.id AS txn_id,
         CASE t.reason WHEN 'charge' THEN 'SPEND' WHEN 'refund_taken_back' THEN 'SPEND'
                       WHEN 'refund' THEN 'REFUND' WHEN 'refund_again' THEN 'REFUND' WHEN 'cash_sale' THEN 'CASH'
                       WHEN 'topup' THEN 'TOPUP' WHEN 'claim' THEN 'TOPUP' ELSE 'ADJUST' END AS kind,
         t.subject_id::text AS ref,
         CASE WHEN side.account = 'wallet' THEN 'wallet:' || t.user_id ELSE side.account END AS account_id,
         side.account AS account_kind,
         t.user_id,
         CASE side.credit WHEN 1 THEN t.amount_pesewas ELSE -t.amount_pesewas END AS pesewas,
         t.created_at
  FROM transfers t CROSS JOIN LATERAL (VALUES (0, t.debit), (1, t.credit)) AS side (credit, account);
CREATE VIEW audit.wallet AS
  SELECT user_id, 'wallet:' || user_id AS account_id, balance_pesewas AS pesewas FROM wallets;
CREATE VIEW audit."order" AS
  SELECT id, user_id, product_id, quantity, msisdn, unit_price_pesewas AS unit_pesewas, amount_pesewas AS pesewas,
         status, paid_at IS NOT NULL AS paid, payment_method AS paid_by, created_at
  FROM orders;
CREATE VIEW audit.topup AS
  SELECT id, user_id, coalesce(credited_pesewas, amount_pesewas) AS pesewas, upper(state) AS status, reference
  FROM payments;
CREATE VIEW audit.dispatch AS
  SELECT order_id, vendor_reference, upper(state) AS state FROM attempts WHERE vendor <> 'desk';

-- Roles belong to the whole server, so another database on it may have created this one already.
DO $$
BEGIN
  CREATE ROLE auditor NOLOGIN;
EXCEPTION
  WHEN duplicate_object OR unique_violation THEN NULL;
  WHEN insufficient_privilege THEN RAISE NOTICE 'role auditor not made: this user may not create roles';
END $$;
DO $$
BEGIN
  GRANT USAGE ON SCHEMA audit TO auditor;
  GRANT SELECT ON ALL TABLES IN SCHEMA audit TO auditor;
  ALTER DEFAULT PRIVILEGES IN SCHEMA audit GRANT SELECT ON TABLES TO auditor;
EXCEPTION
  WHEN undefined_object THEN NULL;
END $$;
