CREATE TABLE "switches" (
	"name" text PRIMARY KEY NOT NULL,
	"message" text NOT NULL,
	"reason" text NOT NULL,
	"until" timestamp with time zone,
	"closed_by_user_id" bigint NOT NULL,
	"closed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "switches_name_known" CHECK ("switches"."name" in ('sales', 'web', 'api', 'ussd', 'sms', 'top_ups', 'cancelling', 'refunds')),
	CONSTRAINT "switches_message_length" CHECK (length("switches"."message") between 1 and 90),
	CONSTRAINT "switches_reason_length" CHECK (length("switches"."reason") between 1 and 300)
);
