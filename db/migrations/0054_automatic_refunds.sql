CREATE TABLE "automatic_refunds" (
	"order_id" bigint PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"amount_pesewas" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "automatic_refunds_kind_known" CHECK ("automatic_refunds"."kind" in ('not_received', 'not_delivered')),
	CONSTRAINT "automatic_refunds_amount_above_zero" CHECK ("automatic_refunds"."amount_pesewas" > 0)
);
--> statement-breakpoint
CREATE INDEX "automatic_refunds_user" ON "automatic_refunds" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "automatic_refunds_age" ON "automatic_refunds" USING btree ("created_at");