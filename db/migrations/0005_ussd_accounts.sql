-- Every row keeps these rules already, so that none need be read under a lock: NOT VALID.
ALTER TABLE "codes" DROP CONSTRAINT "codes_purpose_known";--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "email" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "phones" ADD COLUMN "code_awaited_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "pins" ADD COLUMN "spends_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "wallets" ADD COLUMN "is_capped" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "codes" ADD CONSTRAINT "codes_purpose_known" CHECK ("codes"."purpose" in ('reset', 'phone', 'pin')) NOT VALID;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_password_with_email" CHECK ("users"."email" is not null or "users"."password_hash" = '') NOT VALID;