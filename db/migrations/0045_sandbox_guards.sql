-- A database that somebody has used until now is a live shop's.
UPDATE shop_facts SET mode = 'live' WHERE EXISTS (SELECT FROM users);
--> statement-breakpoint
-- What a shop is stays as it was written, whatever the code does: test keys never reach a live shop's rows.
CREATE TRIGGER shop_facts_mode_stays BEFORE UPDATE ON shop_facts
  FOR EACH ROW WHEN (OLD.mode IS NOT NULL AND OLD.mode IS DISTINCT FROM NEW.mode)
  EXECUTE FUNCTION refuse_recorded_change();
--> statement-breakpoint
CREATE TRIGGER shop_facts_kept BEFORE DELETE ON shop_facts
  FOR EACH ROW EXECUTE FUNCTION refuse_recorded_change();
