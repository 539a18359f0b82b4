ALTER TABLE "phone_waits" DROP CONSTRAINT "phone_waits_cause_known";--> statement-breakpoint
ALTER TABLE "codes" ADD COLUMN "asker_tries" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "codes" ADD COLUMN "tries_by" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "pins" ADD COLUMN "locks" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "pins" ADD COLUMN "sms_locks" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "passes_opt_out" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "number_codes" ADD COLUMN "asker_tries" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "number_codes" ADD COLUMN "tries_by" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "pins" ADD CONSTRAINT "pins_locks_in_a_row" CHECK ("pins"."locks" between 0 and 4 and "pins"."sms_locks" between 0 and 4) NOT VALID;--> statement-breakpoint
ALTER TABLE "phone_waits" ADD CONSTRAINT "phone_waits_cause_known" CHECK ("phone_waits"."cause" in ('phone', 'pin', 'password', 'claim')) NOT VALID;--> statement-breakpoint
-- What the version before has queued for its recipients' own requests, by the kinds that it knew.
UPDATE "messages" SET "passes_opt_out" = true WHERE "channel" = 'sms' AND "state" IN ('queued', 'sending') AND "kind" IN ('sms_answer', 'statement', 'voucher_wanted');
