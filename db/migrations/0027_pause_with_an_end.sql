-- A pause may have an end, from which on it sells again by itself.
ALTER TABLE "operators" ADD COLUMN "paused_until" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "paused_until" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "operators" ADD CONSTRAINT "operators_end_of_a_pause" CHECK ("operators"."paused_until" is null or "operators"."paused_message" is not null);
--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_end_of_a_pause" CHECK ("products"."paused_until" is null or "products"."paused_message" is not null);
--> statement-breakpoint
-- The one rule of what is paused now. It is short and without settings of its own, so that Postgres writes it into each
-- statement that asks, and no call is made.
CREATE FUNCTION is_paused(message text, until timestamptz) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT message IS NOT NULL AND coalesce(until > now(), true)
$$;
--> statement-breakpoint
-- The pause that holds now, as JSON with its message and its end; null when there is none.
CREATE FUNCTION pause_of(message text, until timestamptz) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN is_paused(message, until) THEN json_build_object('message', message, 'until', until) END
$$;
