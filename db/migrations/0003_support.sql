ALTER TABLE "support_requests" ADD COLUMN "full_name" text;--> statement-breakpoint
ALTER TABLE "support_requests" ADD COLUMN "email" text;--> statement-breakpoint
ALTER TABLE "support_requests" ADD COLUMN "subject" text;--> statement-breakpoint
ALTER TABLE "support_requests" ADD CONSTRAINT "support_requests_subject_known" CHECK ("support_requests"."subject_type" in ('general', 'order', 'claim'));--> statement-breakpoint
ALTER TABLE "support_requests" ADD CONSTRAINT "support_requests_about_something" CHECK (("support_requests"."subject_type" = 'general') = ("support_requests"."subject_id" is null));