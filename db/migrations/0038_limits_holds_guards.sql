-- Waits of PINs that were reset by code, and accounts that lost their phone: their next one is not their first.
INSERT INTO phone_waits (user_id, cause, until)
  SELECT user_id, 'pin', spends_from FROM pins WHERE spends_from > now();
INSERT INTO phone_waits (user_id, cause, until)
  SELECT DISTINCT u.id, 'phone', now()
  FROM audit_log l JOIN users u ON u.id::text = l.subject_id
  WHERE l.action IN ('user.phone_remove', 'user.phone_unbind') AND l.subject_type = 'user' AND u.status <> 'CLOSED'
    AND NOT EXISTS (SELECT FROM phones p WHERE p.user_id = u.id);
-- A shop that let PINs wait for longer than the new setting's default keeps its hours.
INSERT INTO settings (key, value)
  SELECT 'phone_wait_hours', value FROM settings WHERE key = 'pin_reset_hours' AND (value #>> '{}')::int > 48
ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO ledger_accounts (code, name) VALUES ('paid_out', 'Paid out to owners of wallets') ON CONFLICT DO NOTHING;
--> statement-breakpoint
-- What was paid out stays as it was recorded.
CREATE TRIGGER wallet_payouts_stay BEFORE UPDATE OR DELETE ON wallet_payouts
  FOR EACH ROW EXECUTE FUNCTION refuse_recorded_change();
