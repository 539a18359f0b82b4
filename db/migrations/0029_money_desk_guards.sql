INSERT INTO ledger_accounts (code, name) VALUES
  ('momo', 'Mobile money received'),
  ('safe', 'Cash in the safe'),
  ('bank', 'Shop''s bank account')
ON CONFLICT DO NOTHING;
UPDATE ledger_accounts SET name = 'Cash with staff' WHERE code = 'cash';
--> statement-breakpoint
CREATE FUNCTION refuse_recorded_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% stays as it was recorded: % is refused', TG_TABLE_NAME, TG_OP
    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = TG_NAME;
END $$;
--> statement-breakpoint
-- A line of the statement stays as it was imported, whatever the code does; only a person's name and number may go.
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
--> statement-breakpoint
-- So does a day of cash that was accepted, and cash that was brought to the bank.
CREATE TRIGGER cash_closes_stay BEFORE UPDATE OR DELETE ON cash_closes
  FOR EACH ROW WHEN (OLD.state = 'accepted') EXECUTE FUNCTION refuse_recorded_change();
CREATE TRIGGER bank_deposits_stay BEFORE UPDATE OR DELETE ON bank_deposits
  FOR EACH ROW EXECUTE FUNCTION refuse_recorded_change();
