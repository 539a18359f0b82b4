-- The minimum that leaves the same rows: orders, a transfer and a job for each, from the same JSON text, with
-- prices and names from the products. Nothing is locked, checked, charged, summed or answered.
WITH line AS MATERIALIZED (
  SELECT nextval('orders_id_seq') AS order_id, l.*
  FROM json_to_recordset($1::text::json) AS l (n int, product_id bigint, msisdn text, quantity int)
),
ordered AS (
  INSERT INTO orders (id, user_id, product_id, operator, product_name, product_size, volume_mb, unit_price_pesewas,
                      quantity, amount_pesewas, msisdn, channel, payment_method, paid_at)
  SELECT l.order_id, $2::bigint, p.id, p.operator, p.name, p.size, p.volume_mb, p.price_pesewas, l.quantity,
         p.price_pesewas * l.quantity, l.msisdn, 'api', 'wallet', now()
  FROM line l JOIN products p ON p.id = l.product_id
),
transferred AS (
  INSERT INTO transfers (user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas, by_user_id)
  SELECT $2::bigint, 'wallet', 'sales', p.price_pesewas * l.quantity, 'charge', l.order_id, 0, $2::bigint
  FROM line l JOIN products p ON p.id = l.product_id
)
INSERT INTO jobs (kind, subject_id, run_at)
SELECT 'dispatch_order', order_id, now() + interval '45 seconds' FROM line
