-- What was decided stays decided, whatever the code does: only a secret in the command may be wiped afterwards.
CREATE FUNCTION refuse_approval_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.state = 'open' OR to_jsonb(NEW) - 'command' = to_jsonb(OLD) - 'command' AND NEW.command IS NULL)
  THEN
    -- Of an open request only what decides it may change.
    IF OLD.state = 'open' AND
       to_jsonb(NEW) - '{state,decided_by_user_id,decided_at,note,command}'::text[]
         <> to_jsonb(OLD) - '{state,decided_by_user_id,decided_at,note,command}'::text[] THEN
      RAISE EXCEPTION 'what was asked for stays as it was'
        USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'approvals_decided_stay';
    END IF;
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'approvals stay: % is refused', TG_OP
    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'approvals_decided_stay';
END $$;
CREATE TRIGGER approvals_decided_stay BEFORE UPDATE OR DELETE ON approvals
  FOR EACH ROW EXECUTE FUNCTION refuse_approval_change();
--> statement-breakpoint
-- Nobody has proved anything by this change: a session counts from its login.
UPDATE sessions SET confirmed_at = created_at;
