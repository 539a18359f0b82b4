CREATE TABLE "inbound_sms" (
	"id" text PRIMARY KEY NOT NULL,
	"msisdn" text NOT NULL,
	"user_id" bigint,
	"command" text NOT NULL,
	"outcome" text NOT NULL,
	"handled_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "inbound_sms_command_known" CHECK ("inbound_sms"."command" in ('BAL', 'BUY', 'STATUS', 'HELP', 'OTHER')),
	CONSTRAINT "inbound_sms_outcome_is_a_word" CHECK ("inbound_sms"."outcome" ~ '^[a-z_.]{1,40}$')
);
--> statement-breakpoint
CREATE INDEX "inbound_sms_age" ON "inbound_sms" USING btree ("handled_at");