ALTER TABLE "lone_acts" ALTER COLUMN "summary" DROP NOT NULL;--> statement-breakpoint
-- Names of accounts, in rows that only count.
UPDATE "lone_acts" SET "summary" = NULL WHERE NOT "is_loud";--> statement-breakpoint
ALTER TABLE "lone_acts" ADD CONSTRAINT "lone_acts_loud_says_what" CHECK (not "lone_acts"."is_loud" or "lone_acts"."summary" is not null) NOT VALID;