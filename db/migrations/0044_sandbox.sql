CREATE TABLE "twins" (
	"live_user_id" bigint PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"resets" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "twins_account_once" UNIQUE("user_id")
);
--> statement-breakpoint
ALTER TABLE "shop_facts" ADD COLUMN "mode" text;--> statement-breakpoint
ALTER TABLE "twins" ADD CONSTRAINT "twins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shop_facts" ADD CONSTRAINT "shop_facts_mode_known" CHECK ("shop_facts"."mode" in ('live', 'test')) NOT VALID;