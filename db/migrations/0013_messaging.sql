ALTER TABLE "messages" DROP CONSTRAINT "messages_state_known";--> statement-breakpoint
ALTER TABLE "wallets" ADD COLUMN "tells_purchases" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "wallets" ADD COLUMN "tell_below_pesewas" bigint;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "report_status" text;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "report_reason" text;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "reported_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "again_of" bigint;--> statement-breakpoint
CREATE INDEX "webhook_events_sms_age" ON "webhook_events" USING btree ("received_at") WHERE "webhook_events"."provider" = 'africastalking-sms';--> statement-breakpoint
CREATE INDEX "messages_provider" ON "messages" USING btree ("provider_id") WHERE "messages"."channel" = 'sms' and "messages"."provider_id" is not null;--> statement-breakpoint
CREATE INDEX "messages_channel_state" ON "messages" USING btree ("channel","state","id");--> statement-breakpoint
CREATE INDEX "messages_kind" ON "messages" USING btree ("kind","channel","state","id");--> statement-breakpoint
CREATE INDEX "messages_recipient" ON "messages" USING btree ("recipient","id");--> statement-breakpoint
CREATE UNIQUE INDEX "messages_again_once" ON "messages" USING btree ("again_of") WHERE "messages"."again_of" is not null;--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_tell_below_above_zero" CHECK ("wallets"."tell_below_pesewas" > 0);--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_delivery_was_reported" CHECK ("messages"."state" not in ('delivered', 'undelivered') or ("messages"."channel" = 'sms' and "messages"."report_status" is not null));--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_state_known" CHECK ("messages"."state" in ('queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed', 'unknown'));