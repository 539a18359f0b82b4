-- Room for updates on the page they happen on: balances and statuses change, and then no index is touched.
ALTER TABLE wallets SET (fillfactor = 50);
ALTER TABLE user_days SET (fillfactor = 70);
ALTER TABLE orders SET (fillfactor = 90);
ALTER TABLE jobs SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
ALTER TABLE order_count_deltas SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
--> statement-breakpoint

INSERT INTO ledger_accounts (code, name) VALUES
  ('wallet', 'Agents'' wallets'),
  ('sales', 'Sales'),
  ('paystack', 'Money held by Paystack'),
  ('adjustments', 'Corrections by admins'),
  ('cash', 'Cash taken by admins');
INSERT INTO operators (code, name) VALUES ('MTN', 'MTN'), ('AIRTELTIGO', 'AirtelTigo'), ('TELECEL', 'Telecel');
INSERT INTO order_counts (status, count)
  SELECT unnest(ARRAY['PENDING', 'PAID', 'PROCESSING', 'DELIVERED', 'COMPLETED', 'FAILED']), 0;
INSERT INTO shop_facts (demonstration) VALUES (false);
--> statement-breakpoint

-- The journal is append-only for everybody, whatever the code does.
CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'transfers are append-only: % is refused', TG_OP
    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'transfers_append_only';
END $$;
CREATE TRIGGER transfers_append_only BEFORE UPDATE OR DELETE ON transfers
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
CREATE TRIGGER transfers_never_truncated BEFORE TRUNCATE ON transfers
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
--> statement-breakpoint

-- What an auditor from outside reads: fixed names and columns, whole pesewas, nothing of the code that wrote them.
CREATE SCHEMA audit;
CREATE VIEW audit.entry AS
  SELECT t.id * 2 + side.credit AS id,
         t.id AS txn_id,
         CASE t.reason WHEN 'charge' THEN 'SPEND' WHEN 'refund' THEN 'REFUND' WHEN 'cash_sale' THEN 'CASH'
                       WHEN 'adjustment' THEN 'ADJUST' ELSE 'TOPUP' END AS kind,
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
--> statement-breakpoint

-- Roles belong to the whole server, so another database on it may have made this one already.
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
