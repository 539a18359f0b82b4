-- What Drizzle's schema cannot say: room for updates, what is there from the beginning, what only grows, what a bundle is
-- numbered by, what is paused now, and what an auditor reads.

-- Room for updates on the page they happen on: balances and statuses change, and then no index is touched.
ALTER TABLE wallets SET (fillfactor = 50);
ALTER TABLE user_days SET (fillfactor = 70);
ALTER TABLE orders SET (fillfactor = 90);
ALTER TABLE jobs SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
ALTER TABLE order_count_deltas SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
-- Vacuumed early: rows change a few times each, while they are on their way.
ALTER TABLE attempts SET (autovacuum_vacuum_scale_factor = 0.05);
--> statement-breakpoint
INSERT INTO ledger_accounts (code, name) VALUES
  ('wallet', 'Agents'' wallets'),
  ('sales', 'Sales'),
  ('paystack', 'Money held by Paystack'),
  ('adjustments', 'Corrections by admins'),
  ('cash', 'Cash taken by admins'),
  ('receivables', 'Owed by agents');
INSERT INTO operators (code, name) VALUES ('MTN', 'MTN'), ('AIRTELTIGO', 'AirtelTigo'), ('TELECEL', 'Telecel');
INSERT INTO product_families (code, operator, name) VALUES
  ('MTN', 'MTN', 'MTN'), ('AT_ISHARE', 'AIRTELTIGO', 'AT iShare'),
  ('AT_BIGTIME', 'AIRTELTIGO', 'AT BigTime'), ('TELECEL', 'TELECEL', 'Telecel');
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
-- What was said stays said, whatever the code does.
CREATE FUNCTION refuse_message_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'support messages are append-only: % is refused', TG_OP
    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'support_messages_append_only';
END $$;
CREATE TRIGGER support_messages_append_only BEFORE UPDATE OR DELETE ON support_messages
  FOR EACH ROW EXECUTE FUNCTION refuse_message_change();
--> statement-breakpoint
-- A bundle gets the next number of its network, by which it is chosen on a phone. 9 is left out: it turns the page. Two made at once wait for each other.
CREATE FUNCTION number_bundle() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM operators WHERE code = NEW.operator FOR NO KEY UPDATE;
  SELECT coalesce(max(ussd_number), 0) + 1 INTO NEW.ussd_number FROM products WHERE operator = NEW.operator;
  IF NEW.ussd_number = 9 THEN NEW.ussd_number := 10; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER products_numbered BEFORE INSERT ON products
  FOR EACH ROW WHEN (NEW.line = 'bundle' AND NEW.ussd_number IS NULL) EXECUTE FUNCTION number_bundle();
--> statement-breakpoint
-- The log only grows for the shop. The one thing that may go from it is what names the owner of an account that is closed.
CREATE FUNCTION forget_names_in_audit_log(closed_user_id bigint) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE audit_log SET before = before - 'username' - 'email', after = after - 'username' - 'email'
    WHERE subject_type = 'user' AND subject_id = closed_user_id::text
      AND EXISTS (SELECT FROM users WHERE id = closed_user_id AND status = 'CLOSED')
  $$;
--> statement-breakpoint
-- The one rule of what is paused now. It is short and without settings of its own, so that Postgres writes it into each
-- statement that asks, and no call is made.
CREATE FUNCTION is_paused(message text, until timestamptz) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT message IS NOT NULL AND coalesce(until > now(), true)
$$;
--> statement-breakpoint
-- The pause that holds now, as JSON with its message and its end; null when there is none.
CREATE FUNCTION pause_of(message text, until timestamptz) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN is_paused(message, until) THEN json_build_object('message', message, 'until', until) END
$$;
--> statement-breakpoint
-- What an auditor from outside reads: fixed names and columns, whole pesewas, nothing of the code that wrote them. Kinds
-- are in the auditor's words: deposits are money that came in, reversals are corrections.
CREATE SCHEMA audit;
CREATE VIEW audit.entry AS
  SELECT t.id * 2 + side.credit AS id,
         t.id AS txn_id,
         CASE t.reason WHEN 'charge' THEN 'SPEND' WHEN 'refund' THEN 'REFUND' WHEN 'cash_sale' THEN 'CASH'
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
  SELECT id, user_id, coalesce(credited_pesewas, amount_pesewas) AS pesewas, upper(state) AS status, reference FROM payments;
CREATE VIEW audit.dispatch AS
  SELECT order_id, vendor_reference, upper(state) AS state FROM attempts WHERE vendor <> 'desk';
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
