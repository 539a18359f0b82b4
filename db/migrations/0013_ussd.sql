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
ALTER TABLE "prompts" ADD CONSTRAINT "prompts_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "prompts_user" ON "prompts" USING btree ("user_id","payment_id");--> statement-breakpoint
CREATE INDEX "ussd_sessions_msisdn" ON "ussd_sessions" USING btree ("msisdn","started_at");--> statement-breakpoint
CREATE INDEX "ussd_sessions_started" ON "ussd_sessions" USING btree ("started_at");