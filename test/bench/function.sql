-- A hand-written function for one purchase: one call, one round trip, one commit. It writes the same rows
-- as the shop's own statement, without the check for duplicates and the reason of each refusal.
CREATE OR REPLACE FUNCTION bench_purchase(buyer bigint, wanted bigint, number text, request_key text)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  product record;
  balance bigint;
  placed bigint;
BEGIN
  SELECT w.balance_pesewas INTO balance
  FROM wallets w JOIN users u ON u.id = w.user_id
  WHERE w.user_id = buyer AND u.status = 'ACTIVE' FOR UPDATE OF w;
  IF NOT FOUND THEN RAISE EXCEPTION 'not an active buyer'; END IF;

  SELECT p.* INTO product
  FROM products p JOIN operators o ON o.code = p.operator
  WHERE p.id = wanted AND p.retired_at IS NULL AND NOT is_paused(p.paused_message, p.paused_until)
    AND NOT is_paused(o.paused_message, o.paused_until);
  IF NOT FOUND THEN RAISE EXCEPTION 'not on sale'; END IF;
  IF balance < product.price_pesewas THEN RAISE EXCEPTION 'not enough money'; END IF;

  UPDATE wallets SET balance_pesewas = balance_pesewas - product.price_pesewas, version = version + 1
  WHERE user_id = buyer;
  INSERT INTO orders (user_id, product_id, operator, product_name, product_size, volume_mb, unit_price_pesewas,
                      quantity, amount_pesewas, msisdn, channel, payment_method, paid_at)
  VALUES (buyer, product.id, product.operator, product.name, product.size, product.volume_mb, product.price_pesewas,
          1, product.price_pesewas, number, 'api', 'wallet', now())
  RETURNING id INTO placed;
  INSERT INTO transfers (user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas, by_user_id)
  VALUES (buyer, 'wallet', 'sales', product.price_pesewas, 'charge', placed, balance - product.price_pesewas, buyer);
  INSERT INTO jobs (kind, subject_id, run_at) VALUES ('dispatch_order', placed, now() + interval '45 seconds');
  INSERT INTO idempotency (user_id, scope, key, fingerprint, order_id)
  VALUES (buyer, 'POST /api/v1/orders', request_key, 'a fingerprint of 22 ch', placed);
  INSERT INTO user_days AS d (user_id, day, operator, orders, amount_pesewas, volume_mb)
  VALUES (buyer, (now() AT TIME ZONE 'Africa/Accra')::date, product.operator, 1, product.price_pesewas, product.volume_mb)
  ON CONFLICT (user_id, day, operator) DO UPDATE SET
    orders = d.orders + excluded.orders, amount_pesewas = d.amount_pesewas + excluded.amount_pesewas,
    volume_mb = d.volume_mb + excluded.volume_mb;
  INSERT INTO shop_day_deltas (day, operator, orders, amount_pesewas, volume_mb)
  VALUES ((now() AT TIME ZONE 'Africa/Accra')::date, product.operator, 1, product.price_pesewas, product.volume_mb);
  INSERT INTO order_count_deltas (status, delta) VALUES ('PENDING', 1);
  RETURN placed;
END $$;
