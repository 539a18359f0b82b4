CREATE TABLE "login_networks" (
	"user_id" bigint NOT NULL,
	"network" text NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "login_networks_pkey" PRIMARY KEY("user_id","network")
);
--> statement-breakpoint
ALTER TABLE "login_networks" ADD CONSTRAINT "login_networks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "login_networks_age" ON "login_networks" USING btree ("last_at");--> statement-breakpoint
ALTER TABLE "codes" ADD COLUMN "known_tries" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "reset_asks" ADD COLUMN "is_known" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "pins" ADD COLUMN "sms_wrong_tries" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "pins" ADD COLUMN "sms_locked_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "pins" ADD CONSTRAINT "pins_sms_tries_in_a_row" CHECK ("pins"."sms_wrong_tries" between 0 and 3);--> statement-breakpoint
ALTER TABLE "pins" ADD CONSTRAINT "pins_third_sms_try_locks" CHECK (("pins"."sms_wrong_tries" = 3) = ("pins"."sms_locked_until" is not null));--> statement-breakpoint
-- Two weeks of messages at most: rewritten in a moment. A counter that can run over stops every claim.
ALTER TABLE "hook_deliveries" ALTER COLUMN "attempts" SET DATA TYPE integer;--> statement-breakpoint
ALTER TABLE "hook_deliveries" ALTER COLUMN "tries" SET DATA TYPE integer;--> statement-breakpoint
ALTER TABLE "hooks" DROP CONSTRAINT "hooks_pause_known";--> statement-breakpoint
ALTER TABLE "hooks" ADD CONSTRAINT "hooks_pause_known" CHECK ("hooks"."paused_for" in ('owner', 'failing', 'gone', 'unproven'));
