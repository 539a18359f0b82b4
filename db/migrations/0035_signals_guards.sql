-- The rules as a new shop has them. They look at what happens from now on.
INSERT INTO signal_rules (kind, effect, parameters, message) VALUES
  ('young_top_up', 'hold', '{"accountDays": 7, "topUpPesewas": 50000, "minutes": 30, "percent": 80}',
   'We are checking a payment of yours'),
  ('takeover', 'hold', '{"hours": 24, "lines": 10}', 'We are checking that it is you who buys'),
  ('wrong_pins', 'note', '{"count": 5, "minutes": 60}', 'Somebody tried wrong PINs on your phone'),
  ('deposits_refused', 'note', '{"count": 3, "days": 7}', 'We are checking the deposits that you reported'),
  ('deposit_repeated', 'note', '{"days": 30}', 'We are checking a deposit that you reported'),
  ('losses', 'note', '{"count": 2, "days": 30}', 'We are checking orders of yours that were refunded'),
  ('disputes', 'note', '{"count": 1, "days": 90}', 'We are checking a payment that was disputed');
--> statement-breakpoint
-- What was raised stays as it was raised, and what was closed stays closed, whatever the code does.
CREATE TRIGGER signals_stay BEFORE UPDATE ON signals
  FOR EACH ROW WHEN (
    OLD.closed_at IS NOT NULL
    OR (OLD.id, OLD.kind, OLD.cause, OLD.user_id, OLD.effect, OLD.evidence, OLD.happened_at, OLD.created_at)
      IS DISTINCT FROM (NEW.id, NEW.kind, NEW.cause, NEW.user_id, NEW.effect, NEW.evidence, NEW.happened_at,
        NEW.created_at))
  EXECUTE FUNCTION refuse_recorded_change();
--> statement-breakpoint
CREATE TRIGGER signals_open_kept BEFORE DELETE ON signals
  FOR EACH ROW WHEN (OLD.closed_at IS NULL) EXECUTE FUNCTION refuse_recorded_change();
--> statement-breakpoint
CREATE TRIGGER agent_notes_stay BEFORE UPDATE ON agent_notes
  FOR EACH ROW EXECUTE FUNCTION refuse_recorded_change();
