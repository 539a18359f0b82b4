CREATE TABLE "waiting_choices" (
	"user_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"channel" text NOT NULL,
	"chosen_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "waiting_choices_pkey" PRIMARY KEY("user_id","kind"),
	CONSTRAINT "waiting_choices_kind_is_a_word" CHECK ("waiting_choices"."kind" ~ '^[a-z_]{1,40}$'),
	CONSTRAINT "waiting_choices_channel_known" CHECK ("waiting_choices"."channel" in ('none', 'email', 'sms'))
);
--> statement-breakpoint
CREATE TABLE "waiting_kinds" (
	"kind" text PRIMARY KEY NOT NULL,
	"began_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "waiting_kinds_kind_is_a_word" CHECK ("waiting_kinds"."kind" ~ '^[a-z_]{1,40}$')
);
--> statement-breakpoint
CREATE TABLE "waiting_notices" (
	"user_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"times" smallint NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	CONSTRAINT "waiting_notices_pkey" PRIMARY KEY("user_id","kind"),
	CONSTRAINT "waiting_notices_once_or_twice" CHECK ("waiting_notices"."times" in (1, 2))
);
--> statement-breakpoint
CREATE TABLE "reconciliation_differences" (
	"reference" text NOT NULL,
	"kind" text NOT NULL,
	"amount_pesewas" bigint,
	"found_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "reconciliation_differences_pkey" PRIMARY KEY("reference","kind")
);
--> statement-breakpoint
ALTER TABLE "waiting_notices" ADD CONSTRAINT "waiting_notices_kind_waiting_kinds_kind_fk" FOREIGN KEY ("kind") REFERENCES "public"."waiting_kinds"("kind") ON DELETE cascade ON UPDATE no action;
