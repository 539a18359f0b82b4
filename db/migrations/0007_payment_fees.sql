-- each statement alone
-- The fees of payments that were credited before are booked here, beside the version that sells meanwhile. Each statement
-- can run again, and none reads a table under a lock: rules are NOT VALID.
ALTER TABLE "payments" ADD COLUMN IF NOT EXISTS "fees_by_payer_pesewas" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" DROP CONSTRAINT IF EXISTS "payments_fees_by_payer_are_part_of_fees",
	ADD CONSTRAINT "payments_fees_by_payer_are_part_of_fees" CHECK ("payments"."fees_by_payer_pesewas" = 0 or "payments"."fees_by_payer_pesewas" between 1 and "payments"."fees_pesewas") NOT VALID;--> statement-breakpoint
ALTER TABLE "transfers" DROP CONSTRAINT IF EXISTS "transfers_accounts_fit_reason",
	ADD CONSTRAINT "transfers_accounts_fit_reason" CHECK (("transfers"."reason", "transfers"."debit", "transfers"."credit") in (
        ('charge', 'wallet', 'sales'), ('refund', 'sales', 'wallet'), ('cash_sale', 'cash', 'sales'),
        ('adjustment', 'adjustments', 'wallet'), ('adjustment', 'wallet', 'adjustments'),
        ('topup', 'paystack', 'wallet'), ('claim', 'cash', 'wallet'),
        ('reversal', 'wallet', 'paystack'), ('reversal', 'adjustments', 'paystack'),
        ('debt', 'receivables', 'paystack'), ('debt_paid', 'wallet', 'receivables'),
        ('payment_fee', 'fees', 'paystack'))) NOT VALID;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payments_with_fees" ON "payments" USING btree ("paid_at","id") WHERE "payments"."fees_pesewas" > 0 and "payments"."paid_at" is not null;--> statement-breakpoint
INSERT INTO ledger_accounts (code, name) VALUES ('fees', 'Fees kept by Paystack') ON CONFLICT DO NOTHING;--> statement-breakpoint
-- What was paid beyond the credited amount was a fee passed on to the payer. Only the stored webhook still says it.
UPDATE payments p SET fees_by_payer_pesewas = least(p.fees_pesewas, w.paid_pesewas - coalesce(p.credited_pesewas, p.amount_pesewas))
  FROM (
    SELECT reference, body #>> '{data,domain}' AS domain, max((body #>> '{data,amount}')::numeric)::bigint AS paid_pesewas
    FROM webhook_events
    WHERE provider = 'paystack' AND event = 'charge.success' AND jsonb_typeof(body #> '{data,amount}') = 'number'
    GROUP BY 1, 2) w
  WHERE w.reference = p.reference AND w.domain = p.domain AND p.paid_at IS NOT NULL AND p.fees_pesewas > 0
    AND w.paid_pesewas > coalesce(p.credited_pesewas, p.amount_pesewas)
    AND NOT EXISTS (SELECT FROM transfers t WHERE t.reason = 'payment_fee' AND t.subject_id = p.id);--> statement-breakpoint
-- A fee below zero or above what was paid was believed before; now it counts as unknown.
UPDATE payments SET fees_pesewas = NULL, fees_by_payer_pesewas = 0
  WHERE fees_pesewas < 0 OR fees_pesewas - fees_by_payer_pesewas
    > CASE WHEN paid_at IS NULL THEN coalesce(paid_pesewas, amount_pesewas) ELSE coalesce(credited_pesewas, amount_pesewas) END;--> statement-breakpoint
INSERT INTO transfers (user_id, debit, credit, amount_pesewas, reason, subject_id)
  SELECT user_id, 'fees', 'paystack', fees_pesewas - fees_by_payer_pesewas, 'payment_fee', id FROM payments
  WHERE paid_at IS NOT NULL AND fees_pesewas > fees_by_payer_pesewas ORDER BY id
  ON CONFLICT ON CONSTRAINT transfers_once_per_subject DO NOTHING;
