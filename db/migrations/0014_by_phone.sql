-- Tables of their own and a rule that every phone keeps already: the version before works on beside them.
CREATE TABLE "pins" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"msisdn" text NOT NULL,
	"digest" text NOT NULL,
	"wrong_tries" smallint DEFAULT 0 NOT NULL,
	"locked_until" timestamp with time zone,
	"set_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pins_digest_is_slow" CHECK ("pins"."digest" like '$argon2id$%'),
	CONSTRAINT "pins_tries_in_a_row" CHECK ("pins"."wrong_tries" between 0 and 3),
	CONSTRAINT "pins_third_try_locks" CHECK (("pins"."wrong_tries" = 3) = ("pins"."locked_until" is not null))
);
--> statement-breakpoint
CREATE TABLE "prompts" (
	"payment_id" bigint PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"network" text NOT NULL,
	"msisdn" text NOT NULL,
	"service_code" text NOT NULL,
	"voucher" text,
	"voucher_asked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "prompts_network_known" CHECK ("prompts"."network" in ('mtn', 'vod', 'atl')),
	CONSTRAINT "prompts_msisdn_is_ghanaian" CHECK ("prompts"."msisdn" ~ '^233[25][0-9]{8}$'),
	CONSTRAINT "prompts_voucher_form" CHECK ("prompts"."voucher" ~ '^[0-9]{4,10}$')
);
--> statement-breakpoint
CREATE TABLE "ussd_days" (
	"day" date PRIMARY KEY NOT NULL,
	"sessions" integer NOT NULL,
	"hops" integer NOT NULL,
	"bought" integer NOT NULL,
	"left" integer NOT NULL,
	"stumbles" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ussd_screen_days" (
	"day" date NOT NULL,
	"screen" text NOT NULL,
	"shown" integer NOT NULL,
	"left" integer NOT NULL,
	"stumbles" integer NOT NULL,
	CONSTRAINT "ussd_screen_days_pkey" PRIMARY KEY("day","screen")
);
--> statement-breakpoint
CREATE TABLE "ussd_sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"msisdn" text NOT NULL,
	"service_code" text NOT NULL,
	"user_id" bigint,
	"state" text NOT NULL,
	"context" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"cursor_length" integer,
	"cursor_mac" text,
	"answer" text,
	"hops" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"busy_until" timestamp with time zone,
	"path" text[] DEFAULT '{}' NOT NULL,
	"stumbles" text[] DEFAULT '{}' NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"end_status" text,
	"duration_ms" integer,
	"counted_at" timestamp with time zone,
	CONSTRAINT "ussd_sessions_msisdn_is_ghanaian" CHECK ("ussd_sessions"."msisdn" ~ '^233[25][0-9]{8}$'),
	CONSTRAINT "ussd_sessions_answer_fits" CHECK (length("ussd_sessions"."answer") <= 160),
	CONSTRAINT "ussd_sessions_cursor_whole" CHECK (("ussd_sessions"."cursor_length" is null) = ("ussd_sessions"."cursor_mac" is null))
);
--> statement-breakpoint
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
ALTER TABLE "phones" ADD CONSTRAINT "phones_of_a_pin" UNIQUE("user_id","msisdn");
--> statement-breakpoint
ALTER TABLE "pins" ADD CONSTRAINT "pins_of_a_proved_phone" FOREIGN KEY ("user_id","msisdn") REFERENCES "public"."phones"("user_id","msisdn") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "prompts" ADD CONSTRAINT "prompts_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "prompts_user" ON "prompts" USING btree ("user_id","payment_id");
--> statement-breakpoint
CREATE INDEX "ussd_sessions_msisdn" ON "ussd_sessions" USING btree ("msisdn","started_at");
--> statement-breakpoint
CREATE INDEX "ussd_sessions_started" ON "ussd_sessions" USING btree ("started_at");
--> statement-breakpoint
CREATE INDEX "inbound_sms_age" ON "inbound_sms" USING btree ("handled_at");
