-- A refund that is taken back is spent again on the same order: an order's SPEND less its REFUND is what it brings in.
CREATE OR REPLACE VIEW audit.entry AS
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
