-- Acts in the log keep the name that their actor had, also when that account is deleted.
ALTER TABLE "audit_log" ADD COLUMN "by_username" text;
--> statement-breakpoint
UPDATE audit_log l SET by_username = u.username FROM users u WHERE u.id = l.by_user_id;
--> statement-breakpoint
-- The log only grows for the shop. The one thing that may go from it is what names the owner of an account that is closed.
CREATE FUNCTION forget_names_in_audit_log(closed_user_id bigint) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE audit_log SET before = before - 'username' - 'email', after = after - 'username' - 'email'
    WHERE subject_type = 'user' AND subject_id = closed_user_id::text
      AND EXISTS (SELECT FROM users WHERE id = closed_user_id AND status = 'CLOSED')
  $$;
--> statement-breakpoint
SELECT forget_names_in_audit_log(id) FROM users WHERE status = 'CLOSED';
