-- Every account has no language yet, so that its rule need not read the table under a lock: NOT VALID.
CREATE TABLE "text_overrides" (
	"language" text NOT NULL,
	"key" text NOT NULL,
	"text" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"reviewed_at" timestamp with time zone,
	"reviewed_by_user_id" bigint,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by_user_id" bigint,
	CONSTRAINT "text_overrides_pkey" PRIMARY KEY("language","key"),
	CONSTRAINT "text_overrides_language_known" CHECK ("text_overrides"."language" in ('en', 'tw')),
	CONSTRAINT "text_overrides_length" CHECK (length("text_overrides"."text") between 1 and 320),
	CONSTRAINT "text_overrides_english_is_reviewed" CHECK ("text_overrides"."language" <> 'en' or "text_overrides"."reviewed_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "text_state" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"version" uuid DEFAULT gen_random_uuid() NOT NULL,
	"languages" text[] DEFAULT '{"en"}' NOT NULL,
	CONSTRAINT "text_state_one_row" CHECK ("text_state"."only"),
	CONSTRAINT "text_state_languages_known" CHECK ('en' = any("text_state"."languages") and "text_state"."languages" <@ array['en', 'tw']::text[])
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "language" text;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_language_known" CHECK ("users"."language" in ('en', 'tw')) NOT VALID;
