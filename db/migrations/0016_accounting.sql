CREATE TABLE "accounting_months" (
	"month" text PRIMARY KEY NOT NULL,
	"requested_at" timestamp with time zone DEFAULT now() NOT NULL,
	"requested_by_user_id" bigint NOT NULL,
	"closed_at" timestamp with time zone,
	"sums" jsonb,
	CONSTRAINT "accounting_months_is_month" CHECK ("accounting_months"."month" ~ '^20[0-9]{2}-(0[1-9]|1[0-2])$'),
	CONSTRAINT "accounting_months_closed_with_sums" CHECK (("accounting_months"."closed_at" is null) = ("accounting_months"."sums" is null))
);
--> statement-breakpoint
CREATE TABLE "month_file_parts" (
	"month" text NOT NULL,
	"file" text NOT NULL,
	"part" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "month_file_parts_pkey" PRIMARY KEY("month","file","part")
);
--> statement-breakpoint
CREATE TABLE "sales_receipts" (
	"number" bigint PRIMARY KEY NOT NULL,
	"order_id" bigint NOT NULL,
	"issued_at" timestamp with time zone DEFAULT now() NOT NULL,
	"issued_by_user_id" bigint NOT NULL,
	"legal_name" text NOT NULL,
	"legal_address" text NOT NULL,
	"tin" text NOT NULL,
	"amount_pesewas" bigint NOT NULL,
	"vat_rate" smallint NOT NULL,
	"vat_pesewas" bigint NOT NULL,
	CONSTRAINT "sales_receipts_once_per_order" UNIQUE("order_id"),
	CONSTRAINT "sales_receipts_numbered_from_one" CHECK ("sales_receipts"."number" > 0),
	CONSTRAINT "sales_receipts_vat_is_a_part" CHECK ("sales_receipts"."vat_pesewas" >= 0 and "sales_receipts"."vat_pesewas" < "sales_receipts"."amount_pesewas")
);
--> statement-breakpoint
ALTER TABLE "month_file_parts" ADD CONSTRAINT "month_file_parts_month_accounting_months_month_fk" FOREIGN KEY ("month") REFERENCES "public"."accounting_months"("month") ON DELETE no action ON UPDATE no action;