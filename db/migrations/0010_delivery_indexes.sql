DROP INDEX "attempts_due";--> statement-breakpoint
CREATE INDEX "attempts_to_do" ON "attempts" USING btree ("vendor","state","due_at","id") WHERE "attempts"."state" in ('queued', 'sending', 'unknown');--> statement-breakpoint
CREATE INDEX "attempts_to_ask" ON "attempts" USING btree ("vendor","due_at","id") WHERE "attempts"."state" in ('accepted', 'processing', 'held');