ALTER TABLE "bulk_drafts" ADD COLUMN "last_key" text;
--> statement-breakpoint
ALTER TABLE "bulk_drafts" ADD COLUMN "is_kept" boolean DEFAULT true NOT NULL;
--> statement-breakpoint
ALTER TABLE "bulk_drafts" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;
--> statement-breakpoint
ALTER TABLE "bulk_drafts" ADD COLUMN "figures" text;
--> statement-breakpoint
ALTER TABLE "bulk_drafts" ADD COLUMN "other_networks" text;
--> statement-breakpoint
ALTER TABLE "bulk_drafts" ADD COLUMN "allows_repeats" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "bulk_drafts" ADD COLUMN "bulk_order_id" bigint;
--> statement-breakpoint
ALTER TABLE "bulk_drafts" ADD CONSTRAINT "bulk_drafts_figures_known" CHECK ("bulk_drafts"."figures" in ('size', 'quantity', 'nothing'));
--> statement-breakpoint
ALTER TABLE "bulk_drafts" ADD CONSTRAINT "bulk_drafts_other_networks_known" CHECK ("bulk_drafts"."other_networks" in ('own', 'moved'));
--> statement-breakpoint
ALTER TABLE "bulk_drafts" ADD CONSTRAINT "bulk_drafts_placed_is_empty" CHECK ("bulk_drafts"."bulk_order_id" is null or (not "bulk_drafts"."is_kept" and "bulk_drafts"."lines" = ''));
--> statement-breakpoint
CREATE INDEX "bulk_drafts_changed" ON "bulk_drafts" USING btree ("updated_at");
