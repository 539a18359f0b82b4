-- What agents owe the shop, and what is held while a chargeback is open.
INSERT INTO "ledger_accounts" ("code", "name") VALUES ('receivables', 'Owed by agents');--> statement-breakpoint
ALTER TABLE "wallets" ADD COLUMN "held_pesewas" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "wallets" ADD COLUMN "debt_pesewas" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_held_not_below_zero" CHECK ("wallets"."held_pesewas" >= 0);--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_debt_not_below_zero" CHECK ("wallets"."debt_pesewas" >= 0);--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_debt_only_when_empty" CHECK ("wallets"."debt_pesewas" = 0 or "wallets"."balance_pesewas" = 0);--> statement-breakpoint
ALTER TABLE "transfers" DROP CONSTRAINT "transfers_accounts_fit_reason";--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_accounts_fit_reason" CHECK (("transfers"."reason", "transfers"."debit", "transfers"."credit") in (
        ('charge', 'wallet', 'sales'), ('refund', 'sales', 'wallet'), ('cash_sale', 'cash', 'sales'),
        ('adjustment', 'adjustments', 'wallet'), ('adjustment', 'wallet', 'adjustments'),
        ('topup', 'paystack', 'wallet'), ('claim', 'cash', 'wallet'),
        ('reversal', 'wallet', 'paystack'), ('reversal', 'adjustments', 'paystack'),
        ('debt', 'receivables', 'paystack'), ('debt_paid', 'wallet', 'receivables')));--> statement-breakpoint

-- A payment that was looked at ends: what the provider says was paid, what was credited, and who decided it.
ALTER TABLE "payments" ADD COLUMN "paid_pesewas" bigint;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "credited_pesewas" bigint;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "decision" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "decided_by_user_id" bigint;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "decided_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payments" DROP CONSTRAINT "payments_state_known";--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_state_known" CHECK ("payments"."state" in ('created', 'pending', 'paid', 'failed', 'expired', 'review', 'reversed', 'closed'));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_paid_above_zero" CHECK ("payments"."paid_pesewas" > 0);--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_credited_above_zero" CHECK ("payments"."credited_pesewas" > 0);--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_decision_known" CHECK ("payments"."decision" in ('credit_paid', 'credit_asked', 'refunded'));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_decided_with_decision" CHECK (("payments"."decision" is null) = ("payments"."decided_at" is null));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_closed_by_decision" CHECK ("payments"."state" <> 'closed' or "payments"."decision" is not null);--> statement-breakpoint
-- Left open by a worker that ended between the last question and the end of the payment.
UPDATE "payments" SET "poll_at" = now() WHERE "state" = 'pending' AND "poll_at" IS NULL;--> statement-breakpoint
CREATE OR REPLACE VIEW audit.topup AS
  SELECT id, user_id, coalesce(credited_pesewas, amount_pesewas) AS pesewas, upper(state) AS status, reference FROM payments;--> statement-breakpoint

-- The provider's disputes are chargebacks. Refunds are booked from the provider's list, so that none is left open here.
ALTER TABLE "payment_reversals" ADD COLUMN "held_pesewas" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_reversals" ADD COLUMN "due_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payment_reversals" ADD COLUMN "ended_at" timestamp with time zone;--> statement-breakpoint
UPDATE "payment_reversals" SET "kind" = 'chargeback' WHERE "kind" = 'dispute';--> statement-breakpoint
UPDATE "payment_reversals" SET "state" = 'closed' WHERE "kind" = 'refund' AND "state" = 'open';--> statement-breakpoint
WITH "backed" AS (
  SELECT "payment_id", sum("amount_pesewas") AS "pesewas" FROM "payment_reversals" WHERE "state" = 'booked' GROUP BY 1
), "open" AS (
  SELECT r."id", least(sum(r."amount_pesewas") OVER w, p."amount_pesewas" - coalesce(b."pesewas", 0))
           - least(sum(r."amount_pesewas") OVER w - r."amount_pesewas", p."amount_pesewas" - coalesce(b."pesewas", 0)) AS "held"
  FROM "payment_reversals" r
  JOIN "payments" p ON p."id" = r."payment_id" AND p."paid_at" IS NOT NULL
  LEFT JOIN "backed" b ON b."payment_id" = r."payment_id"
  WHERE r."kind" = 'chargeback' AND r."state" = 'open'
  WINDOW w AS (PARTITION BY r."payment_id" ORDER BY r."id")
)
UPDATE "payment_reversals" r SET "held_pesewas" = o."held" FROM "open" o WHERE o."id" = r."id";--> statement-breakpoint
UPDATE "wallets" w SET "held_pesewas" = h."pesewas", "version" = w."version" + 1
FROM (SELECT "user_id", sum("held_pesewas") AS "pesewas" FROM "payment_reversals" GROUP BY 1 HAVING sum("held_pesewas") > 0) h
WHERE h."user_id" = w."user_id";--> statement-breakpoint
ALTER TABLE "payment_reversals" ADD CONSTRAINT "payment_reversals_kind_known" CHECK ("payment_reversals"."kind" in ('refund', 'chargeback'));--> statement-breakpoint
ALTER TABLE "payment_reversals" ADD CONSTRAINT "payment_reversals_held_not_below_zero" CHECK ("payment_reversals"."held_pesewas" >= 0);--> statement-breakpoint
ALTER TABLE "payment_reversals" ADD CONSTRAINT "payment_reversals_held_while_open" CHECK ("payment_reversals"."held_pesewas" = 0 or ("payment_reversals"."kind" = 'chargeback' and "payment_reversals"."state" = 'open'));--> statement-breakpoint
CREATE INDEX "payment_reversals_open" ON "payment_reversals" USING btree ("due_at") WHERE "payment_reversals"."kind" = 'chargeback' and "payment_reversals"."state" = 'open';
