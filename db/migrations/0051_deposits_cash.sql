-- The rules admit all rows that are there, so none need be read under a lock: NOT VALID.
ALTER TABLE "transfers" DROP CONSTRAINT "transfers_accounts_fit_reason";--> statement-breakpoint
ALTER TABLE "claims" DROP CONSTRAINT "claims_held_back_known";--> statement-breakpoint
ALTER TABLE "bank_deposits" ADD COLUMN "seen_pesewas" bigint;--> statement-breakpoint
ALTER TABLE "bank_deposits" ADD COLUMN "seen_by_user_id" bigint;--> statement-breakpoint
ALTER TABLE "bank_deposits" ADD COLUMN "seen_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "bank_deposits" ADD COLUMN "seen_reason" text;--> statement-breakpoint
ALTER TABLE "wallet_payouts" ADD COLUMN "is_from_safe" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_accounts_fit_reason" CHECK (("transfers"."reason", "transfers"."debit", "transfers"."credit") in (
        ('charge', 'wallet', 'sales'), ('refund', 'sales', 'wallet'), ('cash_sale', 'cash', 'sales'),
        ('refund_taken_back', 'wallet', 'sales'), ('refund_again', 'sales', 'wallet'),
        ('adjustment', 'adjustments', 'wallet'), ('adjustment', 'wallet', 'adjustments'),
        ('topup', 'paystack', 'wallet'), ('claim', 'cash', 'wallet'), ('claim', 'momo', 'wallet'),
        ('claim_reversal', 'wallet', 'momo'), ('claim_debt', 'receivables', 'momo'),
        ('reversal', 'wallet', 'paystack'), ('reversal', 'adjustments', 'paystack'),
        ('debt', 'receivables', 'paystack'), ('debt_paid', 'wallet', 'receivables'),
        ('payment_fee', 'fees', 'paystack'), ('payout', 'bank', 'paystack'),
        ('cash_handed_in', 'safe', 'cash'), ('cash_difference', 'adjustments', 'cash'),
        ('cash_difference', 'cash', 'adjustments'), ('cash_banked', 'bank', 'safe'),
        ('bank_difference', 'adjustments', 'bank'), ('bank_difference', 'bank', 'adjustments'),
        ('wallet_payout', 'wallet', 'paid_out'), ('wallet_payout', 'wallet', 'safe'))) NOT VALID;--> statement-breakpoint
ALTER TABLE "claims" ADD CONSTRAINT "claims_held_back_known" CHECK ("claims"."held_back" in ('other_amount', 'twice', 'reversed', 'two_lines', 'own_account', 'inactive', 'young_account', 'deposit_limit', 'import_limit', 'day_limit', 'alone_limit', 'other_sender', 'importer')) NOT VALID;--> statement-breakpoint
ALTER TABLE "bank_deposits" ADD CONSTRAINT "bank_deposits_seen_whole" CHECK (("bank_deposits"."seen_at" is null) = ("bank_deposits"."seen_pesewas" is null) and ("bank_deposits"."seen_at" is null) = ("bank_deposits"."seen_by_user_id" is null)
        and ("bank_deposits"."seen_reason" is null or "bank_deposits"."seen_at" is not null)) NOT VALID;--> statement-breakpoint
ALTER TABLE "bank_deposits" ADD CONSTRAINT "bank_deposits_seen_by_another" CHECK ("bank_deposits"."seen_by_user_id" <> "bank_deposits"."by_user_id") NOT VALID;--> statement-breakpoint
ALTER TABLE "bank_deposits" ADD CONSTRAINT "bank_deposits_seen_difference_explained" CHECK ("bank_deposits"."seen_pesewas" >= 0
        and ("bank_deposits"."seen_pesewas" = "bank_deposits"."amount_pesewas" or btrim(coalesce("bank_deposits"."seen_reason", '')) <> '')) NOT VALID;--> statement-breakpoint
ALTER TABLE "wallet_payouts" ADD CONSTRAINT "wallet_payouts_from_safe_in_cash" CHECK (not "wallet_payouts"."is_from_safe" or "wallet_payouts"."method" = 'cash') NOT VALID;
--> statement-breakpoint
-- What was brought to the bank stays as it was booked; what its statement shows is written once, beside it.
DROP TRIGGER bank_deposits_stay ON bank_deposits;
CREATE TRIGGER bank_deposits_stay BEFORE UPDATE ON bank_deposits
  FOR EACH ROW WHEN (
    OLD.seen_at IS NOT NULL
    OR (OLD.id, OLD.amount_pesewas, OLD.slip, OLD.by_user_id, OLD.created_at)
      IS DISTINCT FROM (NEW.id, NEW.amount_pesewas, NEW.slip, NEW.by_user_id, NEW.created_at))
  EXECUTE FUNCTION refuse_recorded_change();
CREATE TRIGGER bank_deposits_kept BEFORE DELETE ON bank_deposits
  FOR EACH ROW EXECUTE FUNCTION refuse_recorded_change();
