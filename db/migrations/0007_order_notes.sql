-- Both are quick in a shop with millions of events: a constant default rewrites nothing, and a check that is not
-- validated reads nothing. The rows that are there have the default, which satisfies it.
ALTER TABLE "order_events" ADD COLUMN "is_internal" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_only_notes_internal" CHECK (not "order_events"."is_internal" or ("order_events"."to_status" is null and "order_events"."note" is not null)) NOT VALID;
