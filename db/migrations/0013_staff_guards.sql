-- An account has one role: an agent's, or one of staff. Of several, the one with the most rights stays. Afterwards every
-- row keeps the rule, so none need be read under a lock: NOT VALID.
UPDATE "users" SET "roles" = array[(
  select role from unnest(array['ADMIN', 'MANAGER', 'ACCOUNTS', 'SUPPORT', 'DESK', 'USER']) with ordinality as r (role, rank)
  where role = any("users"."roles") order by rank limit 1
)] WHERE cardinality("roles") > 1;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_one_role" CHECK (cardinality("roles") <= 1) NOT VALID;
