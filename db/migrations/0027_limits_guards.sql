-- Limits and holds: which limits are in force for an account, and those of a wallet from its first moment on.

-- The limits of accounts: their own while they have some, else those of their tier.
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
--> statement-breakpoint
-- A new wallet takes the limits of its account's tier, whoever creates it. The tier is locked, so that a change of its
-- limits either sees the wallet or is seen by it.
CREATE FUNCTION limit_new_wallet() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM tiers t JOIN users u ON u.tier_id = t.id WHERE u.id = NEW.user_id FOR SHARE OF t;
  SELECT l.day_max_pesewas, l.hour_orders_max INTO NEW.day_max_pesewas, NEW.hour_orders_max
  FROM limits_of(ARRAY[NEW.user_id]) l;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER wallets_begin_limited BEFORE INSERT ON wallets FOR EACH ROW EXECUTE FUNCTION limit_new_wallet();
