ALTER TABLE "ussd_sessions" ADD COLUMN "left_after_ms" integer DEFAULT 0;--> statement-breakpoint
ALTER TABLE "ussd_sessions" ADD COLUMN "repeat_mac" text;