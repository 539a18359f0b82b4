-- A closed month and its files stay as they are, whatever the code does; so do receipts.
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
--> statement-breakpoint
CREATE FUNCTION refuse_receipt_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'receipts stay: % is refused', TG_OP
    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'sales_receipts_stay';
END $$;
CREATE TRIGGER sales_receipts_stay BEFORE UPDATE OR DELETE ON sales_receipts
  FOR EACH ROW EXECUTE FUNCTION refuse_receipt_change();
